// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Virtual counters as members of an EventSet. Those of threads are read for the calling thread by
 * a caliper, those of CPUs, such as the energy of a package, by a session for the machine.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_events.h"
#include "errors.h"
#include "library.h"
#include "virtuals.h"

/**
 * struct virtual_counting - the virtual counters of an EventSet
 * @nr: how many there are
 * @place: their places in the EventSet
 * @grows: 1 for each that is a count, 0 for levels and ratios
 * @caliper, @session: one of them is not NULL
 * @now, @start: the last reading, and that at the start
 */
struct virtual_counting {
	int nr;
	int place[PMC_MAX_VIRTUALS];
	int grows[PMC_MAX_VIRTUALS];
	pmc_caliper_t *caliper;
	pmc_session_t *session;
	uint64_t now[PMC_MAX_VIRTUALS];
	uint64_t start[PMC_MAX_VIRTUALS];
};

static const char *counter_of(const char *name)
{
	size_t len = strlen(VIRTUAL_PREFIX);

	return strncmp(name, VIRTUAL_PREFIX, len) ? NULL : name + len;
}

int virtual_check(const char *name)
{
	const char *counter = counter_of(name);
	pmc_virtuals_t *list = counter ? pmc_virtuals_open() : NULL;
	int rc = !counter ? PAPI_ENOEVNT : !list ? PAPI_ENOCMP :
		 pmc_virtuals_find(list, counter) ? PAPI_OK : PAPI_ENOEVNT;

	pmc_virtuals_close(list);
	return rc;
}

int virtual_each(int (*fn)(void *arg, const char *name, const char *desc), void *arg)
{
	pmc_virtuals_t *list = pmc_virtuals_open();
	const struct pmc_virtual_info *info;
	char name[PAPI_MAX_STR_LEN];
	int i, rc = 0;

	for (i = 0; list && !rc && (info = pmc_virtuals_get(list, i)); i++) {
		snprintf(name, sizeof(name), VIRTUAL_PREFIX "%s", info->name);
		rc = fn(arg, name, info->desc);
	}
	pmc_virtuals_close(list);
	return rc;
}

void virtual_info(const struct papi_event *event, PAPI_event_info_t *info)
{
	pmc_virtuals_t *list = pmc_virtuals_open();
	const struct pmc_virtual_info *v;

	v = list ? pmc_virtuals_find(list, counter_of(event->name)) : NULL;
	if (v && v->scale > 1)
		snprintf(info->units, sizeof(info->units), "1/%u %.40s", v->scale, v->unit);
	else if (v)
		snprintf(info->units, sizeof(info->units), "%.60s", v->unit);
	if (v && v->kind != PMC_VIRTUAL_COUNT) {
		info->value_type = PAPI_VALUETYPE_ABSOLUTE;
		info->timescope = PAPI_TIMESCOPE_POINT;
	}
	pmc_virtuals_close(list);
}

/* Note the events that are virtual counters, and join their names. @flags: what all of them are */
static int collect(struct virtual_counting *v, const struct papi_event *const *events, int nr,
		   char *names, size_t size, unsigned int *flags)
{
	pmc_virtuals_t *list = pmc_virtuals_open();
	const struct pmc_virtual_info *info;
	size_t len = 0;
	int i;

	*flags = PMC_VIRTUAL_THREADS | PMC_VIRTUAL_SYSWIDE;
	for (i = 0; list && i < nr && v->nr <= PMC_MAX_VIRTUALS; i++) {
		if (events[i]->component != COMPONENT_VIRTUAL)
			continue;
		info = v->nr < PMC_MAX_VIRTUALS ? pmc_virtuals_find(list, counter_of(events[i]->name)) : NULL;
		if (!info) {
			pmc_virtuals_close(list);
			return v->nr < PMC_MAX_VIRTUALS ? PAPI_ENOEVNT : PAPI_ECNFLCT;
		}
		v->place[v->nr] = i;
		v->grows[v->nr] = info->kind == PMC_VIRTUAL_COUNT;
		len += snprintf(names + len, size - len, "%s%s", v->nr++ ? "," : "", info->name);
		*flags &= info->flags;
	}
	pmc_virtuals_close(list);
	return list ? PAPI_OK : PAPI_ENOCMP;
}

