// SPDX-License-Identifier: LGPL-2.1-or-later
/* What event sets have counted, for callers that scale the differences of two readings. */
#include "session.h"

/* The kernel module scales no totals. One of the sets is loaded whenever a thread runs. */
static int read_turns(pmc_session_t *session, int core_type, struct pmc_set_counts *sets, int nr)
{
	uint64_t available = 0;
	int i;

	for (i = 0; i < nr; i++) {
		sets[i].core_type = core_type;
		sets[i].set = i;
		sets[i].nr_counts = pmc_session_totals(session, core_type, i, sets[i].counts,
						       &sets[i].running, NULL);
		if (sets[i].nr_counts < 0)
			return -1;
		available += sets[i].running;
	}
	for (i = 0; i < nr; i++)
		sets[i].available = available;
	return 0;
}

int pmc_session_unscaled(pmc_session_t *session, int core_type, struct pmc_set_counts *sets, int nr)
{
	if (session->ops->unscaled)
		return session->ops->unscaled(session, core_type, sets, nr);
	return read_turns(session, core_type, sets, nr);
}
