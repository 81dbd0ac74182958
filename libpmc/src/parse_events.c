// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parse the text of an event set. Event names are encoded later, for each core type
 * (event_lookup.c).
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "event_attr.h"

/* The period of `EVENT:ebs` without a number, as in PMCTrack. */
#define DEFAULT_EBS_PERIOD 500000000

static int set_mask(struct event *ev, const struct event_attr *attr, const char *key,
		    const char *value)
{
	uint64_t n;

	if (!value || parse_number(value, &n) || n > attr->max)
		return pmc_fail(EINVAL, "event '%s': %s= takes a number from 0 to 0x%llx",
				ev->name, key, (unsigned long long)attr->max);
	attr_set(ev, attr, n);
	return 1;
}

static int set_flag(struct event *ev, const struct event_attr *attr, const char *key,
		    const char *value)
{
	if (value && strcmp(value, "0") && strcmp(value, "1"))
		return pmc_fail(EINVAL, "event '%s': %s= takes 0 or 1", ev->name, key);
	attr_set(ev, attr, !value || *value == '1');
	return 1;
}

/* The power of ten that k, M, G or e6 stands for; -1 if @text is none of these */
static int exponent(const char *text)
{
	static const char suffixes[] = "kMG";
	const char *suffix = *text ? strchr(suffixes, *text) : NULL;

	if (*text == 'e' && isdigit((unsigned char)text[1]) && !text[1 + strspn(text + 1, "0123456789")])
		return strlen(text) > 3 ? -1 : atoi(text + 1);
	return suffix && !text[1] ? 3 * (suffix - suffixes + 1) : -1;
}

/* A number of events: 10M, 250k or 1e6, or as parse_number() reads it. */
static int parse_count(const char *text, uint64_t *value)
{
	char digits[32] = "";
	size_t len = strspn(text, "0123456789");
	int power;

	if (!parse_number(text, value))
		return 0;
	if (!len || len >= sizeof(digits))
		return -1;
	memcpy(digits, text, len);
	power = exponent(text + len);
	if (power < 0 || parse_number(digits, value))
		return -1;
	for (; power; power--)
		if (__builtin_mul_overflow(*value, 10, value))
			return -1;
	return 0;
}

static int set_period(struct event *ev, const struct event_attr *attr, const char *key,
		      const char *value)
{
	uint64_t n = DEFAULT_EBS_PERIOD;

	if (value && parse_count(value, &n))
		return pmc_fail(EINVAL, "event '%s': '%s' is no number of events for %s=: write 1000000, 1e6 or 1M",
				ev->name, value, key);
	if (!n)
		return pmc_fail(EINVAL, "event '%s': the period in %s= must not be zero", ev->name,
				key);
	attr_set(ev, attr, n);
	return 1;
}

static int set_value(struct event *ev, const struct event_attr *attr, const char *key,
		     const char *value)
{
	uint64_t n;

	if (!value || parse_number(value, &n) || !n)
		return pmc_fail(EINVAL, "event '%s': %s= takes a number above 0, the value of the event's second register",
				ev->name, key);
	attr_set(ev, attr, n);
	return 1;
}

static int set_attr(struct event *ev, const struct event_attr *attr, const char *key,
		    const char *value)
{
	switch (attr->kind) {
	case ATTR_FLAG:
		return set_flag(ev, attr, key, value);
	case ATTR_MASK:
		return set_mask(ev, attr, key, value);
	case ATTR_VALUE:
		return set_value(ev, attr, key, value);
	case ATTR_PERIOD:
		return set_period(ev, attr, key, value);
	}
	return 0;
}

static int set_slot(struct event *ev, const char *value)
{
	uint64_t n;

	if (!value || parse_number(value, &n) || n > 63)
		return pmc_fail(EINVAL, "event '%s': pmc= takes the number of a counter", ev->name);
	ev->place = EVENT_PINNED;
	ev->slot = n;
	return 1;
}

/* Both modes in one word, as perf has them */
static int take_modes(struct event *ev, const char *word)
{
	if (strcmp(word, "uk") && strcmp(word, "ku"))
		return 0;
	ev->user = 1;
	ev->kernel = 1;
	return 1;
}

/*
 * A word after a colon. Returns 1 if it is a modifier, 0 if it is part of the name (a unit
 * mask), -1 on error.
 */
static int take_modifier(struct event *ev, char *word)
{
	const struct event_attr *attr = attr_by_spelling(word, strcspn(word, "="));
	char *value = strchr(word, '=');
	int rc = 0;

	if (value)
		*value++ = '\0';
	if (attr)
		rc = set_attr(ev, attr, word, value);
	else if (!strcmp(word, "pmc"))
		rc = set_slot(ev, value);
	else
		rc = take_modes(ev, word);
	if (value)
		value[-1] = '=';
	return rc;
}

