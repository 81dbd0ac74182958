// SPDX-License-Identifier: LGPL-2.1-or-later
/* The stream of samples: from the mapped ring, or else by read(). */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "forks.h"
#include "record.h"
#include "sample_flags.h"
#include "session.h"
#include "struct_size.h"
#include "thread_comm.h"

#define READ_BUFFER 65536

static void convert(pmc_session_t *session, struct pmc_reading *reading,
		    const struct pmc_record *record)
{
	record_convert(reading, record);
	names_fill(session->names, reading, record);
}

static int next_mapped(pmc_session_t *session, struct pmc_reading *reading)
{
	const struct pmc_record *record = ring_peek(&session->ring);

	if (!record)
		return 0;
	convert(session, reading, record);
	ring_consume(&session->ring);
	return 1;
}

/* Is there a whole record in the buffer? A pipe may deliver a part of one. */
static int has_record(const pmc_session_t *session)
{
	size_t left = session->buf_len - session->buf_pos;
	const struct pmc_record *record = (const void *)(session->buf + session->buf_pos);

	return left >= sizeof(*record) && left >= record_size(record);
}

int session_take_buffer(pmc_session_t *session)
{
	if (!session->buf)
		session->buf = malloc(READ_BUFFER);
	return session->buf ? 0 : pmc_fail_nomem();
}

/* Return: 1 if there is a record in the buffer now, 0 if there is none, -1 on error. */
static int fill_buffer(pmc_session_t *session)
{
	ssize_t n;

	if (session_take_buffer(session))
		return -1;
	session->buf_len -= session->buf_pos;
	memmove(session->buf, session->buf + session->buf_pos, session->buf_len);
	session->buf_pos = 0;
	n = read(session->fd, session->buf + session->buf_len, READ_BUFFER - session->buf_len);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return pmc_fail(errno, "cannot read samples: %m");
	if (n > 0)
		session->buf_len += n;
	return has_record(session);
}

static int next_read(pmc_session_t *session, struct pmc_reading *reading)
{
	const struct pmc_record *record;
	int rc = session->buf && has_record(session) ? 1 : fill_buffer(session);

	if (rc <= 0)
		return rc;
	record = (const void *)(session->buf + session->buf_pos);
	convert(session, reading, record);
	session->buf_pos += record_size(record);
	return 1;
}

/* See pmc_session_accuracy() and pmc_session_losses(). */
static void note_incomplete(pmc_session_t *session, const struct pmc_reading *reading)
{
	if (!(reading->flags & losses_flags()))
		return;
	session->incomplete |= 1ULL << (reading->core_type & 63);
	session->losses_seen++;
}

int pmc_session_next_sized(pmc_session_t *session, struct pmc_reading *reading, size_t size)
{
	struct pmc_reading next;
	int rc;

	if (session->owner != forks_process())
		return pmc_fail(ECHILD, "a child of fork() does not get its parent's samples: open a session in it");
	rc = session->ring.info ? next_mapped(session, &next) : next_read(session, &next);
	if (rc <= 0)
		return rc;
	session->lost_seen += next.lost;
	note_incomplete(session, &next);
	copy_sized(reading, size, &next, sizeof(next));
	return rc;
}

int (pmc_session_next)(pmc_session_t *session, struct pmc_reading *reading)
{
	return pmc_session_next_sized(session, reading,
				      SIZE_UP_TO(struct pmc_reading, virtual_counts));
}

int pmc_session_wait(pmc_session_t *session, int timeout_ms)
{
	struct pollfd p = { .fd = session->fd, .events = POLLIN };
	int n;

	if (session->buf && has_record(session))
		return 1;
	n = poll(&p, 1, timeout_ms);
	if (n < 0)
		return errno == EINTR ? 0 : pmc_fail(errno, "cannot wait for samples: %m");
	if (n && p.revents & POLLIN)
		return 1;
	return n && p.revents & (POLLHUP | POLLERR) ? 2 : 0;
}

static const struct pmc_ring_info *ring_info(const pmc_session_t *session)
{
	return ring_is_ours(&session->ring) ? session->ring.info : NULL;
}

uint64_t pmc_session_lost(const pmc_session_t *session)
{
	const struct pmc_ring_info *info = ring_info(session);

	if (session->ops->lost)
		return session->ops->lost(session);
	return info ? __atomic_load_n(&info->lost, __ATOMIC_RELAXED) : session->lost_seen;
}

unsigned int pmc_session_missed_threads(const pmc_session_t *session)
{
	const struct pmc_ring_info *info = ring_info(session);

	return info ? __atomic_load_n(&info->threads_missed, __ATOMIC_RELAXED) : 0;
}

uint64_t pmc_session_losses(const pmc_session_t *session)
{
	const struct pmc_ring_info *info = ring_info(session);

	if (session->ops->losses)
		return session->ops->losses(session);
	return info ? __atomic_load_n(&info->losses, __ATOMIC_RELAXED) : session->losses_seen;
}

uint64_t pmc_session_throttled(const pmc_session_t *session)
{
	const struct pmc_ring_info *info = ring_info(session);

	return info ? __atomic_load_n(&info->throttled, __ATOMIC_RELAXED) : 0;
}
