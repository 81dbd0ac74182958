// SPDX-License-Identifier: LGPL-2.1-or-later
/* The attributes of events: the table, and what follows from it. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "event_attr.h"

#define FIELD(name) offsetof(struct event, name)

const struct event_attr event_attrs[] = {
	{ "umask", "umask", "umask", "umask", FIELD(umask), ATTR_MASK, 0xffff, 1, 8, 8 },
	{ "cmask", "cmask|c", "cmask", "cmask", FIELD(cmask), ATTR_MASK, 0xff, 1, 24, 8 },
	{ "edge", "edge|e", "edge", "edge", FIELD(edge), ATTR_FLAG, 1, 1, 18, 1 },
	{ "inv", "inv|i", "inv", "inv", FIELD(inv), ATTR_FLAG, 1, 1, 23, 1 },
	{ "any", "any", "any", "any", FIELD(any), ATTR_FLAG, 1, 1, 21, 1 },
	{ "u", "u|usr", "usr", "", FIELD(user), ATTR_FLAG, 1, 0, 0, 0 },
	{ "k", "k|os", "os", "", FIELD(kernel), ATTR_FLAG, 1, 0, 0, 0 },
	{ "ebs", "ebs", "ebs", "period", FIELD(ebs), ATTR_PERIOD, UINT64_MAX, 0, 0, 0 },
	{ "extra", "extra|offcore_rsp|frontend", "extra", "config1|offcore_rsp|frontend|ldlat",
	  FIELD(extra), ATTR_VALUE, UINT64_MAX, 1, 0, 0 },
};

const size_t nr_event_attrs = sizeof(event_attrs) / sizeof(event_attrs[0]);

#define for_each_attr(attr) \
	for (attr = event_attrs; attr < event_attrs + nr_event_attrs; attr++)

/* Is a word one of those of a list with | between them? */
static int is_in(const char *list, const char *word, size_t len)
{
	size_t n;

	for (; *list; list += n + !!list[n]) {
		n = strcspn(list, "|");
		if (n == len && !memcmp(list, word, len))
			return 1;
	}
	return 0;
}

const struct event_attr *attr_by_name(const char *word, size_t len)
{
	const struct event_attr *attr;

	for_each_attr(attr)
		if (is_in(attr->name, word, len))
			return attr;
	return NULL;
}

const struct event_attr *attr_by_spelling(const char *word, size_t len)
{
	const struct event_attr *attr;

	for_each_attr(attr)
		if (is_in(attr->spellings, word, len))
			return attr;
	return NULL;
}

const struct event_attr *attr_by_raw(const char *word, size_t len)
{
	const struct event_attr *attr;

	for_each_attr(attr)
		if (is_in(attr->raw, word, len))
			return attr;
	return NULL;
}

const struct event_attr *attr_by_perf(const char *word, size_t len)
{
	const struct event_attr *attr;

	for_each_attr(attr)
		if (is_in(attr->perf, word, len))
			return attr;
	return NULL;
}

void attr_print_perf(char *buf, size_t size)
{
	const struct event_attr *attr;
	const char *term;
	size_t n = 0, len;

	for_each_attr(attr)
		for (term = attr->perf; *term && n < size; term += len + !!term[len]) {
			len = strcspn(term, "|");
			n += snprintf(buf + n, size - n, "%s%.*s%s", n ? ", " : "", (int)len, term,
				      attr->kind == ATTR_FLAG ? "" : "=");
		}
}

void attr_print_table(char *buf, size_t size)
{
	const struct event_attr *attr;
	size_t n = 0;

	for_each_attr(attr)
		if (attr->selects && n < size)
			n += snprintf(buf + n, size - n, "[:%s%s]", attr->name,
				      attr->kind == ATTR_FLAG ? "" : "=X");
}

static int is_wide(const struct event_attr *attr)
{
	return attr->kind == ATTR_VALUE || attr->kind == ATTR_PERIOD;
}

static void *field_of(const struct event *ev, const struct event_attr *attr)
{
	return (char *)ev + attr->field;
}

int attr_is_set(const struct event *ev, const struct event_attr *attr)
{
	const void *field = field_of(ev, attr);

	return is_wide(attr) ? *(const uint64_t *)field != 0 : *(const int *)field != UNSET;
}

uint64_t attr_get(const struct event *ev, const struct event_attr *attr)
{
	const void *field = field_of(ev, attr);

	return is_wide(attr) ? *(const uint64_t *)field : (uint64_t)*(const int *)field;
}

void attr_set(struct event *ev, const struct event_attr *attr, uint64_t value)
{
	void *field = field_of(ev, attr);

	if (is_wide(attr))
		*(uint64_t *)field = value;
	else
		*(int *)field = value;
}

int attr_take(struct event *ev, const char *word)
{
	size_t len = strcspn(word, "=");
	const struct event_attr *attr = attr_by_name(word, len);
	uint64_t value = 1;

	if (!attr || !attr->selects)
		return -1;
	if (attr->kind != ATTR_FLAG &&
	    (!word[len] || parse_number(word + len + 1, &value) || value > attr->max))
		return -1;
	attr_set(ev, attr, value);
	return 0;
}

void event_init(struct event *ev)
{
	const struct event_attr *attr;

	memset(ev, 0, sizeof(*ev));
	ev->slot = UNSET;
	for_each_attr(attr)
		if (!is_wide(attr))
			attr_set(ev, attr, UNSET);
}

/* It is a part of the code of an event, as 0, too. */
static int is_umask(const struct event_attr *attr)
{
	return attr->field == FIELD(umask);
}

int event_is_modified(const struct event *ev)
{
	const struct event_attr *attr;

	for_each_attr(attr)
		if (!is_umask(attr) && attr_is_set(ev, attr))
			return 1;
	return 0;
}

int event_has_selector(const struct event *ev)
{
	const struct event_attr *attr;

	for_each_attr(attr)
		if (attr->selects && attr_is_set(ev, attr) && attr_get(ev, attr))
			return 1;
	return 0;
}

void event_take_attrs(struct event *ev, const struct event *from)
{
	const struct event_attr *attr;

	for_each_attr(attr)
		if (attr_is_set(from, attr) && !attr_is_set(ev, attr))
			attr_set(ev, attr, attr_get(from, attr));
}

void event_merge(struct event *ev, const struct event *from)
{
	ev->has_code = from->has_code;
	ev->code = from->code;
	event_take_attrs(ev, from);
}

static uint64_t bits_of(const struct event_attr *attr, uint64_t value)
{
	return value & ((1ULL << attr->width) - 1);
}

void event_take_register(struct event *ev, uint64_t reg)
{
	const struct event_attr *attr;
	uint64_t value;

	for_each_attr(attr) {
		value = bits_of(attr, reg >> attr->shift);
		if ((value || is_umask(attr)) && !attr_is_set(ev, attr))
			attr_set(ev, attr, value);
	}
}

uint64_t event_register(const struct event *ev)
{
	const struct event_attr *attr;
	uint64_t reg = 0;

	for_each_attr(attr)
		if (attr->width && attr_is_set(ev, attr))
			reg |= bits_of(attr, attr_get(ev, attr)) << attr->shift;
	return reg;
}
