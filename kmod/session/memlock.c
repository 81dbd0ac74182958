// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of an unprivileged user's rings, event sets and threads, also of those that
 * sessions have at hand for forks, is limited. It cannot be swapped out, so it counts as
 * locked memory (RLIMIT_MEMLOCK), with that of io_uring and others.
 */
#include <linux/cred.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include "base/err.h"
#include "session/access.h"
#include "session/memlock.h"
#include "session/session.h"

/**
 * pmc_memlock_init - charge a client's session from now on
 * @s: session that the calling process opens
 *
 * Context: Process context.
 */
void pmc_memlock_init(struct pmc_session *s)
{
	s->charge.memcg = get_mem_cgroup_from_mm(current->mm);
	s->charge.limited = !s->owner.privileged;
}

/**
 * pmc_memlock_free - undo pmc_memlock_init()
 * @s: session that is charged for nothing any more, or never was charged
 *
 * Context: May sleep.
 */
void pmc_memlock_free(struct pmc_session *s)
{
	mem_cgroup_put(s->charge.memcg);
}

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
	s->charge.ring = pages;
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
	atomic_long_sub(s->charge.ring, &s->owner.cred->user->locked_vm);
	s->charge.ring = 0;
}

static long pages_of(long bytes)
{
	return DIV_ROUND_UP(bytes, (long)PAGE_SIZE);
}

static bool is_above(const struct pmc_session *s, unsigned long limit, long bytes)
{
	return s->charge.limited &&
	       atomic_long_read(&s->owner.cred->user->locked_vm) + pages_of(bytes) > limit;
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
 * pmc_memlock_account - a session has got event sets or threads, or has them no more
 * @s: session
 * @bytes: their size; below 0: it has them no more
 *
 * The user who opened an unprivileged session is charged. Limits are checked before: a thread
 * that was at hand when it was forked can't be refused.
 *
 * Context: Any but NMI.
 */
void pmc_memlock_account(struct pmc_session *s, long bytes)
{
	long now;

	if (!s->charge.limited)
		return;
	now = atomic_long_add_return(bytes, &s->charge.bytes);
	atomic_long_add(pages_of(now) - pages_of(now - bytes),
			&s->owner.cred->user->locked_vm);
}

/**
 * pmc_memlock_allows - may a session get one more thread by a fork
 * @s: session that follows new threads
 *
 * Context: Any.
 */
bool pmc_memlock_allows(const struct pmc_session *s)
{
	unsigned long limit = s->charge.pool_limit;

	return !limit || !is_above(s, limit, s->size.thread);
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

	s->charge.pool_limit = 0;
	if (s->owner.internal || pmc_is_privileged(s))
		return 0;
	s->charge.pool_limit = caller_limit();
	excess = charge(s->owner.cred->user, s->charge.pool_limit, pages);
	if (excess)
		return pmc_err(&s->err, -EPERM,
			       "to follow new threads takes %lu KiB of memory, %lu KiB more than this user may still lock (RLIMIT_MEMLOCK): close sessions, open one with a smaller ring or 'follow none', or raise 'ulimit -l'",
			       KIB(pages), KIB(excess));
	atomic_long_set(&s->charge.pool, pages);
	return 0;
}

/**
 * pmc_memlock_charge_pool_more - the same for some more of them
 * @s: session that counts
 * @bytes: their size
 *
 * Half of the limit stays for threads that are counted: each CPU may have more at hand.
 *
 * Context: Any but NMI.
 * Return: whether the limit allows it.
 */
bool pmc_memlock_charge_pool_more(struct pmc_session *s, u64 bytes)
{
	unsigned long pages = PAGE_ALIGN(bytes) >> PAGE_SHIFT, limit = s->charge.pool_limit;

	if (!limit)
		return true;
	if (charge(s->owner.cred->user, limit / 2, pages))
		return false;
	atomic_long_add(pages, &s->charge.pool);
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
	atomic_long_sub(atomic_long_xchg(&s->charge.pool, 0),
			&s->owner.cred->user->locked_vm);
}