/* `:u` alone and `:k=0` alone are user mode only, `:k` alone and `:u=0` alone kernel mode only. */
static int settle_modes(struct event *ev)
{
	if (ev->user != UNSET && ev->kernel == UNSET)
		ev->kernel = !ev->user;
	else if (ev->kernel != UNSET && ev->user == UNSET)
		ev->user = !ev->kernel;
	return ev->user || ev->kernel ? 0 :
	       pmc_fail(EINVAL, "event '%s': u=0 and k=0 leave no mode to count in", ev->name);
}

/* NAME[:UMASK...][:MODIFIER...] */
static int add_event(struct event_set *set, const char *word)
{
	char copy[EVENT_NAME], pmu[sizeof(((struct event *)0)->pmu)] = "", *part, *save;
	struct event *ev;
	size_t len;
	int i, rc;

	if (set->nr_events == PMC_MAX_COUNTS)
		return pmc_fail(EINVAL, "more than %d events in one set; split it into several",
				PMC_MAX_COUNTS);
	if (strlen(word) >= sizeof(copy))
		return pmc_fail(EINVAL, "the event '%.20s...' is too long", word);
	for (i = 0; i < set->nr_events; i++)
		if (!strcmp(set->events[i].name, word))
			return pmc_fail(EINVAL, "event '%s' is in the set twice", word);
	rc = parse_perf(word, copy, sizeof(copy), pmu, sizeof(pmu));
	if (rc < 0)
		return rc;
	if (!rc)
		strcpy(copy, word);
	ev = &set->events[set->nr_events++];
	event_init(ev);
	strcpy(ev->name, word);
	strcpy(ev->pmu, pmu);
	part = strtok_r(copy, ":", &save);
	if (!part || *copy == ':')
		return pmc_fail(EINVAL, "'%s' has no event before the colon", word);
	strcpy(ev->base, part);
	while ((part = strtok_r(NULL, ":", &save))) {
		rc = take_modifier(ev, part);
		if (rc < 0)
			return rc;
		len = strlen(ev->base);
		if (!rc)
			snprintf(ev->base + len, sizeof(ev->base) - len, ":%s", part);
	}
	return settle_modes(ev);
}

/* The number of a core type, or its name, which needs a machine to be looked up */
static int take_core_type(struct event_set *set, const char *word, const char *value)
{
	uint64_t n;

	if (!*value || strlen(value) >= sizeof(set->core_type_name))
		return pmc_fail(EINVAL, "'%s': coretype= takes the number or the name of a core type",
				word);
	if (parse_number(value, &n) || n > 0xfffe)
		strcpy(set->core_type_name, value);
	else
		set->core_type = n;
	return 0;
}

static int take_word(struct event_set *set, const char *word, unsigned int flags)
{
	int rc;

	if (!*word)
		return pmc_fail(EINVAL, "an event is missing beside a comma");
	if (!strncmp(word, "coretype=", 9)) {
		return take_core_type(set, word, word + 9);
	}
	rc = parse_raw(set, word);
	if (rc)
		return rc < 0 ? rc : 0;
	if (flags & PMC_CONFIG_RAW)
		return pmc_fail(EINVAL, "'%s' is not of the raw form (pmcN=CODE,umaskN=X,...)",
				word);
	return add_event(set, word);
}

/* The next word. A comma between the slashes of perf's form ends none. */
static char *next_word(char **next)
{
	char *word = *next, *p;
	int inside = 0;

	if (!word)
		return NULL;
	for (p = word; *p && (inside || *p != ','); p++)
		inside ^= *p == '/';
	*next = *p ? p + 1 : NULL;
	*p = '\0';
	return word;
}

int parse_events(struct event_set *set, const char *spec, unsigned int flags)
{
	char *copy = strdup(spec), *word, *next;
	int rc = 0;

	if (!copy)
		return pmc_fail_nomem();
	set->core_type = PMC_EVERY_CORE_TYPE;
	*set->core_type_name = '\0';
	set->nr_events = 0;
	if (!*spec)
		rc = pmc_fail(EINVAL, "the event set is empty");
	next = copy;
	while (!rc && (word = next_word(&next)))
		rc = take_word(set, word, flags);
	free(copy);
	if (!rc && !set->nr_events)
		rc = pmc_fail(EINVAL, "the event set '%s' has no events", spec);
	return rc;
}
