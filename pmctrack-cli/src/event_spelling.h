/* SPDX-License-Identifier: GPL-2.0 */
/* Names of events: lists of them, spellings of those that metrics are made of, modifiers, sampling periods. */
#ifndef PMCTRACK_EVENT_SPELLING_H
#define PMCTRACK_EVENT_SPELLING_H

#include <stddef.h>

#define EVENT_INSTR "instr|instructions|instr_retired"
#define EVENT_CYCLES "cycles|cpu_cycles"

/* Length of the event at the start of @text: up to a comma that is not between slashes */
size_t event_length(const char *text);

/*
 * Is @event, as the user wrote it, one of @spellings, which are in lower case and separated
 * by |? Case does not matter, nor do modifiers; - is the same as _.
 */
int event_is(const char *event, const char *spellings);

/*
 * @event without its sampling period: instr of instr:ebs=1000, cpu/event=0xc0/ of
 * cpu/event=0xc0,period=1000/. For free(); NULL: no memory
 */
char *event_without_period(const char *event);

/* Have two events the same modifiers, so that they count in the same mode? */
int event_same_modifiers(const char *a, const char *b);

#endif
