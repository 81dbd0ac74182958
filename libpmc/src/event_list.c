// SPDX-License-Identifier: LGPL-2.1-or-later
/* List all events of a core type. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "event_files.h"
#include "format_event.h"
#include "pfm.h"
#include "tables/tables.h"

typedef int (*event_fn)(void *arg, const struct pmc_event_info *ev);

static void print_row(char *buf, size_t size, const struct table_event *t)
{
	struct event row;

	table_read(t, &row);
	event_print(&row, buf, size);
}

/* An event that is looked for by its encoding */
struct wanted {
	const char *raw;
	char name[EVENT_NAME];
};

/* Does the event count the same? A unit mask of 0 may be left out. */
static int is_wanted(const struct wanted *wanted, const char *raw)
{
	static const char zero[] = ":umask=0x00";
	const char *mask = strstr(wanted->raw, zero);
	size_t n = mask ? (size_t)(mask - wanted->raw) : strlen(wanted->raw);
	const char *rest = wanted->raw + n + (mask ? strlen(zero) : 0);

	if (strncmp(raw, wanted->raw, n))
		return 0;
	raw += n;
	if (!strncmp(raw, zero, strlen(zero)))
		raw += strlen(zero);
	return !strcmp(raw, rest);
}

static int note_wanted(void *arg, const struct pmc_event_info *ev)
{
	struct wanted *wanted = arg;

	if (!is_wanted(wanted, ev->raw) || (ev->desc && strstr(ev->desc, "deprecated")))
		return 0;
	snprintf(wanted->name, sizeof(wanted->name), "%s", ev->name);
	return 1;
}

/* The name of the event that a generic event is here, or "" */
static void name_by_encoding(struct wanted *wanted, const struct core_type *ct)
{
	size_t i;
	char raw[64];

	*wanted->name = '\0';
	if (event_files_each_event(ct, note_wanted, wanted) || !ct->table)
		return;
	for (i = 0; i < ct->table->nr_events && !*wanted->name; i++) {
		print_row(raw, sizeof(raw), &ct->table->events[i]);
		if (is_wanted(wanted, raw))
			snprintf(wanted->name, sizeof(wanted->name), "%s", ct->table->events[i].name);
	}
}

/* The files have the vendor's spelling, in which a dot is before the unit mask. */
static void name_as_vendor(struct wanted *wanted, const char *name, const struct core_type *ct)
{
	char *colon;

	snprintf(wanted->name, sizeof(wanted->name), "%s", name);
	while (event_files_know(ct, name) && (colon = strchr(wanted->name, ':')))
		*colon = '.';
}

/* The description of a generic event ends with the name of the event that the core type counts. */
static void describe_generic(char *buf, size_t size, const struct generic_event *generic,
			     const struct event *ev, const char *raw, const struct core_type *ct)
{
	struct wanted wanted = { .raw = raw };
	uint64_t code;

	if (ev->place == EVENT_ANYWHERE && parse_number(ev->base, &code))
		name_as_vendor(&wanted, ev->base, ct);
	else
		name_by_encoding(&wanted, ct);
	snprintf(buf, size, *wanted.name ? "%s (here %s)" : "%s", generic->desc, wanted.name);
}

static int each_generic(const pmc_machine_t *machine, const struct core_type *ct,
			 event_fn fn, void *arg)
{
	struct pmc_event_info info = { 0 };
	char raw[128], desc[256];
	struct event ev;
	size_t i;
	int rc = 0;

	for (i = 0; i < nr_generic_events && !rc && ct->info.nr_hw_counters; i++) {
		event_init(&ev);
		strcpy(ev.base, generic_events[i].name);
		strcpy(ev.name, generic_events[i].name);
		if (encode_generic(&ev, machine, ct) <= 0)
			continue;
		event_print(&ev, raw, sizeof(raw));
		describe_generic(desc, sizeof(desc), &generic_events[i], &ev, raw, ct);
		info.name = generic_events[i].name;
		info.desc = desc;
		info.raw = raw;
		rc = fn(arg, &info);
	}
	return rc;
}

static int each_software(event_fn fn, void *arg)
{
	struct pmc_event_info info = { 0 };
	char raw[64];
	size_t i;
	int rc = 0;

	for (i = 0; i < nr_software_names && !rc; i++) {
		snprintf(raw, sizeof(raw), "sw=%s", software_names[i].name);
		info.name = software_names[i].name;
		info.desc = software_names[i].desc;
		info.raw = raw;
		rc = fn(arg, &info);
	}
	return rc;
}

/* Names that the files have are listed with them. */
static int each_in_table(const struct core_type *ct, event_fn fn, void *arg)
{
	struct pmc_event_info info = { 0 };
	const struct table_event *t;
	char raw[64];
	size_t i;
	int rc = 0;

	for (i = 0; ct->table && i < ct->table->nr_events && !rc; i++) {
		t = &ct->table->events[i];
		if ((ct->family == FAMILY_ARM && !core_type_implements(ct, t->code)) ||
		    event_files_know(ct, t->name))
			continue;
		print_row(raw, sizeof(raw), t);
		info.name = t->name;
		info.desc = t->desc;
		info.raw = raw;
		rc = fn(arg, &info);
	}
	return rc;
}

/*
 * Events that libpfm4 lists for the model, without those that the files have, and those that
 * this core does not implement according to the kernel. They are encoded by the library's
 * own table of the model if it has them (see event_lookup.c).
 */
struct filter {
	const struct core_type *ct;
	event_fn fn;
	void *arg;
};

static int as_encoded(void *arg, const struct pmc_event_info *ev)
{
	struct filter *filter = arg;
	const struct event_table *table = filter->ct->table;
	const struct table_event *own = table_is_of_model(table) ? table_find(table, ev->name) : NULL;
	struct pmc_event_info info = *ev;
	unsigned int code;
	char raw[64];

	if (filter->ct->family == FAMILY_ARM && sscanf(ev->raw, "ev=%x", &code) == 1 &&
	    !core_type_implements(filter->ct, code))
		return 0;
	if (event_files_know(filter->ct, ev->name))
		return 0;
	if (own) {
		print_row(raw, sizeof(raw), own);
		info.raw = raw;
	}
	return filter->fn(filter->arg, &info);
}

int pmc_machine_each_event(const pmc_machine_t *machine, int core_type,
			   int (*fn)(void *arg, const struct pmc_event_info *ev), void *arg)
{
	const struct core_type *ct = machine_core_type(machine, core_type);
	struct filter filter = { ct, fn, arg };
	int rc;

	if (!ct)
		return pmc_fail(EINVAL, "no core type %d", core_type);
	rc = each_generic(machine, ct, fn, arg);
	if (!rc)
		rc = each_software(fn, arg);
	if (!rc)
		rc = event_files_each_event(ct, fn, arg);
	if (rc)
		return rc;
	if (pfm_pmu_of(ct) >= 0)
		return pfm_each_event(pfm_pmu_of(ct), as_encoded, &filter);
	return each_in_table(ct, fn, arg);
}
