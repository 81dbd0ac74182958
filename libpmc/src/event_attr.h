/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The attributes of events, as umask= and edge: one table for all forms in which they are written.
 * A new attribute is a row of the table and a field of struct event.
 */
#ifndef LIBPMC_EVENT_ATTR_H
#define LIBPMC_EVENT_ATTR_H

#include "format_event.h"

enum attr_kind {
	ATTR_FLAG,	/* an int: 0 or 1 */
	ATTR_MASK,	/* an int */
	ATTR_VALUE,	/* a uint64_t, 0 if it was not given: the contents of a register */
	ATTR_PERIOD,	/* a uint64_t, 0 if it was not given: a number of events */
};

/**
 * struct event_attr - an attribute
 * @name: in the kernel's form, as in ev=0x3c:umask=0x00, and in tables of events
 * @spellings: in event sets, with | between them
 * @raw: before the number of a counter, as in umask3=0x41
 * @perf: terms of perf's form, with | between them; "": none
 * @field: offset in struct event
 * @max: the largest value
 * @selects: it says which event is counted, so tables of events have it; others say when
 * @shift: its lowest bit in the event select register of x86
 * @width: the number of its bits there, or 0
 */
struct event_attr {
	const char *name;
	const char *spellings;
	const char *raw;
	const char *perf;
	size_t field;
	enum attr_kind kind;
	uint64_t max;
	int selects;
	int shift;
	int width;
};

/* In the order of the kernel's form */
extern const struct event_attr event_attrs[];
extern const size_t nr_event_attrs;

/* The attribute that a word of @len bytes is; NULL: none */
const struct event_attr *attr_by_name(const char *word, size_t len);
const struct event_attr *attr_by_spelling(const char *word, size_t len);
const struct event_attr *attr_by_raw(const char *word, size_t len);
const struct event_attr *attr_by_perf(const char *word, size_t len);

/* All terms of perf's form: "umask=, cmask=, edge, ..." */
void attr_print_perf(char *buf, size_t size);

/* All that tables of events have: "[:umask=X][:cmask=X][:edge]..." */
void attr_print_table(char *buf, size_t size);

int attr_is_set(const struct event *ev, const struct event_attr *attr);
uint64_t attr_get(const struct event *ev, const struct event_attr *attr);
void attr_set(struct event *ev, const struct event_attr *attr, uint64_t value);

/* NAME or NAME=VALUE of a table of events. 0, or -1: there is no such attribute or value. */
int attr_take(struct event *ev, const char *word);

/* Has the event an attribute, which is not 0, that says which event is counted? */
int event_has_selector(const struct event *ev);

/*
 * Take over the attributes of @from. Those that the user wrote beside the name take precedence:
 * the event has them already.
 */
void event_take_attrs(struct event *ev, const struct event *from);

/* The same, and the code */
void event_merge(struct event *ev, const struct event *from);

/* The same with those of a value of x86's event select register, without the code */
void event_take_register(struct event *ev, uint64_t reg);

/* The attributes' bits of that register */
uint64_t event_register(const struct event *ev);

#endif
