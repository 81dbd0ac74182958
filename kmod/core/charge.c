// SPDX-License-Identifier: GPL-2.0
/*
 * What the rings of an ordinary user, and the threads that his sessions have at hand
 * for forks, may take. This memory cannot be swapped out, so it is part of what he may
 * lock, with that of io_uring and others.
 */
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include "session.h"

/* Return: 0, or how many pages too much that would be. */
static unsigned long charge(struct user_struct *user, unsigned long limit,
			    unsigned long pages)
{
	long now = atomic_long_read(&user->locked_vm);

	do {
		if (now + pages > limit)
			return now + pages - limit;
	} while (!atomic_long_try_cmpxchg(&user->locked_vm, &now, now + pages));
	return 0;
}

static unsigned long caller_limit(void)
{
	return rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
}

#define KIB(pages)	((pages) << (PAGE_SHIFT - 10))

/**
 * pmc_charge_ring - have the session's user pay for a ring
 * @s: session that has paid for none
 * @slots: how many samples the ring has room for
 * @bytes: what it takes
 *
 * The user is who opened the session, the limit that of the caller. Whoever
 * may count anybody pays nothing.
 *
 * Context: Process context.
 * Return: 0, or -EPERM explained in the session's message.
 */
int pmc_charge_ring(struct pmc_session *s, u32 slots, u64 bytes)
{
	unsigned long pages = PAGE_ALIGN(bytes) >> PAGE_SHIFT, excess;

	if (pmc_is_privileged(s))
		return 0;
	excess = charge(s->cred->user, caller_limit(), pages);
	if (excess)
		return pmc_err(&s->err, -EPERM,
			       "ring: %u samples take %lu KiB of memory, %lu KiB more than this user may still lock (RLIMIT_MEMLOCK): ask for a smaller ring, close sessions, or raise 'ulimit -l'",
			       slots, KIB(pages), KIB(excess));
	s->ring_charged = pages;
	return 0;
}

/**
 * pmc_uncharge_ring - give back what was paid for the session's ring
 * @s: session whose ring is gone
 *
 * Context: Any.
 */
void pmc_uncharge_ring(struct pmc_session *s)
{
	atomic_long_sub(s->ring_charged, &s->cred->user->locked_vm);
	s->ring_charged = 0;
}

/**
 * pmc_charge_pool - have the session's user pay for the threads it has at hand
 * @s: session that begins to count
 * @bytes: what they take
 *
 * As pmc_charge_ring().
 *
 * Context: Process context.
 * Return: 0, or -EPERM explained in the session's message.
 */
int pmc_charge_pool(struct pmc_session *s, u64 bytes)
{
	unsigned long pages = PAGE_ALIGN(bytes) >> PAGE_SHIFT, excess;

	s->pool_limit = 0;
	if (pmc_session_internal(s) || pmc_is_privileged(s))
		return 0;
	s->pool_limit = caller_limit();
	excess = charge(s->cred->user, s->pool_limit, pages);
	if (excess)
		return pmc_err(&s->err, -EPERM,
			       "to follow new threads takes %lu KiB of memory, %lu KiB more than this user may still lock (RLIMIT_MEMLOCK): close sessions, open one with a smaller ring or 'follow none', or raise 'ulimit -l'",
			       KIB(pages), KIB(excess));
	atomic_long_set(&s->pool_charged, pages);
	return 0;
}

/**
 * pmc_charge_pool_more - the same for some more of them
 * @s: session that counts
 * @bytes: what they take
 * @spare: it can do without: half of the limit stays for what cannot
 *
 * Context: Any but NMI.
 * Return: whether it has paid.
 */
bool pmc_charge_pool_more(struct pmc_session *s, u64 bytes, bool spare)
{
	unsigned long pages = PAGE_ALIGN(bytes) >> PAGE_SHIFT;

	if (!s->pool_limit)
		return true;
	if (charge(s->cred->user, spare ? s->pool_limit / 2 : s->pool_limit, pages))
		return false;
	atomic_long_add(pages, &s->pool_charged);
	return true;
}

/**
 * pmc_uncharge_pool - give back what was paid for threads at hand
 * @s: session that has none any more
 *
 * Context: Any but NMI.
 */
void pmc_uncharge_pool(struct pmc_session *s)
{
	atomic_long_sub(atomic_long_xchg(&s->pool_charged, 0),
			&s->cred->user->locked_vm);
}