static int open_session(struct virtual_counting *v, const char *names, const struct target *target)
{
	pmc_config_t *config = pmc_config_new(papi_machine());
	int rc = -1;

	v->session = config ? pmc_session_open() : NULL;
	if (v->session && !pmc_config_add_virtual(config, names) &&
	    !pmc_session_command(v->session, "ring 16") &&
	    !pmc_session_configure(v->session, config))
		rc = target->cpu < 0 ? pmc_session_command(v->session, "syswide") :
				       pmc_session_command(v->session, "syswide %d", target->cpu);
	pmc_config_free(config);
	return rc ? papi_error_of(errno) : PAPI_OK;
}

static int open_reader(struct virtual_counting *v, const char *names, unsigned int flags,
		       const struct target *target)
{
	/* A caliper does not read the values of children. */
	if (flags & PMC_VIRTUAL_THREADS && target->inherit)
		return PAPI_ECNFLCT;
	if (flags & PMC_VIRTUAL_THREADS && !target->tid && target->cpu < 0) {
		v->caliper = pmc_caliper_open_virtual(NULL, names);
		return v->caliper ? PAPI_OK : papi_error_of(errno);
	}
	/* Another thread's values are no one's to read here; mixtures have no common reader. */
	if (!(flags & PMC_VIRTUAL_SYSWIDE) || target->tid)
		return PAPI_ECNFLCT;
	return open_session(v, names, target);
}

static int has_virtuals(const struct papi_event *const *events, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		if (events[i]->component == COMPONENT_VIRTUAL)
			return 1;
	return 0;
}

int virtual_open(struct virtual_counting **out, const struct papi_event *const *events, int nr,
		 const struct target *target)
{
	char names[PMC_MAX_VIRTUALS * PAPI_MIN_STR_LEN];
	struct virtual_counting *v;
	unsigned int flags;
	int rc;

	*out = NULL;
	if (!has_virtuals(events, nr))
		return PAPI_OK;
	v = calloc(1, sizeof(*v));
	if (!v)
		return PAPI_ENOMEM;
	rc = collect(v, events, nr, names, sizeof(names), &flags);
	if (rc == PAPI_OK)
		rc = open_reader(v, names, flags, target);
	if (rc == PAPI_OK)
		*out = v;
	else
		virtual_close(v);
	return rc;
}

void virtual_close(struct virtual_counting *v)
{
	if (!v)
		return;
	pmc_caliper_close(v->caliper);
	pmc_session_close(v->session);
	free(v);
}

/* The values of all core types together: which one a CPU is of does not matter. */
static int read_session(struct virtual_counting *v)
{
	uint64_t values[PMC_MAX_VIRTUALS];
	struct pmc_reading reading;
	int id, i;

	if (pmc_session_command(v->session, "sample"))
		return PAPI_ECLOST;
	while (pmc_session_next(v->session, &reading) > 0)
		for (i = 0; i < reading.nr_virtual; i++)
			if (!v->grows[i] && reading.virtual_counts[i] != PMC_NO_VALUE)
				v->now[i] = reading.virtual_counts[i];
	for (i = 0; i < v->nr; i++)
		if (v->grows[i])
			v->now[i] = 0;
	for (id = 0; id < pmc_machine_nr_core_types(papi_machine()); id++) {
		if (pmc_session_totals_virtual(v->session, id, 0, values) < 0)
			continue;
		for (i = 0; i < v->nr; i++)
			if (v->grows[i] && values[i] != PMC_NO_VALUE)
				v->now[i] += values[i];
	}
	return PAPI_OK;
}

int virtual_is_own(const struct virtual_counting *v)
{
	return v && v->caliper;
}

static int read_now(struct virtual_counting *v)
{
	if (v->session)
		return read_session(v);
	return pmc_caliper_read_virtual(v->caliper, v->now) < 0 ? papi_error_of(errno) : PAPI_OK;
}

int virtual_start(struct virtual_counting *v)
{
	int rc = v ? read_now(v) : PAPI_OK;

	if (v && rc == PAPI_OK)
		virtual_restart(v);
	return rc;
}

void virtual_restart(struct virtual_counting *v)
{
	if (v)
		memcpy(v->start, v->now, sizeof(v->start));
}

/* The value since the start; -1: not known. A count that was not known then has grown from 0. */
static long long value_of(const struct virtual_counting *v, int i)
{
	if (!v->grows[i] || v->now[i] == PMC_NO_VALUE || v->start[i] == PMC_NO_VALUE)
		return v->now[i];
	return v->now[i] - v->start[i];
}

int virtual_read(struct virtual_counting *v, long long *values)
{
	int i, rc = v ? read_now(v) : PAPI_OK;

	for (i = 0; v && rc == PAPI_OK && i < v->nr; i++)
		values[v->place[i]] = value_of(v, i);
	return rc;
}
