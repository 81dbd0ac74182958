/* SPDX-License-Identifier: GPL-2.0 */
/* The totals of a session. */
#ifndef PMC_TOTALS_H
#define PMC_TOTALS_H

#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/types.h>

struct pmc_session;
struct pmc_totals;

/**
 * struct pmc_session_totals - counts of the threads of a session that have ended
 * @counts: as the totals of struct pmc_thread; NULL: no thread was counted with the event sets
 * @total_threads: that were ever counted
 * @nr_ended: those of the threads that hooks began to end that are in @counts, or that
 *	others have ended
 * @retiring: hooks put the threads that they end into @retired
 * @retired: threads that have ended, with complete totals
 * @sum_nr: which sum of theirs is being taken
 */
struct pmc_session_totals {
	atomic64_t *counts;
	atomic64_t total_threads;
	atomic_t nr_ended;
	bool retiring;
	struct llist_head retired;
	u32 sum_nr;
};

int pmc_session_make_totals(struct pmc_session *s);
int pmc_session_totals(struct pmc_session *s, struct pmc_totals *totals);
void pmc_session_forget_totals(struct pmc_session *s);

#endif /* PMC_TOTALS_H */
