/* SPDX-License-Identifier: GPL-2.0 */
/* The events of pmctrack stat -e. */
#ifndef PMCTRACK_STAT_EVENTS_H
#define PMCTRACK_STAT_EVENTS_H

#include "report_layout.h"

/* An event, or events in braces, which are counted at the same time */
struct stat_group {
	char *text;
	int together;
	enum { STAT_COUNTED, STAT_MISSING, STAT_FORBIDDEN } state;
};

/**
 * struct stat_events - what to count
 * @groups: each once
 * @optional: those that no core type can count are left out (STAT_MISSING)
 * @user_mode: so are those that happen in kernel mode only (STAT_FORBIDDEN)
 */
struct stat_events {
	int nr;
	struct stat_group *groups;
	int optional;
	int user_mode;
};

/* Add the events of -e: a,b,{c,d},cpu/event=0x1,umask=0x2/. bad() if braces do not match. */
void stat_events_add(struct stat_events *events, const char *text);
void stat_events_free(struct stat_events *events);

/*
 * Which event of the layout is @event on each core type? The plan has an event once, however many
 * spellings of it were typed. @columns: out: -1 for none
 */
void stat_events_columns(const pmc_machine_t *machine, const struct layout *layout,
			 const char *event, int *columns);

/* Those in a state, as "cycles, branches"; NULL: none. For free() */
char *stat_events_in_state(const struct stat_events *events, int state);

/* Add them to a plan. Return: -1 with an error line if no core type can count one of them. */
int stat_events_plan(struct stat_events *events, pmc_plan_t *plan);

#endif
