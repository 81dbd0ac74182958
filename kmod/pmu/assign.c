// SPDX-License-Identifier: GPL-2.0
/*
 * Placing events on counters is a matching in a bipartite graph: events on one
 * side, counters on the other, an edge where a counter can count an event.
 * Each event is placed by an augmenting path (Kuhn): events placed before may
 * have to move to another counter of theirs to make room, none loses its
 * place. The paths are searched breadth first, without recursion: the kernel's
 * stack is small.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "pmu/assign.h"
#include "uapi/pmctrack.h"

#define NOWHERE		0xff

/**
 * struct matching - which event is on which counter
 * @candidates: for each event, the counters it may use
 * @taken: counters that have an event
 * @owner: event of each counter that is taken
 * @slot: counter of each event, or NOWHERE
 */
struct matching {
	const u64 *candidates;
	u64 taken;
	u8 owner[PMC_MAX_SLOTS];
	u8 slot[PMC_MAX_COUNTS];
};

static void matching_init(struct matching *m, const u64 *candidates)
{
	m->candidates = candidates;
	m->taken = 0;
	memset(m->slot, NOWHERE, sizeof(m->slot));
}

/* The path ends at a free counter: everyone on it moves up by one. */
static void shift(struct matching *m, const u8 *reached_by, u8 slot)
{
	m->taken |= BIT_ULL(slot);

	while (slot != NOWHERE) {
		u8 event = reached_by[slot];
		u8 before = m->slot[event];

		m->slot[event] = slot;
		m->owner[slot] = event;
		slot = before;
	}
}

/* Place one more event, on counters of @allowed only. */
static bool place(struct matching *m, u8 event, u64 allowed)
{
	u8 queue[PMC_MAX_COUNTS], reached_by[PMC_MAX_SLOTS];
	unsigned int head = 0, tail = 0;
	u64 seen = 0;

	queue[tail++] = event;
	while (head < tail) {
		u8 from = queue[head++];
		u64 new = m->candidates[from] & allowed & ~seen;
		u64 room = new & ~m->taken;

		if (room) {
			u8 slot = __ffs64(room);

			reached_by[slot] = from;
			shift(m, reached_by, slot);
			return true;
		}

		/* All are taken: see if one of their events can move. */
		seen |= new;
		for (; new; new &= new - 1) {
			u8 slot = __ffs64(new);

			reached_by[slot] = from;
			queue[tail++] = m->owner[slot];
		}
	}

	return false;
}

/**
 * pmc_assign() - place events on counters
 * @candidates: for each event, a mask of the counters that can count it
 * @nr: how many events, at most PMC_MAX_COUNTS
 * @avoid: mask of counters to use only where it cannot be helped
 * @slot: out: the counter of each event; untouched on error
 * @culprit: out: on -ENOSPC, the first event that finds no place together
 *	with those before it
 *
 * A placement is found whenever there is one. No other one uses fewer of the
 * counters in @avoid. An event that is free to choose when its turn comes gets
 * its lowest counter; the same question has the same answer always.
 *
 * Context: any; takes some 250 bytes of stack.
 * Return: 0, -ENOSPC when there are not enough counters, -EINVAL when there
 * are too many events.
 */
int pmc_assign(const u64 *candidates, unsigned int nr, u64 avoid, u8 *slot,
	       unsigned int *culprit)
{
	struct matching m;
	unsigned int i;

	if (nr > PMC_MAX_COUNTS)
		return -EINVAL;

	/*
	 * Can it be done at all? In the order of the events, so that the one
	 * that fails is the one to complain of.
	 */
	matching_init(&m, candidates);
	for (i = 0; i < nr; i++) {
		if (!place(&m, i, U64_MAX)) {
			*culprit = i;
			return -ENOSPC;
		}
	}

	/*
	 * Fill the counters that are not to be avoided first. A path leaves
	 * every counter taken that was taken, so the second round adds to
	 * @avoid's share only what the largest matching without it leaves out.
	 */
	matching_init(&m, candidates);
	for (i = 0; i < nr; i++)
		place(&m, i, ~avoid);
	for (i = 0; i < nr; i++) {
		if (m.slot[i] == NOWHERE)
			place(&m, i, U64_MAX);
	}
	memcpy(slot, m.slot, nr);

	return 0;
}
