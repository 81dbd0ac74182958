// SPDX-License-Identifier: LGPL-2.1-or-later
/* An event by itself: without fields, and in the kernel's form. */
#include <stdio.h>
#include <string.h>

#include "event.h"

void event_init(struct event *ev)
{
	memset(ev, 0, sizeof(*ev));
	ev->slot = UNSET;
	ev->umask = UNSET;
	ev->cmask = UNSET;
	ev->edge = UNSET;
	ev->inv = UNSET;
	ev->any = UNSET;
	ev->user = UNSET;
	ev->kernel = UNSET;
}

int event_is_modified(const struct event *ev)
{
	return ev->ebs || ev->extra || ev->cmask != UNSET || ev->edge != UNSET ||
	       ev->inv != UNSET || ev->any != UNSET || ev->user != UNSET || ev->kernel != UNSET;
}

/* A field as an attribute of the event, or, in the raw form, as a word of its own. */
static size_t print_field(char *buf, size_t size, const struct event *ev,
			  const char *key, int value, int is_flag)
{
	if (value == UNSET)
		return 0;
	if (ev->place == EVENT_PINNED)
		return snprintf(buf, size, is_flag ? ",%s%d=%d" : ",%s%d=0x%02x",
				key, ev->slot, value);
	if (is_flag)
		return value ? snprintf(buf, size, ":%s", key) : 0;
	return snprintf(buf, size, ":%s=0x%02x", key, value);
}

int event_print(const struct event *ev, char *buf, size_t size)
{
	int pinned = ev->place == EVENT_PINNED;
	size_t n;

	if (ev->place == EVENT_SOFTWARE)
		return snprintf(buf, size, "sw=%s", ev->base);
	n = pinned ? snprintf(buf, size, "pmc%d", ev->slot) :
	    snprintf(buf, size, "%s", ev->place == EVENT_UNCORE ? ev->base : "ev");
	if (ev->has_code)
		n += snprintf(buf + n, size - n, "=0x%02llx", (unsigned long long)ev->code);
	n += print_field(buf + n, size - n, ev, "umask", ev->umask, 0);
	n += print_field(buf + n, size - n, ev, "cmask", ev->cmask, 0);
	n += print_field(buf + n, size - n, ev, "edge", ev->edge, 1);
	n += print_field(buf + n, size - n, ev, "inv", ev->inv, 1);
	n += print_field(buf + n, size - n, ev, "any", ev->any, 1);
	n += print_field(buf + n, size - n, ev, pinned ? "usr" : "u", ev->user, 1);
	n += print_field(buf + n, size - n, ev, pinned ? "os" : "k", ev->kernel, 1);
	if (ev->ebs && pinned)
		n += snprintf(buf + n, size - n, ",ebs%d=%llu", ev->slot,
			      (unsigned long long)ev->ebs);
	else if (ev->ebs)
		n += snprintf(buf + n, size - n, ":ebs=%llu", (unsigned long long)ev->ebs);
	if (ev->extra && pinned)
		n += snprintf(buf + n, size - n, ",extra%d=0x%llx", ev->slot,
			      (unsigned long long)ev->extra);
	else if (ev->extra)
		n += snprintf(buf + n, size - n, ":extra=0x%llx", (unsigned long long)ev->extra);
	return n;
}
