// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parse the raw form of an event set: `pmc0,pmc3=0x2e,umask3=0x41,ebs3=100000`. The number
 * after a key is that of the counter.
 */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "event.h"

#define FIELD(name) ((int)offsetof(struct event, name))

/* The keys before the number, and the field of the event that each sets. */
static const struct key {
	const char *name;
	int field;
	int max;
} keys[] = {
	{ "umask", FIELD(umask), 0xff },
	{ "cmask", FIELD(cmask), 0xff },
	{ "edge", FIELD(edge), 1 },
	{ "inv", FIELD(inv), 1 },
	{ "any", FIELD(any), 1 },
	{ "usr", FIELD(user), 1 },
	{ "os", FIELD(kernel), 1 },
	{ "pmc", 0, 0 },
	{ "ebs", 0, 0 },
	{ "extra", 0, 0 },
};

/* Split `umask3=0x41`; NULL if @word has another form. */
static const struct key *split(const char *word, int *slot, const char **value)
{
	size_t i, len;
	char *end;
	long n;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		len = strlen(keys[i].name);
		if (strncmp(word, keys[i].name, len) || !isdigit(word[len]))
			continue;
		n = strtol(word + len, &end, 10);
		if (*end && *end != '=')
			return NULL;
		*slot = n > 255 ? 255 : n;
		*value = *end ? end + 1 : NULL;
		return &keys[i];
	}
	return NULL;
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

int parse_raw(struct event_set *set, const char *word)
{
	const struct key *key;
	const char *value;
	struct event *ev;
	uint64_t n;
	int slot;

	key = split(word, &slot, &value);
	if (!key)
		return 0;
	if (!strcmp(key->name, "pmc"))
		return add_pinned(set, word, slot, value);

	/* In a set without numbered counters, ebsN sets the period of the N-th event. */
	ev = pinned(set, slot);
	if (!ev && !strcmp(key->name, "ebs") && !uses_numbers(set) && slot < set->nr_events)
		ev = &set->events[slot];
	if (!ev)
		return pmc_fail(EINVAL, "'%s': there is no pmc%d before it in the set", word, slot);
	if (!value || parse_number(value, &n))
		return pmc_fail(EINVAL, "'%s' needs a number: %s%d=N", word, key->name, slot);
	if (!strcmp(key->name, "ebs")) {
		if (!n)
			return pmc_fail(EINVAL, "'%s': the period must not be zero", word);
		ev->ebs = n;
		return 1;
	}
	if (!strcmp(key->name, "extra")) {
		if (!n)
			return pmc_fail(EINVAL, "'%s': the register's value must not be zero", word);
		ev->extra = n;
		return 1;
	}
	if (n > (uint64_t)key->max)
		return pmc_fail(EINVAL, "'%s': the value must not be above %d", word, key->max);
	*(int *)((char *)ev + key->field) = n;
	return 1;
}
