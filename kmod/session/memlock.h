/* SPDX-License-Identifier: GPL-2.0 */
/* The memory that sessions are charged for: that of unprivileged users is limited. */
#ifndef PMC_MEMLOCK_H
#define PMC_MEMLOCK_H

#include <linux/atomic.h>
#include <linux/types.h>

struct mem_cgroup;
struct pmc_err;
struct pmc_session;

/**
 * struct pmc_charge - the memory that a client's session is charged for
 * @memcg: charged for threads made in advance: the opener's memory cgroup; NULL: none
 * @ring: pages of the ring that the owner's user is charged for
 * @pool_limit: how many pages that user might lock when the pool was made; 0: the pool is
 *	not charged
 * @pool: pages of the pool that the user is charged for
 * @limited: event sets and threads are charged to the user, too
 * @bytes: their size
 */
struct pmc_charge {
	struct mem_cgroup *memcg;
	unsigned long ring;
	unsigned long pool_limit;
	atomic_long_t pool;
	bool limited;
	atomic_long_t bytes;
};

void pmc_memlock_init(struct pmc_session *s);
void pmc_memlock_free(struct pmc_session *s);
int pmc_memlock_charge_ring(struct pmc_session *s, u32 slots, u64 bytes,
			    struct pmc_err *err);
void pmc_memlock_uncharge_ring(struct pmc_session *s);
int pmc_memlock_check(struct pmc_session *s, long bytes, const char *what);
void pmc_memlock_account(struct pmc_session *s, long bytes);
bool pmc_memlock_allows(const struct pmc_session *s);
int pmc_memlock_charge_pool(struct pmc_session *s, u64 bytes);
bool pmc_memlock_charge_pool_more(struct pmc_session *s, u64 bytes);
void pmc_memlock_uncharge_pool(struct pmc_session *s);

#endif /* PMC_MEMLOCK_H */
