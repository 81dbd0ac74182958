// SPDX-License-Identifier: GPL-2.0
/*
 * What an ordinary user's rings may take. Their memory cannot be swapped out,
 * so it is part of what he may lock, with that of io_uring and others.
 */
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include "session.h"

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
	atomic_long_t *locked = &s->cred->user->locked_vm;
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long pages = PAGE_ALIGN(bytes) >> PAGE_SHIFT;
	long now = atomic_long_read(locked);

	if (pmc_is_privileged(s))
		return 0;
	do {
		if (now + pages > limit)
			return pmc_err(&s->err, -EPERM,
				       "ring: %u samples take %lu KiB of memory, %lu KiB more than this user may still lock (RLIMIT_MEMLOCK): ask for a smaller ring, close sessions, or raise 'ulimit -l'",
				       slots, pages << (PAGE_SHIFT - 10),
				       (now + pages - limit) << (PAGE_SHIFT - 10));
	} while (!atomic_long_try_cmpxchg(locked, &now, now + pages));
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
