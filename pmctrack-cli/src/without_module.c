// SPDX-License-Identifier: GPL-2.0
/* What users are told where perf_event_open() counts, because the kernel module is not loaded. */
#include <stdio.h>

#include "without_module.h"

void announce_perf(void)
{
	static int announced;

	if (!announced++)
		fprintf(stderr, "pmctrack: the kernel module is not loaded, so perf_event_open() counts: samples are of whole processes, and too many events make estimates; the module (modprobe pmctrack) adds exact counts of threads, ebs= and -V\n");
}

/* The first event of a set that needs a counter, or -1 */
static int first_hardware(const struct layout *layout, const struct layout_set *set)
{
	int i;

	for (i = 0; i < set->nr; i++)
		if (!layout_is_software(layout, set->columns[i]))
			return i;
	return -1;
}

/* With too many events the kernel gives each set the counters for a part of the time. */
static void announce_set(const struct layout *layout, int id, int set, int accuracy)
{
	fprintf(stderr, "pmctrack: the kernel had no counters for set %d of core type %d (%s) %s: %s\n",
		set, id, layout_core_type_name(layout, id),
		accuracy == PMC_NOT_COUNTED ? "at any time" : "all the time",
		accuracy == PMC_ESTIMATED ? "its totals are estimates" : "its totals are too small");
}

/* Has the set the event, and counted it in user mode only? */
static int counts_user_mode(const struct layout *layout, pmc_session_t *session, int id, int n,
			    int name)
{
	const struct layout_set *set = layout_set(layout, id, n);
	int i, first = first_hardware(layout, set);

	/* A set that was counted for a part of the time is announced as such. */
	if (first >= 0 && pmc_session_accuracy(session, id, n, first, NULL) > PMC_EXACT)
		return 0;
	for (i = 0; i < set->nr; i++)
		if (set->columns[i] == name)
			return pmc_session_accuracy(session, id, n, i, NULL) == PMC_PARTIAL;
	return 0;
}

/* Events of the kernel itself need no counter, but page faults in kernel mode need rights. */
static void announce_user_mode(const struct layout *layout, pmc_session_t *session, int name)
{
	int id, n;

	for (id = 0; id < layout->nr_core_types; id++)
		for (n = 0; layout_set(layout, id, n); n++) {
			if (!counts_user_mode(layout, session, id, n, name))
				continue;
			fprintf(stderr, "pmctrack: %s counts user mode only, as kernel mode needs CAP_PERFMON, or kernel.perf_event_paranoid below 2: its total is too small\n",
				layout->names[name]);
			return;
		}
}

void announce_inexact(const struct layout *layout, pmc_session_t *session)
{
	const struct layout_set *set;
	int id, n, name, first, accuracy;

	for (id = 0; id < layout->nr_core_types; id++)
		for (n = 0; (set = layout_set(layout, id, n)); n++) {
			first = first_hardware(layout, set);
			accuracy = first < 0 ? PMC_EXACT : pmc_session_accuracy(session, id, n, first, NULL);
			if (accuracy > PMC_EXACT)
				announce_set(layout, id, n, accuracy);
		}
	for (name = 0; name < layout->nr_names; name++)
		if (layout_is_software(layout, name))
			announce_user_mode(layout, session, name);
}
