// SPDX-License-Identifier: LGPL-2.1-or-later
/* A thread's counts on each core type. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "thread_session.h"
#include "type_counts.h"

int type_counts_init(struct type_counts *counts, int nr_core_types)
{
	counts->others = calloc(nr_core_types, sizeof(*counts->others));
	if (!counts->others)
		return pmc_fail_nomem();
	counts->nr_core_types = nr_core_types;
	counts->others_at = -1;
	return 0;
}

/* Read the counts of all core types except the current one. */
static int read_others(pmc_caliper_t *caliper, struct type_counts *counts)
{
	int id;

	for (id = 0; id < counts->nr_core_types; id++) {
		memset(counts->others[id], 0, sizeof(counts->others[id]));
		if (id != counts->core_type &&
		    pmc_session_read(caliper->ts->session, id, 0, counts->others[id], NULL) < 0)
			return -1;
	}
	return 0;
}

int type_counts_read(pmc_caliper_t *caliper, struct type_counts *counts)
{
	uint32_t changes;

	do {
		changes = type_changes(caliper);
		counts->core_type =
			*(const volatile __u16 *)&caliper_page(caliper)->core_type;
		counts->nr = pmc_caliper_read(caliper, counts->sum);
		if (counts->nr < 0)
			return pmc_fail(errno, "the thread's counters cannot be read: %m");
		if (counts->others_at != changes && read_others(caliper, counts))
			return -1;
	} while (changes != type_changes(caliper));
	counts->others_at = changes;
	counts->changes = changes;
	return 0;
}

/* The counts of the current core type are the sum minus those of all others. */
void type_counts_get(const struct type_counts *counts, int core_type, int nr, uint64_t *to)
{
	int other, i;

	memcpy(to, core_type == counts->core_type ? counts->sum : counts->others[core_type],
	       nr * sizeof(*to));
	if (core_type != counts->core_type)
		return;
	for (other = 0; other < counts->nr_core_types; other++)
		for (i = 0; other != core_type && i < nr; i++)
			to[i] -= counts->others[other][i];
}
