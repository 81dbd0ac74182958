/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A session: an open file of /proc/pmc/monitor. */
#ifndef LIBPMC_SESSION_H
#define LIBPMC_SESSION_H

#include "pmctrack.h"
#include "ring.h"

struct pmc_session {
	int fd;
	unsigned long owner;	/* process that opened it, from forks_process() */
	int tried_ring;		/* the ring is mapped, cannot be, or need not */
	struct ring ring;
	char *buf;		/* records got by read(), where there is no ring */
	size_t buf_len;
	size_t buf_pos;
	__u64 lost_seen;	/* lost samples, according to the records read */
	__u64 incomplete;	/* bit N: counters of core type N were taken away meanwhile */
};

/* After a call on the session failed, make the kernel module's message the error line. */
int session_explain(pmc_session_t *session, int err);

#endif
