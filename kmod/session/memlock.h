/* SPDX-License-Identifier: GPL-2.0 */
/* The memory of unprivileged users is limited. */
#ifndef PMC_MEMLOCK_H
#define PMC_MEMLOCK_H

#include <linux/cred.h>
#include <linux/sched/user.h>
#include "session/session.h"

int pmc_memlock_charge_ring(struct pmc_session *s, u32 slots, u64 bytes,
			    struct pmc_err *err);
void pmc_memlock_uncharge_ring(struct pmc_session *s);
int pmc_memlock_check(struct pmc_session *s, long bytes, const char *what);
bool pmc_memlock_allows(const struct pmc_session *s);
int pmc_memlock_charge_pool(struct pmc_session *s, u64 bytes);
bool pmc_memlock_charge_pool_more(struct pmc_session *s, u64 bytes, bool spare);
void pmc_memlock_uncharge_pool(struct pmc_session *s);

static inline long pmc_memlock_pages(long bytes)
{
	return DIV_ROUND_UP(bytes, (long)PAGE_SIZE);
}

/*
 * A session has got event sets or threads, or has them no more (below 0). The user who opened
 * an unprivileged session is charged. Limits are checked before: a thread that was at hand
 * when it was forked can't be refused. Any context but NMI.
 */
static inline void pmc_memlock_account(struct pmc_session *s, long bytes)
{
	long now;

	if (!s->charged)
		return;
	now = atomic_long_add_return(bytes, &s->bytes);
	atomic_long_add(pmc_memlock_pages(now) - pmc_memlock_pages(now - bytes),
			&s->owner.cred->user->locked_vm);
}

#endif /* PMC_MEMLOCK_H */
