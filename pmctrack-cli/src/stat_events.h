/* SPDX-License-Identifier: GPL-2.0 */
/* The events of pmctrack stat, arranged in event sets for each core type. */
#ifndef PMCTRACK_STAT_EVENTS_H
#define PMCTRACK_STAT_EVENTS_H

#include "pmctrack.h"

/**
 * struct stat_events - what to count
 * @groups: events, or groups of events that are counted at the same time, as "a,b"
 * @optional: groups that no core type can count are left out
 */
struct stat_events {
	int nr;
	char **groups;
	int optional;
};

/* Add a group, unless there is one of the same text. */
void stat_events_add_group(struct stat_events *events, const char *text, size_t len);
/* Add the events of -e: a,b,{c,d},cpu/event=0x1,umask=0x2/. bad() if braces do not match. */
void stat_events_add(struct stat_events *events, const char *text);
void stat_events_free(struct stat_events *events);

/*
 * Arrange the events of each core type in as few event sets as the kernel allows: those that
 * fit are counted together. A core type counts the events that it has. An event of the
 * kernel itself is in each set, so it is counted all the time.
 *
 * @own: for each core type, groups that only it counts, as for metrics: if such a group fits
 * in no set, its events are counted one by one. @filter: as pmctrack --filter. Return: a
 * configuration for pmc_config_free(); NULL with an error line if an event cannot be counted
 * anywhere, or a group of @events does not fit.
 */
pmc_config_t *stat_events_arrange(const struct stat_events *events, const struct stat_events *own,
				  const pmc_machine_t *machine, const char *filter);

#endif
