/* SPDX-License-Identifier: GPL-2.0 */
/* The spellings of events that metrics are made of. */
#ifndef PMCTRACK_EVENT_NAMES_H
#define PMCTRACK_EVENT_NAMES_H

#define EVENT_INSTR "instr|instructions|instr_retired"
#define EVENT_CYCLES "cycles|cpu_cycles"

/*
 * Is @event, as the user wrote it, one of @spellings, which are in lower case and separated
 * by |? Case does not matter, nor do modifiers; - is the same as _.
 */
int event_is(const char *event, const char *spellings);

/* Have two events the same modifiers, so that they count in the same mode? */
int event_same_modifiers(const char *a, const char *b);

#endif
