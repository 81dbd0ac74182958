/* SPDX-License-Identifier: GPL-2.0 */
/* The events of a core type that are to be tested, and the runs that count them. */
#ifndef PMCTRACK_ADDITIVITY_EVENTS_H
#define PMCTRACK_ADDITIVITY_EVENTS_H

#include "additivity/cover.h"
#include "pmctrack.h"

/**
 * struct events - events of a core type, and the run of each
 * @nr_runs: number of runs that count all of them
 * @nr_split: runs that had to be added to the fewest that counters allow, because the kernel does
 *	not count some events together
 * @nr_refused: number of @refused, the events that no counter, or no second register, of the core
 *	type takes
 */
struct events {
	const pmc_machine_t *machine;
	int core_type;
	int nr;
	char **names;
	struct cover_event *cover;
	int nr_runs;
	int nr_split;
	int nr_refused;
	char **refused;
};

/*
 * All events of a core type, or those of @list, with commas between; those that are encoded alike
 * are one. @modes is what is written behind each name: "", ":k" or ":u:k". The counters that can
 * take an event are asked of the kernel module. bad() if an event of @list is wrong.
 */
void events_find(struct events *events, const pmc_machine_t *machine, int core_type,
		 const char *list, const char *modes);

/* Keep the events with @keep[i] != 0; assign them to as few runs as possible. */
void events_keep(struct events *events, const char *keep);
void events_free(struct events *events);

/* Print on stderr the number of events and of runs. */
void events_print_runs(const struct events *events);

/*
 * The event set of a run, as text for free(), and the numbers of its events in @numbers, which
 * has room for PMC_MAX_COUNTS. Return: their number.
 */
int events_of_run(const struct events *events, int run, char **set, int *numbers);

#endif
