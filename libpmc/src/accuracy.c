// SPDX-License-Identifier: LGPL-2.1-or-later
/* How far the totals of a session can be relied on: sums, and sessions of the kernel module. */
#include <errno.h>

#include "accuracy.h"
#include "error.h"
#include "session.h"

/* How many event sets has the core type? -1 if it has no such event. */
static int count_sets(pmc_session_t *session, int core_type, int set, int event)
{
	struct pmc_placement arg = { .core_type = core_type, .set = set };

	if (session->ops->placement(session, &arg))
		return -1;
	if (event < 0 || event >= arg.nr_counts)
		return pmc_fail(EINVAL, "core type %d has no event %d in an event set %d",
				core_type, event, set);
	return arg.nr_sets;
}

/* A lost sample does not say on which core type a counter was taken away. */
static int may_have_lost_any(const pmc_session_t *session)
{
	return pmc_session_lost(session) && pmc_session_losses(session);
}

static int is_incomplete(const pmc_session_t *session, int core_type)
{
	return session->incomplete >> (core_type & 63) & 1 || may_have_lost_any(session) ||
	       pmc_session_missed_threads(session);
}

/* One of the sets is loaded whenever a counted thread runs on the core type. */
static int ask_core_type(pmc_session_t *session, int core_type, int set, int event,
			 struct accuracy *accuracy)
{
	int i, nr_sets = count_sets(session, core_type, set, event);
	uint64_t counts[PMC_MAX_COUNTS], running, own = 0;

	if (nr_sets < 0)
		return -1;
	accuracy->available = 0;
	for (i = 0; i < nr_sets; i++) {
		if (pmc_session_totals(session, core_type, i, counts, &running, NULL) < 0)
			return -1;
		accuracy->available += running;
		if (i == set)
			own = running;
	}
	if (!own && accuracy->available)
		accuracy->is = PMC_NOT_COUNTED;
	else if (own < accuracy->available || is_incomplete(session, core_type))
		accuracy->is = PMC_PARTIAL;
	else
		accuracy->is = PMC_EXACT;
	return 0;
}

enum pmc_accuracy accuracy_of_sum(enum pmc_accuracy a, enum pmc_accuracy b)
{
	if (a == b)
		return a;
	if (a == PMC_ESTIMATED || b == PMC_ESTIMATED)
		return PMC_ESTIMATED;
	return PMC_PARTIAL;
}

/* Core types that have no such set contribute nothing to the sum. */
static int ask_all(pmc_session_t *session, int set, int event, struct accuracy *sum)
{
	struct pmc_placement arg = { .set = set };
	struct accuracy one;
	int found = 0;

	sum->available = 0;
	for (; !session->ops->placement(session, &arg); arg.core_type++) {
		if (!arg.nr_counts)
			continue;
		if (ask_core_type(session, arg.core_type, set, event, &one))
			return -1;
		sum->is = found++ ? accuracy_of_sum(sum->is, one.is) : one.is;
		sum->available += one.available;
	}
	if (!found)
		return pmc_fail(EINVAL, "no core type has an event set %d", set);
	return 0;
}

int kernel_accuracy(pmc_session_t *session, int core_type, int set, int event,
		    struct accuracy *accuracy)
{
	if (core_type == PMC_EVERY_CORE_TYPE)
		return ask_all(session, set, event, accuracy);
	return ask_core_type(session, core_type, set, event, accuracy);
}
