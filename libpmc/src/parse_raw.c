// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parse the raw form of an event set: `pmc0,pmc3=0x2e,umask3=0x41,ebs3=100000`. The number
 * after a key is that of the counter.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "event_attr.h"

/**
 * struct raw - a word of the raw form
 * @attr: the attribute that it sets; NULL: it is pmcN
 * @slot: the number after the key
 * @value: what is behind =, or NULL
 */
struct raw {
	const char *word;
	const struct event_attr *attr;
	int slot;
	const char *value;
};

/* Has the word this form? */
static int split(struct raw *raw, const char *word)
{
	size_t len = strcspn(word, "0123456789");
	char *end;
	long n;

	raw->word = word;
	raw->attr = attr_by_raw(word, len);
	if (!word[len] || (!raw->attr && (len != 3 || memcmp(word, "pmc", len))))
		return 0;
	n = strtol(word + len, &end, 10);
	raw->slot = n > 255 ? 255 : n;
	raw->value = *end ? end + 1 : NULL;
	return !*end || *end == '=';
}

static struct event *pinned(struct event_set *set, int slot)
{
	int i;

	for (i = 0; i < set->nr_events; i++)
		if (set->events[i].place == EVENT_PINNED && set->events[i].slot == slot)
			return &set->events[i];
	return NULL;
}

static int uses_numbers(const struct event_set *set)
{
	int i;

	for (i = 0; i < set->nr_events; i++)
		if (set->events[i].place == EVENT_PINNED)
			return 1;
	return 0;
}

static int add_pinned(struct event_set *set, const char *word, int slot, const char *value)
{
	struct event *ev;

	if (pinned(set, slot))
		return pmc_fail(EINVAL, "'%s': counter pmc%d is in the set already", word, slot);
	if (set->nr_events == PMC_MAX_COUNTS)
		return pmc_fail(EINVAL, "more than %d events in one set; split it into several",
				PMC_MAX_COUNTS);
	ev = &set->events[set->nr_events];
	event_init(ev);
	if (value && parse_number(value, &ev->code))
		return pmc_fail(EINVAL, "'%s': '%s' is no event code; write pmc%d=0x.. (names go without pmc%d=, or as NAME:pmc=%d)",
				word, value, slot, slot, slot);
	ev->has_code = !!value;
	ev->place = EVENT_PINNED;
	ev->slot = slot;
	snprintf(ev->name, sizeof(ev->name), "%s", word);
	set->nr_events++;
	return 1;
}

/* In a set without numbered counters, ebsN sets the period of the N-th event. */
static struct event *event_of(struct event_set *set, const struct raw *raw)
{
	struct event *ev = pinned(set, raw->slot);

	if (!ev && raw->attr->kind == ATTR_PERIOD && !uses_numbers(set) &&
	    raw->slot < set->nr_events)
		ev = &set->events[raw->slot];
	return ev;
}

static int set_value(struct event *ev, const struct raw *raw)
{
	const struct event_attr *attr = raw->attr;
	uint64_t n;

	if (!raw->value || parse_number(raw->value, &n))
		return pmc_fail(EINVAL, "'%s' needs a number: %s%d=N", raw->word, attr->raw,
				raw->slot);
	if (n > attr->max)
		return pmc_fail(EINVAL, "'%s': the value must not be above %llu", raw->word,
				(unsigned long long)attr->max);
	attr_set(ev, attr, n);
	if (!attr_is_set(ev, attr))
		return pmc_fail(EINVAL, "'%s': the value must not be zero", raw->word);
	return 1;
}

int parse_raw(struct event_set *set, const char *word)
{
	struct event *ev;
	struct raw raw;

	if (!split(&raw, word))
		return 0;
	if (!raw.attr)
		return add_pinned(set, word, raw.slot, raw.value);
	ev = event_of(set, &raw);
	if (!ev)
		return pmc_fail(EINVAL, "'%s': there is no pmc%d before it in the set", word,
				raw.slot);
	return set_value(ev, &raw);
}
