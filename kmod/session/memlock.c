// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of an unprivileged user's rings, event sets and threads, also of those that
 * sessions have at hand for forks, is limited. It cannot be swapped out, so it counts as
 * locked memory (RLIMIT_MEMLOCK), with that of io_uring and others.
 */
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include "session/access.h"
#include "session/memlock.h"
#include "session/session.h"

/* Return: 0, or the number of pages above the limit. */
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
 * pmc_memlock_charge_ring - charge the memory of a session's ring
 * @s: session that no ring is charged to
 * @slots: how many samples the ring has room for
 * @bytes: its size
 * @err: explains a refusal
 *
 * The user who opened the session is charged, up to the caller's limit.
 * Privileged sessions are not charged.
 *
 * Context: Process context.
 * Return: 0, or -EPERM explained in @err.
 */
int pmc_memlock_charge_ring(struct pmc_session *s, u32 slots, u64 bytes,
			    struct pmc_err *err)
{
	unsigned long pages = PAGE_ALIGN(bytes) >> PAGE_SHIFT, excess;

	if (pmc_is_privileged(s))
		return 0;
	excess = charge(s->owner.cred->user, caller_limit(), pages);
	if (excess)
		return pmc_err(err, -EPERM,
			       "ring: %u samples take %lu KiB of memory, %lu KiB more than this user may still lock (RLIMIT_MEMLOCK): ask for a smaller ring, close sessions, or raise 'ulimit -l'",
			       slots, KIB(pages), KIB(excess));
	s->ring_charged = pages;
	return 0;
}

/**
 * pmc_memlock_uncharge_ring - undo pmc_memlock_charge_ring()
 * @s: session whose ring is gone
 *
 * Context: Any.
 */
void pmc_memlock_uncharge_ring(struct pmc_session *s)
{
	atomic_long_sub(s->ring_charged, &s->owner.cred->user->locked_vm);
	s->ring_charged = 0;
}

static bool is_above(const struct pmc_session *s, unsigned long limit, long bytes)
{
	return s->charged &&
	       atomic_long_read(&s->owner.cred->user->locked_vm) + pmc_memlock_pages(bytes) > limit;
}

/**
 * pmc_memlock_check - may a session get more event sets or threads
 * @s: session
 * @bytes: their size
 * @what: what they are, for the message
 *
 * Context: Process context.
 * Return: 0, or -EPERM explained in the session's message.
 */
int pmc_memlock_check(struct pmc_session *s, long bytes, const char *what)
{
	if (!is_above(s, caller_limit(), bytes))
		return 0;
	return pmc_err(&s->err, -EPERM,
		       "%s: it takes %ld bytes of memory, and this user may lock no more (RLIMIT_MEMLOCK): use fewer event sets, close sessions, or raise 'ulimit -l'",
		       what, bytes);
}

/**
 * pmc_memlock_allows - may a session get one more thread by a fork
 * @s: session that follows new threads
 *
 * Context: Any.
 */
bool pmc_memlock_allows(const struct pmc_session *s)
{
	return !s->pool_limit || !is_above(s, s->pool_limit, s->thread_size);
}

/**
 * pmc_memlock_charge_pool - charge the memory of a session's threads at hand
 * @s: session that begins to count
 * @bytes: their size
 *
 * As pmc_memlock_charge_ring().
 *
 * Context: Process context.
 * Return: 0, or -EPERM explained in the session's message.
 */
int pmc_memlock_charge_pool(struct pmc_session *s, u64 bytes)
{
	unsigned long pages = PAGE_ALIGN(bytes) >> PAGE_SHIFT, excess;

	s->pool_limit = 0;
	if (s->owner.internal || pmc_is_privileged(s))
		return 0;
	s->pool_limit = caller_limit();
	excess = charge(s->owner.cred->user, s->pool_limit, pages);
	if (excess)
		return pmc_err(&s->err, -EPERM,
			       "to follow new threads takes %lu KiB of memory, %lu KiB more than this user may still lock (RLIMIT_MEMLOCK): close sessions, open one with a smaller ring or 'follow none', or raise 'ulimit -l'",
			       KIB(pages), KIB(excess));
	atomic_long_set(&s->pool_charged, pages);
	return 0;
}

/**
 * pmc_memlock_charge_pool_more - the same for some more of them
 * @s: session that counts
 * @bytes: their size
 * @spare: not needed at once: half of the limit stays for threads that are
 *
 * Context: Any but NMI.
 * Return: whether the limit allows it.
 */
bool pmc_memlock_charge_pool_more(struct pmc_session *s, u64 bytes, bool spare)
{
	unsigned long pages = PAGE_ALIGN(bytes) >> PAGE_SHIFT;

	if (!s->pool_limit)
		return true;
	if (charge(s->owner.cred->user, spare ? s->pool_limit / 2 : s->pool_limit, pages))
		return false;
	atomic_long_add(pages, &s->pool_charged);
	return true;
}

/**
 * pmc_memlock_uncharge_pool - undo all charges for threads at hand
 * @s: session whose threads at hand are freed
 *
 * Context: Any but NMI.
 */
void pmc_memlock_uncharge_pool(struct pmc_session *s)
{
	atomic_long_sub(atomic_long_xchg(&s->pool_charged, 0),
			&s->owner.cred->user->locked_vm);
}
