/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Resource monitoring IDs: which are in use, which are free, and which are in
 * limbo, because lines of their last owner may still be in the cache. RMID 0
 * is everybody else's and is never handed out.
 */
#ifndef PMC_CMT_RMID_H
#define PMC_CMT_RMID_H

#include <linux/types.h>

/**
 * enum rmid_policy - which of the free RMIDs the next process gets
 * @RMID_FIFO: the one that was freed first, so that others had the most time to
 *	push its lines out
 * @RMID_LIFO: the one that was freed last
 * @RMID_RANDOM: any
 */
enum rmid_policy {
	RMID_FIFO,
	RMID_LIFO,
	RMID_RANDOM,
};

struct rmid_link {
	u32 next, prev;
};

/**
 * struct rmid_pool - RMIDs without an owner
 * @nr: RMIDs there are, 0 included
 * @policy: what rmid_get() goes by; may be changed at any time
 * @nr_free: how many rmid_get() can hand out
 * @nr_limbo: how many are in limbo
 * @random: state of the random numbers; not 0
 * @link: two rings of RMIDs, oldest first, closed by an element of their own:
 *	@nr for the free ones, @nr + 1 for those in limbo
 */
struct rmid_pool {
	u32 nr;
	enum rmid_policy policy;
	u32 nr_free;
	u32 nr_limbo;
	u64 random;
	struct rmid_link link[];
};

size_t rmid_pool_size(u32 nr);
void rmid_pool_init(struct rmid_pool *pool, u32 nr, enum rmid_policy policy,
		    u64 seed);
u32 rmid_get(struct rmid_pool *pool);
void rmid_put(struct rmid_pool *pool, u32 rmid);
u32 rmid_limbo_next(const struct rmid_pool *pool, u32 rmid);
void rmid_release(struct rmid_pool *pool, u32 rmid);

#endif /* PMC_CMT_RMID_H */
