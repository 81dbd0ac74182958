// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of events in expressions: perf's spelling and the library's. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "event_attr.h"
#include "metric_defs.h"
#include "tables/tables.h"

/* perf's names of PMUs of cores. A hybrid processor's PMUs have two names. */
static int is_pmu_of(const struct core_type *ct, const char *pmu)
{
	return !*pmu || !strcasecmp(pmu, "cpu") || !strcasecmp(pmu, ct->info.pmu) ||
	       (ct->native_type == NATIVE_CORE && !strcasecmp(pmu, "cpu_core")) ||
	       (ct->native_type == NATIVE_ATOM && !strcasecmp(pmu, "cpu_atom"));
}

static int append(char *event, size_t size, const char *colon, const char *word)
{
	size_t len = strlen(event);

	return snprintf(event + len, size - len, "%s%s", colon, word) < (int)(size - len) ? 0 : -1;
}

/* A term between the two @: the event comes first, in either way of writing. */
static int add_term(char *event, size_t size, const char *term)
{
	size_t key = strcspn(term, "=");
	const struct event_attr *attr = attr_by_perf(term, key);

	if (!strncmp(term, "event=", 6))
		return append(event, size, "", term + 6);
	if (!*event)
		return append(event, size, "", term);
	if (!attr || !attr->selects || (attr->kind != ATTR_FLAG && !term[key]))
		return -1;
	return append(event, size, ":", attr->name) || append(event, size, "", term + key);
}

/* Modifiers after the second @: u, k or both */
static int add_modes(char *event, size_t size, const char *modes)
{
	for (; *modes; modes++)
		if (append(event, size, ":", *modes == 'u' ? "u" : "k") ||
		    (*modes != 'u' && *modes != 'k'))
			return -1;
	return 0;
}

static int refuse_pmu(const struct core_type *ct, const char *event, const char *pmu)
{
	return pmc_fail(EINVAL, "'%s' is an event of the PMU %s, and not of core type %d (%s)",
			event, pmu, ct->info.id, ct->info.name);
}

int metric_event_name(const struct core_type *ct, const char *name, char *event, size_t size)
{
	char copy[EVENT_NAME * 2], *terms, *modes, *term;

	*event = '\0';
	if (strlen(name) >= size || strlen(name) >= sizeof(copy))
		return pmc_fail(EINVAL, "the name '%.40s...' is too long", name);
	strcpy(copy, name);
	terms = strchr(copy, '@');
	if (!terms)
		return append(event, size, "", name);
	*terms++ = '\0';
	modes = strrchr(terms, '@');
	if (!modes)
		return pmc_fail(EINVAL, "'%s': the second @ is missing", name);
	*modes++ = '\0';
	if (!is_pmu_of(ct, copy))
		return refuse_pmu(ct, name, copy);
	while ((term = strsep(&terms, ",")))
		if (add_term(event, size, term))
			return pmc_fail(EINVAL, "'%s': '%s' is not understood", name, term);
	if (add_modes(event, size, modes))
		return pmc_fail(EINVAL, "'%s': the modifiers '%s' are not understood", name, modes);
	return 0;
}

/* Parse @name as one event for all core types. perf's form may have commas between slashes. */
static int parse_one(struct event_set *set, const char *name)
{
	if ((!strchr(name, '/') && strchr(name, ',')) || parse_events(set, name, 0))
		return -1;
	return set->nr_events == 1 && set->core_type == PMC_EVERY_CORE_TYPE &&
	       !*set->core_type_name ? 0 : -1;
}

int metric_event_known(const pmc_machine_t *machine, const struct core_type *ct,
		       const char *event)
{
	struct event_set set;

	return !parse_one(&set, event) && is_pmu_of(ct, set.events[0].pmu) &&
	       event_is_known(&set.events[0], machine, ct);
}

void metric_event_explain(const pmc_machine_t *machine, const struct core_type *ct,
			  const char *event)
{
	struct event_set set;

	if (parse_one(&set, event))
		return;
	if (!is_pmu_of(ct, set.events[0].pmu))
		refuse_pmu(ct, event, set.events[0].pmu);
	else if (!event_lookup(&set.events[0], machine, ct))
		event_refuse(&set.events[0], machine, ct);
}
