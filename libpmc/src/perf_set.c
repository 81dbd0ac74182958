// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Event sets as groups of perf_event_open(). The kernel counts the events of a group at the
 * same time, or none of them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "perf_set.h"

/* ev=CODE[:ATTRIBUTE]... and sw=NAME have the library's syntax behind the first =. */
static int parse_word(struct event_set *set, const char *word)
{
	struct event_set one;

	if (!strncmp(word, "l3=", 3))
		return pmc_fail(EOPNOTSUPP, "'%s': counters that CPUs share need the kernel module: load it (modprobe pmctrack)",
				word);
	if (strncmp(word, "ev=", 3) && strncmp(word, "sw=", 3))
		return pmc_fail(EINVAL, "'%s' is neither ev=CODE nor pmcN=CODE nor sw=NAME", word);
	if (set->nr_events == PMC_MAX_COUNTS)
		return pmc_fail(EINVAL, "more than %d events in one set; split it into several",
				PMC_MAX_COUNTS);
	if (parse_events(&one, word + 3, 0))
		return -1;
	if (one.nr_events != 1)
		return pmc_fail(EINVAL, "'%s' is no event", word);
	if (*word == 's') {
		one.events[0].place = EVENT_SOFTWARE;
	} else if (one.events[0].place != EVENT_ANYWHERE ||
		   parse_number(one.events[0].base, &one.events[0].code)) {
		return pmc_fail(EINVAL, "'%s': write ev=CODE with a number", word);
	}
	one.events[0].has_code = *word == 'e';
	set->events[set->nr_events++] = one.events[0];
	return 0;
}

static int parse_core_type(struct event_set *set, const char *text)
{
	uint64_t id;

	if (parse_number(text, &id) || id > 0xfffe)
		return pmc_fail(EINVAL, "coretype=%s: coretype= takes the number of a core type", text);
	set->core_type = id;
	return 0;
}

int perf_set_parse(struct event_set *set, char *text)
{
	char *word, *next = text;
	int rc = 0;

	set->core_type = PMC_EVERY_CORE_TYPE;
	set->nr_events = 0;
	while (rc >= 0 && (word = strsep(&next, ","))) {
		if (!strncmp(word, "coretype=", 9)) {
			rc = parse_core_type(set, word + 9);
			continue;
		}
		rc = parse_raw(set, word);
		if (!rc)
			rc = parse_word(set, word);
	}
	if (rc < 0)
		return -1;
	return set->nr_events ? 0 : pmc_fail(EINVAL, "the event set has no events");
}

static int is_software(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE;
}

/* The number of a software event's counter, on each core type */
static int software_slot(const struct core_type *ct, const char *name)
{
	int i;

	for (i = 0; i < ct->info.nr_counters; i++)
		if (ct->info.counters[i].kind == PMC_COUNTER_SOFTWARE &&
		    !strcmp(ct->info.counters[i].event, name))
			return ct->info.counters[i].first;
	return 0;
}

/* The kernel chooses the counters. Events get the numbers that the set leaves free. */
static void number_events(struct perf_set *out, const struct event_set *set,
			  const struct core_type *ct)
{
	uint64_t taken = 0;
	int i, slot = 0;

	for (i = 0; i < set->nr_events; i++)
		if (set->events[i].place == EVENT_PINNED)
			taken |= 1ULL << (set->events[i].slot & 63);
	for (i = 0; i < set->nr_events; i++) {
		const struct event *ev = &set->events[i];

		if (ev->place == EVENT_PINNED) {
			out->slots[i] = ev->slot;
			continue;
		}
		if (ev->place == EVENT_SOFTWARE) {
			out->slots[i] = software_slot(ct, ev->base);
			continue;
		}
		while (slot < 63 && taken >> slot & 1)
			slot++;
		taken |= 1ULL << slot;
		out->slots[i] = slot;
	}
}

static void add_attr(struct perf_set *out, const struct perf_event_attr *attr, const char *name)
{
	snprintf(out->names[out->nr_attrs], sizeof(out->names[0]), "%s", name);
	out->attrs[out->nr_attrs++] = *attr;
}

/* Hardware events come first: a group counts where its leader can. */
static void order_attrs(struct perf_set *out, const struct event_set *set,
			const struct perf_event_attr *attrs)
{
	int i, software;

	for (software = 0; software < 2; software++)
		for (i = 0; i < set->nr_events; i++) {
			if (is_software(&attrs[i]) != software)
				continue;
			out->at[i] = out->nr_attrs;
			add_attr(out, &attrs[i], set->events[i].name);
		}
}

static void make_clock(struct perf_set *out, const struct core_type *ct,
		       const struct perf_event_attr *attr, const char *name)
{
	memset(out, 0, sizeof(*out));
	out->core_type = ct->info.id;
	out->index = -1;
	out->has_clock = 1;
	add_attr(out, attr, name);
}

void perf_set_clock(struct perf_set *out, const struct core_type *ct, unsigned int type)
{
	struct perf_event_attr attr;

	perf_attr_cycles(&attr, ct, type);
	make_clock(out, ct, &attr, "cycles");
}

void perf_set_time(struct perf_set *out, const struct core_type *ct)
{
	struct perf_event_attr attr;

	perf_attr_time(&attr);
	make_clock(out, ct, &attr, "task_clock");
}

int perf_set_make(struct perf_set *out, const struct event_set *set, const struct core_type *ct,
		  unsigned int type, unsigned int filter, int limits_software)
{
	struct perf_event_attr attrs[PMC_MAX_COUNTS];
	int i, nr_hw = 0;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < set->nr_events; i++) {
		if (perf_attr_encode(&attrs[i], &set->events[i], ct, type, filter))
			return -1;
		nr_hw += !is_software(&attrs[i]);
	}
	if (!nr_hw && limits_software)
		perf_set_clock(out, ct, type);
	out->core_type = ct->info.id;
	out->index = 0;
	out->nr = set->nr_events;
	order_attrs(out, set, attrs);
	number_events(out, set, ct);
	return 0;
}
