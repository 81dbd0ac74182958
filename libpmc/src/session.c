// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sessions: the text protocol, and the calls on a session. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "error.h"
#include "forks.h"
#include "proc.h"
#include "session.h"

pmc_session_t *pmc_session_open(void)
{
	pmc_session_t *session = calloc(1, sizeof(*session));
	char path[256];

	if (!session) {
		pmc_fail_nomem();
		return NULL;
	}
	proc_path(path, sizeof(path), "monitor");
	session->owner = forks_process();
	session->fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (session->fd >= 0)
		return session;
	if (errno == ENOENT)
		pmc_fail(ENOENT, "no %s: load the kernel module first (modprobe pmctrack)", path);
	else if (errno == EACCES || errno == EPERM)
		pmc_fail(errno, "no permission for %s: ask for access, or run as root", path);
	else
		pmc_fail(errno, "cannot open %s: %m", path);
	free(session);
	return NULL;
}

/*
 * Closing the file is not enough if a child of fork() has it open, too. The session is
 * closed even if the kernel refuses these commands.
 */
static void end_counting(const pmc_session_t *session)
{
	static const char commands[] = "stop\nclear\n";
	int err = errno;

	if (session->owner != forks_process() ||
	    write(session->fd, commands, strlen(commands)) < 0)
		errno = err;
}

void pmc_session_close(pmc_session_t *session)
{
	if (!session)
		return;
	end_counting(session);
	ring_unmap(&session->ring);
	close(session->fd);
	free(session->buf);
	free(session);
}

int pmc_session_fd(const pmc_session_t *session)
{
	return session->fd;
}

int session_explain(pmc_session_t *session, int err)
{
	char line[PMC_ERROR_LEN] = "";

	if (!ioctl(session->fd, PMC_IOC_ERROR, line) && *line)
		return pmc_fail(err, "%.*s", (int)sizeof(line) - 1, line);
	errno = err;
	if (err == EPERM || err == EACCES)
		return pmc_fail(err, "no permission: this needs CAP_PERFMON, or a process of your own");
	return pmc_fail(err, "the kernel module refused the call: %m");
}

static int send_line(pmc_session_t *session, const char *line)
{
	size_t len = strlen(line);

	if (write(session->fd, line, len) != (ssize_t)len)
		return session_explain(session, errno);
	return 0;
}

/*
 * The ring has its final size when counting begins. One thread maps it. Other threads that
 * start at the same time need not wait for that, because they do not read it.
 */
static void map_ring(pmc_session_t *session)
{
	if (__atomic_load_n(&session->tried_ring, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&session->tried_ring, 1, __ATOMIC_RELAXED))
		return;
	ring_map(&session->ring, session->fd);
}

static int attaches(const char *line)
{
	return !strncmp(line, "attach", 6) || !strncmp(line, "syswide", 7);
}

int pmc_session_command(pmc_session_t *session, const char *fmt, ...)
{
	char *text, *line, *save;
	va_list ap;
	int n, rc = 0;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return pmc_fail_nomem();
	for (line = strtok_r(text, "\n", &save); line && !rc;
	     line = strtok_r(NULL, "\n", &save)) {
		if (attaches(line))
			map_ring(session);
		rc = send_line(session, line);
	}
	free(text);
	return rc;
}

int pmc_session_configure(pmc_session_t *session, const pmc_config_t *config)
{
	const char *raw, *names;
	int i;

	for (i = 0; (raw = pmc_config_raw(config, i)); i++)
		if (pmc_session_command(session, "events %s", raw))
			return -1;
	names = config_virtual_names(config);
	return names ? pmc_session_command(session, "virtual %s", names) : 0;
}

int pmc_session_start(pmc_session_t *session)
{
	map_ring(session);
	return ioctl(session->fd, PMC_IOC_START) ? session_explain(session, errno) : 0;
}

int pmc_session_stop(pmc_session_t *session)
{
	return ioctl(session->fd, PMC_IOC_STOP) ? session_explain(session, errno) : 0;
}

static __u16 kernel_core_type(int core_type)
{
	return core_type == PMC_EVERY_CORE_TYPE ? PMC_ALL_CORE_TYPES : core_type;
}

int pmc_session_read(pmc_session_t *session, int core_type, int set,
		     uint64_t *counts, uint64_t *running)
{
	struct pmc_read arg = { .core_type = kernel_core_type(core_type), .set = set };

	if (ioctl(session->fd, PMC_IOC_READ, &arg))
		return session_explain(session, errno);
	memcpy(counts, arg.counts, arg.nr_counts * sizeof(*counts));
	if (running)
		*running = arg.running;
	return arg.nr_counts;
}

int pmc_session_totals(pmc_session_t *session, int core_type, int set,
		       uint64_t *counts, uint64_t *running, uint64_t *nr_threads)
{
	struct pmc_totals arg = { .core_type = kernel_core_type(core_type), .set = set };

	if (ioctl(session->fd, PMC_IOC_TOTALS, &arg))
		return session_explain(session, errno);
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

	if (ioctl(session->fd, PMC_IOC_READ, &arg))
		return session_explain(session, errno);
	return copy_virtual(values, arg.counts, arg.nr_counts, arg.nr_virtual);
}

int pmc_session_totals_virtual(pmc_session_t *session, int core_type, int set, uint64_t *values)
{
	struct pmc_totals arg = { .core_type = kernel_core_type(core_type), .set = set };

	if (ioctl(session->fd, PMC_IOC_TOTALS, &arg))
		return session_explain(session, errno);
	return copy_virtual(values, arg.counts, arg.nr_counts, arg.nr_virtual);
}

int pmc_session_slots(pmc_session_t *session, int core_type, int set, unsigned char *slots)
{
	struct pmc_placement arg = { .core_type = core_type, .set = set };

	if (ioctl(session->fd, PMC_IOC_PLACEMENT, &arg))
		return session_explain(session, errno);
	memcpy(slots, arg.slot, arg.nr_counts);
	return arg.nr_counts;
}
