// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Encode event names for a core type. A name is looked up, in this order, as a software
 * event, a counter that CPUs share, a number, a generic event, perf's rCODE, in the tables
 * in files, in the library's table of the model, among libpfm4's events of the core type's PMU, and in
 * the library's table of the architecture. Files come before all others that have events of
 * the model: they are the vendor's own lists, and newer, or what the user wants.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "event_attr.h"
#include "event_files.h"
#include "pfm.h"
#include "tables/tables.h"

/* This and the next functions return 1: encoded, 0: no such name here, -1: error. */
static int from_number(struct event *ev)
{
	if (parse_number(ev->base, &ev->code))
		return 0;
	ev->has_code = 1;
	return 1;
}

static int from_table(struct event *ev, const struct core_type *ct)
{
	const struct table_event *t = table_find(ct->table, ev->base);
	struct event row;

	if (!t)
		return 0;
	table_read(t, &row);
	event_merge(ev, &row);
	return 1;
}

static int from_tables(struct event *ev, const struct core_type *ct)
{
	int rc = event_files_encode(ev, ct);

	if (!rc && table_is_of_model(ct->table))
		rc = from_table(ev, ct);
	if (!rc)
		rc = pfm_encode(ev, pfm_pmu_of(ct));
	return rc ? rc : from_table(ev, ct);
}

/* Take the attributes, which a candidate may have after colons, out of its name. */
static void take_attrs(struct event *ev)
{
	struct event attrs;
	char *colon;

	event_init(&attrs);
	while ((colon = strrchr(ev->base, ':')) && !attr_take(&attrs, colon + 1))
		*colon = '\0';
	event_take_attrs(ev, &attrs);
}

/* A candidate for a generic event is CODE, l3=CODE or a name, with or without attributes. */
static int from_candidate(struct event *ev, const pmc_machine_t *machine,
			  const struct core_type *ct)
{
	int rc;

	take_attrs(ev);
	if (from_number(ev))
		return ct->family != FAMILY_ARM || core_type_implements(ct, ev->code);
	rc = uncore_encode(ev, machine);
	return rc ? rc : from_tables(ev, ct) > 0;
}

/*
 * Take the first candidate that the core type has. On Arm the list of implemented events
 * may be unknown; then the last candidate is taken, which every core implements.
 */
int encode_generic(struct event *ev, const pmc_machine_t *machine,
		     const struct core_type *ct)
{
	const struct generic_event *p = generic_find(ev->base);
	const char *meaning = p ? generic_meaning(p, ct) : NULL;
	struct event try;
	size_t len;
	int rc;

	if (p && ev->umask != UNSET)
		return pmc_fail(EINVAL, "'%s' means the same on every core type, so it takes no umask=: write the event's own name or code",
				ev->base);
	for (; meaning; meaning = meaning[len] ? meaning + len + 1 : NULL) {
		len = strcspn(meaning, "|");
		if (ct->family == FAMILY_ARM && !ct->knows_implemented && meaning[len])
			continue;
		try = *ev;
		snprintf(try.base, sizeof(try.base), "%.*s", (int)len, meaning);
		rc = from_candidate(&try, machine, ct);
		if (rc < 0)
			return rc;
		if (!rc)
			continue;
		*ev = try;
		return 1;
	}
	return 0;
}

/*
 * perf's r01c2: on x86 an event select register's value, on Arm the number of an event. Fields
 * of the register that are not events' are refused.
 */
static int from_register(struct event *ev, const struct core_type *ct)
{
	uint64_t r, all = 0xffa4ffff | (ct->family == FAMILY_AMD ? 0xfULL << 32 : 0);
	char *end;

	if (*ev->base != 'r' || !ev->base[1] ||
	    ev->base[1 + strspn(ev->base + 1, "0123456789abcdefABCDEF")])
		return 0;
	errno = 0;
	r = strtoull(ev->base + 1, &end, 16);
	if (ct->family == FAMILY_ARM || ct->family == FAMILY_NONE)
		all = 0xffff;
	if (errno || r & ~all)
		return pmc_fail(EINVAL, "'%s': 0x%llx is no event of %s", ev->name,
				(unsigned long long)r, ct->info.pmu);
	ev->has_code = 1;
	ev->code = r & all;
	if (all == 0xffff)
		return 1;
	ev->code = (r & 0xff) | (r >> 32 & 0xf) << 8;
	event_take_register(ev, r);
	return 1;
}

static int check_implemented(const struct event *ev, const pmc_machine_t *machine,
			     const struct core_type *ct)
{
	char where[128];

	if (ct->family != FAMILY_ARM || core_type_implements(ct, ev->code))
		return 0;
	return pmc_fail(EINVAL, "%s (%s) does not implement '%s' (event 0x%02llx)",
			core_type_describe(where, sizeof(where), machine, ct), ct->info.pmu,
			ev->name, (unsigned long long)ev->code);
}

/*
 * perf has no codes for the fixed counters 0 and 1, but takes the codes of the same events
 * on general counters.
 */
static void encode_fixed_for_perf(struct event *ev, const pmc_machine_t *machine,
			 const struct core_type *ct)
{
	if (ct->family != FAMILY_INTEL || strcmp(machine->backend, "perf") || ev->code)
		return;
	if (ev->umask == 0x01)
		ev->code = 0xc0;
	else if (ev->umask == 0x02)
		ev->code = 0x3c;
	else
		return;
	ev->umask = 0x00;
}

static int encode_software(struct event *ev, const char *soft)
{
	if (ev->place == EVENT_PINNED || ev->umask != UNSET || event_is_modified(ev))
		return pmc_fail(EINVAL, "'%s': a software event takes no modifiers: write %s",
				ev->name, soft);
	ev->place = EVENT_SOFTWARE;
	strcpy(ev->base, soft);
	return 1;
}

int event_lookup(struct event *ev, const pmc_machine_t *machine, const struct core_type *ct)
{
	const char *soft = software_find(ev->base);
	int rc;

	if (soft)
		return encode_software(ev, soft);
	/* pmc0 and pmc3=0x2e, the raw form, have no name to encode. */
	if (!*ev->base)
		return ev->has_code && check_implemented(ev, machine, ct) ? -1 : 1;
	rc = uncore_encode(ev, machine);
	if (rc || !ct->info.nr_hw_counters)
		return rc;
	rc = from_number(ev);
	if (!rc)
		rc = encode_generic(ev, machine, ct);
	if (!rc)
		rc = from_register(ev, ct);
	if (!rc)
		rc = from_tables(ev, ct);
	if (rc <= 0 || ev->place == EVENT_UNCORE)
		return rc;
	encode_fixed_for_perf(ev, machine, ct);
	return check_implemented(ev, machine, ct) ? -1 : 1;
}

int event_is_known(const struct event *ev, const pmc_machine_t *machine,
		   const struct core_type *ct)
{
	struct event copy = *ev;

	return event_lookup(&copy, machine, ct) > 0;
}
