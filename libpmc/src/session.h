/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A session, and who serves it. */
#ifndef LIBPMC_SESSION_H
#define LIBPMC_SESSION_H

#include "pmctrack.h"
#include "ring.h"

struct accuracy;
struct names;

/**
 * struct session_ops - who serves a session
 * @command: execute one line of the protocol, which it may write to
 * @start, @stop: count the calling thread, or end that
 * @read, @totals, @placement: fill the structure; its core type and set are what is wanted
 * @accuracy: see pmc_session_accuracy()
 * @unscaled: see pmc_session_unscaled(). NULL: totals are not scaled, and sets take turns
 * @fits: can the last set that was added be counted? As pmc_plan_fits(). NULL: @command refuses it
 * @lost: samples that found no room until now. NULL: the ring says it, or the records that were read
 * @losses: see pmc_session_losses(). NULL: likewise
 * @at_once: sets of a core type do not take turns; they are counted at the same time
 * @end: end all counting; not called in a child of fork()
 * @release: free @data; NULL if there is nothing to free
 *
 * Those that return int return 0, or -1 with the error line set.
 */
struct session_ops {
	int (*command)(pmc_session_t *session, char *line);
	int (*start)(pmc_session_t *session);
	int (*stop)(pmc_session_t *session);
	int (*read)(pmc_session_t *session, struct pmc_read *arg);
	int (*totals)(pmc_session_t *session, struct pmc_totals *arg);
	int (*placement)(pmc_session_t *session, struct pmc_placement *arg);
	int (*accuracy)(pmc_session_t *session, int core_type, int set, int event,
			struct accuracy *accuracy);
	int (*unscaled)(pmc_session_t *session, int core_type, struct pmc_set_counts *sets, int nr);
	int (*fits)(pmc_session_t *session);
	uint64_t (*lost)(const pmc_session_t *session);
	uint64_t (*losses)(const pmc_session_t *session);
	int at_once;
	void (*end)(pmc_session_t *session);
	void (*release)(pmc_session_t *session);
};

struct pmc_session {
	const struct session_ops *ops;
	void *data;		/* of @ops */
	int fd;
	unsigned long owner;	/* process that opened it, from forks_process() */
	int tried_ring;		/* the ring is mapped, cannot be, or need not */
	struct ring ring;
	char *buf;		/* records got by read(), where there is no ring */
	size_t buf_len;
	size_t buf_pos;
	__u64 lost_seen;	/* lost samples, according to the records read */
	__u64 losses_seen;	/* samples with counts that are too small, likewise */
	__u64 incomplete;	/* bit N: counters of core type N were taken away meanwhile */
	struct names *names;	/* readings have names; NULL: they have none */
};

/* A session of @ops that has @fd; NULL without memory. */
pmc_session_t *session_new(const struct session_ops *ops, int fd);

/* samples.c: take the memory that records are read into, unless it is there. 0, or -1 */
int session_take_buffer(pmc_session_t *session);

/* A session of the kernel module. NULL with an error line: it is not loaded, ... */
pmc_session_t *kernel_session_open(void);

extern const struct session_ops kernel_session_ops;

#endif
