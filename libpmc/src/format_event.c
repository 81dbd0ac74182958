// SPDX-License-Identifier: LGPL-2.1-or-later
/* An event in the kernel's form. */
#include <stdio.h>
#include <string.h>

#include "event_attr.h"

static void print_value(char *buf, size_t size, const struct event_attr *attr, uint64_t value)
{
	unsigned long long n = value;

	if (attr->kind == ATTR_FLAG || attr->kind == ATTR_PERIOD)
		snprintf(buf, size, "%llu", n);
	else
		snprintf(buf, size, attr->kind == ATTR_MASK ? "0x%02llx" : "0x%llx", n);
}

/* An attribute of the event, or, in the raw form, a word of its own */
static size_t print_attr(char *buf, size_t size, const struct event *ev,
			 const struct event_attr *attr)
{
	uint64_t value = attr_get(ev, attr);
	char text[32];

	print_value(text, sizeof(text), attr, value);
	if (ev->place == EVENT_PINNED)
		return snprintf(buf, size, ",%s%d=%s", attr->raw, ev->slot, text);
	if (attr->kind == ATTR_FLAG)
		return value ? snprintf(buf, size, ":%s", attr->name) : 0;
	return snprintf(buf, size, ":%s=%s", attr->name, text);
}

int event_print(const struct event *ev, char *buf, size_t size)
{
	size_t n, i;

	if (ev->place == EVENT_SOFTWARE)
		return snprintf(buf, size, "sw=%s", ev->base);
	n = ev->place == EVENT_PINNED ? snprintf(buf, size, "pmc%d", ev->slot) :
	    snprintf(buf, size, "%s", ev->place == EVENT_UNCORE ? ev->base : "ev");
	if (ev->has_code)
		n += snprintf(buf + n, size - n, "=0x%02llx", (unsigned long long)ev->code);
	for (i = 0; i < nr_event_attrs; i++)
		if (attr_is_set(ev, &event_attrs[i]))
			n += print_attr(buf + n, size - n, ev, &event_attrs[i]);
	return n;
}
