// SPDX-License-Identifier: LGPL-2.1-or-later
/* How far the totals of a session can be relied on. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "error.h"
#include "session.h"

/* What is known of one total */
struct quality {
	enum pmc_accuracy accuracy;
	uint64_t available;
};

/* How many event sets has the core type? -1 if it has no such event. */
static int count_sets(pmc_session_t *session, int core_type, int set, int event)
{
	struct pmc_placement arg = { .core_type = core_type, .set = set };

	if (ioctl(session->fd, PMC_IOC_PLACEMENT, &arg))
		return session_explain(session, errno);
	if (event < 0 || event >= arg.nr_counts)
		return pmc_fail(EINVAL, "core type %d has no event %d in an event set %d",
				core_type, event, set);
	return arg.nr_sets;
}

static int is_incomplete(const pmc_session_t *session, int core_type)
{
	return session->incomplete >> (core_type & 63) & 1 || pmc_session_missed_threads(session);
}

/* One of the sets is loaded whenever a counted thread runs on the core type. */
static int ask_core_type(pmc_session_t *session, int core_type, int set, int event,
			 struct quality *quality)
{
	int i, nr_sets = count_sets(session, core_type, set, event);
	uint64_t counts[PMC_MAX_COUNTS], running, own = 0;

	if (nr_sets < 0)
		return -1;
	quality->available = 0;
	for (i = 0; i < nr_sets; i++) {
		if (pmc_session_totals(session, core_type, i, counts, &running, NULL) < 0)
			return -1;
		quality->available += running;
		if (i == set)
			own = running;
	}
	if (!own && quality->available)
		quality->accuracy = PMC_NOT_COUNTED;
	else if (own < quality->available || is_incomplete(session, core_type))
		quality->accuracy = PMC_PARTIAL;
	else
		quality->accuracy = PMC_EXACT;
	return 0;
}

/* The sum of two totals */
static enum pmc_accuracy combine(enum pmc_accuracy a, enum pmc_accuracy b)
{
	if (a == b)
		return a;
	if (a == PMC_ESTIMATED || b == PMC_ESTIMATED)
		return PMC_ESTIMATED;
	return PMC_PARTIAL;
}

/* Core types that have no such set contribute nothing to the sum. */
static int ask_all(pmc_session_t *session, int set, int event, struct quality *sum)
{
	struct pmc_placement arg = { .set = set };
	struct quality one;
	int found = 0;

	sum->available = 0;
	for (; !ioctl(session->fd, PMC_IOC_PLACEMENT, &arg); arg.core_type++) {
		if (!arg.nr_counts)
			continue;
		if (ask_core_type(session, arg.core_type, set, event, &one))
			return -1;
		sum->accuracy = found++ ? combine(sum->accuracy, one.accuracy) : one.accuracy;
		sum->available += one.available;
	}
	if (!found)
		return pmc_fail(EINVAL, "no core type has an event set %d", set);
	return 0;
}

int pmc_session_accuracy(pmc_session_t *session, int core_type, int set, int event,
			 uint64_t *available)
{
	struct quality quality;
	int rc;

	if (core_type == PMC_EVERY_CORE_TYPE)
		rc = ask_all(session, set, event, &quality);
	else
		rc = ask_core_type(session, core_type, set, event, &quality);
	if (rc)
		return -1;
	if (available)
		*available = quality.available;
	return quality.accuracy;
}
