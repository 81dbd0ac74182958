// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sessions: the text protocol, and the calls on a session */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accuracy.h"
#include "error.h"
#include "forks.h"
#include "session.h"
#include "thread_comm.h"

pmc_session_t *session_new(const struct session_ops *ops, int fd)
{
	pmc_session_t *session = calloc(1, sizeof(*session));

	if (!session) {
		pmc_fail_nomem();
		return NULL;
	}
	session->ops = ops;
	session->fd = fd;
	session->owner = forks_process();
	return session;
}

void pmc_session_close(pmc_session_t *session)
{
	int err = errno;

	if (!session)
		return;
	if (session->owner == forks_process())
		session->ops->end(session);
	if (session->ops->release)
		session->ops->release(session);
	ring_unmap(&session->ring);
	close(session->fd);
	free(session->buf);
	free(session->names);
	free(session);
	errno = err;
}

int pmc_session_fd(const pmc_session_t *session)
{
	return session->fd;
}

/* @line is written to. */
static int command(pmc_session_t *session, char *line)
{
	int names = names_is_command(line), rc = session->ops->command(session, line);

	if (rc || !names || session->names)
		return rc;
	session->names = names_new();
	return session->names ? 0 : -1;
}

static int commands(pmc_session_t *session, char *text)
{
	char *line, *save;
	int rc = 0;

	for (line = strtok_r(text, "\n", &save); line && !rc; line = strtok_r(NULL, "\n", &save))
		rc = command(session, line);
	return rc;
}

/* Short commands take no memory: libpmcpapi reads sessions in signal handlers. */
int pmc_session_command(pmc_session_t *session, const char *fmt, ...)
{
	char some[128], *text;
	va_list ap;
	int n, rc;

	va_start(ap, fmt);
	n = vsnprintf(some, sizeof(some), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(some))
		return commands(session, some);
	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return pmc_fail_nomem();
	rc = commands(session, text);
	free(text);
	return rc;
}

int pmc_session_start(pmc_session_t *session)
{
	return session->ops->start(session);
}

int pmc_session_stop(pmc_session_t *session)
{
	return session->ops->stop(session);
}

static __u16 kernel_core_type(int core_type)
{
	return core_type == PMC_EVERY_CORE_TYPE ? PMC_ALL_CORE_TYPES : core_type;
}

int pmc_session_read(pmc_session_t *session, int core_type, int set,
		     uint64_t *counts, uint64_t *running)
{
	struct pmc_read arg = { .core_type = kernel_core_type(core_type), .set = set };

	if (session->ops->read(session, &arg))
		return -1;
	memcpy(counts, arg.counts, arg.nr_counts * sizeof(*counts));
	if (running)
		*running = arg.running;
	return arg.nr_counts;
}

int pmc_session_totals(pmc_session_t *session, int core_type, int set,
		       uint64_t *counts, uint64_t *running, uint64_t *nr_threads)
{
	struct pmc_totals arg = { .core_type = kernel_core_type(core_type), .set = set };

	if (session->ops->totals(session, &arg))
		return -1;
	memcpy(counts, arg.counts, arg.nr_counts * sizeof(*counts));
	if (running)
		*running = arg.running;
	if (nr_threads)
		*nr_threads = arg.nr_threads;
	return arg.nr_counts;
}

/* The values of virtual counters follow the counts; the caller has PMC_MAX_VIRTUALS of them. */
static int copy_virtual(uint64_t *values, const __u64 *counts, unsigned int nr_counts,
			unsigned int nr)
{
	if (nr > PMC_MAX_VIRTUALS || nr_counts + nr > PMC_MAX_COUNTS)
		return pmc_fail(EPROTO, "the kernel module reports %u virtual counters, too many for this library: are they of the same version?",
				nr);
	memcpy(values, counts + nr_counts, nr * sizeof(*values));
	return nr;
}

int pmc_session_read_virtual(pmc_session_t *session, int core_type, int set, uint64_t *values)
{
	struct pmc_read arg = { .core_type = kernel_core_type(core_type), .set = set };

	if (session->ops->read(session, &arg))
		return -1;
	return copy_virtual(values, arg.counts, arg.nr_counts, arg.nr_virtual);
}

int pmc_session_totals_virtual(pmc_session_t *session, int core_type, int set, uint64_t *values)
{
	struct pmc_totals arg = { .core_type = kernel_core_type(core_type), .set = set };

	if (session->ops->totals(session, &arg))
		return -1;
	return copy_virtual(values, arg.counts, arg.nr_counts, arg.nr_virtual);
}

int pmc_session_slots(pmc_session_t *session, int core_type, int set, unsigned char *slots)
{
	struct pmc_placement arg = { .core_type = core_type, .set = set };

	if (session->ops->placement(session, &arg))
		return -1;
	memcpy(slots, arg.slot, arg.nr_counts);
	return arg.nr_counts;
}

int pmc_session_accuracy(pmc_session_t *session, int core_type, int set, int event,
			 uint64_t *available)
{
	struct accuracy accuracy;

	if (session->ops->accuracy(session, core_type, set, event, &accuracy))
		return -1;
	if (available)
		*available = accuracy.available;
	return accuracy.is;
}
