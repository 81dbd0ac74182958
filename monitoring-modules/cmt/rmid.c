// SPDX-License-Identifier: GPL-2.0
/*
 * Allocation of RMIDs: nothing but lists, so that it is tested on the host.
 * Calls of the same pool are not to run at the same time.
 */
#include "rmid.h"

static u32 free_ring(const struct rmid_pool *pool)
{
	return pool->nr;
}

static u32 limbo_ring(const struct rmid_pool *pool)
{
	return pool->nr + 1;
}

static void append(struct rmid_pool *pool, u32 ring, u32 rmid)
{
	struct rmid_link *link = pool->link;

	link[rmid].next = ring;
	link[rmid].prev = link[ring].prev;
	link[link[ring].prev].next = rmid;
	link[ring].prev = rmid;
}

static void unlink_rmid(struct rmid_pool *pool, u32 rmid)
{
	struct rmid_link *link = pool->link;

	link[link[rmid].prev].next = link[rmid].next;
	link[link[rmid].next].prev = link[rmid].prev;
}

/**
 * rmid_pool_size - bytes of a pool
 * @nr: RMIDs there are, 0 included
 */
size_t rmid_pool_size(u32 nr)
{
	return sizeof(struct rmid_pool) + (nr + 2) * sizeof(struct rmid_link);
}

/**
 * rmid_pool_init - all RMIDs but 0 are free
 * @pool: rmid_pool_size() bytes
 * @nr: RMIDs there are, 0 included
 * @policy: which are handed out first
 * @seed: what random numbers begin with
 */
void rmid_pool_init(struct rmid_pool *pool, u32 nr, enum rmid_policy policy,
		    u64 seed)
{
	u32 i;

	pool->nr = nr;
	pool->policy = policy;
	pool->nr_free = nr - 1;
	pool->nr_limbo = 0;
	pool->random = seed ? seed : 1;
	for (i = nr; i < nr + 2; i++)
		pool->link[i] = (struct rmid_link){ .next = i, .prev = i };
	for (i = 1; i < nr; i++)
		append(pool, free_ring(pool), i);
}

/* xorshift64* (Vigna 2016), of which the upper half is good. */
static u32 random_below(struct rmid_pool *pool, u32 limit)
{
	u64 x = pool->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	pool->random = x;
	return ((x * 0x2545f4914f6cdd1dULL >> 32) * limit) >> 32;
}

/**
 * rmid_get - take a free RMID
 * @pool: the pool
 *
 * Return: the RMID; 0 when none is free.
 */
u32 rmid_get(struct rmid_pool *pool)
{
	const struct rmid_link *ring = &pool->link[free_ring(pool)];
	u32 rmid, steps;

	if (!pool->nr_free)
		return 0;
	switch (pool->policy) {
	case RMID_LIFO:
		rmid = ring->prev;
		break;
	case RMID_RANDOM:
		rmid = ring->next;
		for (steps = random_below(pool, pool->nr_free); steps; steps--)
			rmid = pool->link[rmid].next;
		break;
	default:
		rmid = ring->next;
		break;
	}
	unlink_rmid(pool, rmid);
	pool->nr_free--;
	return rmid;
}

/**
 * rmid_put - an RMID has no owner any more: it goes to limbo
 * @pool: the pool
 * @rmid: from rmid_get()
 */
void rmid_put(struct rmid_pool *pool, u32 rmid)
{
	append(pool, limbo_ring(pool), rmid);
	pool->nr_limbo++;
}

/**
 * rmid_limbo_next - look through limbo, those that are there longest first
 * @pool: the pool
 * @rmid: the one before; 0 to begin
 *
 * Return: the next one; 0 after the last.
 */
u32 rmid_limbo_next(const struct rmid_pool *pool, u32 rmid)
{
	u32 next = pool->link[rmid ? rmid : limbo_ring(pool)].next;

	return next == limbo_ring(pool) ? 0 : next;
}

/**
 * rmid_release - an RMID in limbo is free again
 * @pool: the pool
 * @rmid: the RMID
 */
void rmid_release(struct rmid_pool *pool, u32 rmid)
{
	unlink_rmid(pool, rmid);
	pool->nr_limbo--;
	append(pool, free_ring(pool), rmid);
	pool->nr_free++;
}
