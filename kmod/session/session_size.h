/* SPDX-License-Identifier: GPL-2.0 */
/* Room for the counts of a session. */
#ifndef PMC_SESSION_SIZE_H
#define PMC_SESSION_SIZE_H

#include <linux/types.h>

struct pmc_session;

/**
 * struct pmc_session_size - the room that the counts of a session take
 * @nr_acc: length of a total: counts and a time for each set
 * @nr_periods: how many values of periods the rotations have
 * @nr_left: room for sampling periods in a thread: for each of those and each count of the
 *	longest set; 0 if there are none
 * @thread: bytes of a struct pmc_thread with its arrays
 *
 * The first two are set where sets and periods are linked.
 */
struct pmc_session_size {
	unsigned int nr_acc;
	unsigned int nr_periods;
	unsigned int nr_left;
	size_t thread;
};

int pmc_session_size(struct pmc_session *s);

#endif /* PMC_SESSION_SIZE_H */
