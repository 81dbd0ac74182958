// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Calipers whose event sets differ from core type to core type: the counts of each core type
 * are read by themselves.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "caliper.h"
#include "error.h"
#include "thread_session.h"
#include "type_counts.h"

/**
 * struct type_reader - what a caliper needs for counts of each core type
 * @nr_events: number of events of each core type's event set
 * @before: counts when the caliper was opened
 * @now: the last reading
 */
struct type_reader {
	struct type_counts now;
	int *nr_events;
	uint64_t (*before)[PMC_MAX_COUNTS];
};

void type_reader_free(struct type_reader *types)
{
	if (!types)
		return;
	free(types->now.others);
	free(types->nr_events);
	free(types->before);
	free(types);
}

static struct type_reader *alloc(int nr_core_types)
{
	struct type_reader *types = calloc(1, sizeof(*types));

	if (!types) {
		pmc_fail_nomem();
		return NULL;
	}
	types->nr_events = calloc(nr_core_types, sizeof(*types->nr_events));
	types->before = calloc(nr_core_types, sizeof(*types->before));
	if (types->nr_events && types->before && !type_counts_init(&types->now, nr_core_types))
		return types;
	pmc_fail_nomem();
	type_reader_free(types);
	return NULL;
}

/* Without the kernel's page, or in a child, whose calls fail. */
static int read_by_calls(const pmc_caliper_t *caliper, uint64_t (*counts)[PMC_MAX_COUNTS])
{
	int id;

	for (id = 0; id < caliper->types->now.nr_core_types; id++)
		if (pmc_session_read(caliper->ts->session, id, 0, counts[id], NULL) < 0)
			return -1;
	return 0;
}

static int read_all(pmc_caliper_t *caliper, uint64_t (*counts)[PMC_MAX_COUNTS])
{
	struct type_counts *now = &caliper->types->now;
	int id;

	if (!caliper->page)
		return read_by_calls(caliper, counts);
	if (type_counts_read(caliper, now))
		return -1;
	for (id = 0; id < now->nr_core_types; id++)
		type_counts_get(now, id, caliper->types->nr_events[id], counts[id]);
	return 0;
}

int pmc_caliper_read_types(pmc_caliper_t *caliper, uint64_t (*counts)[PMC_MAX_COUNTS])
{
	const struct type_reader *types = caliper->types;
	int id, i;

	if (!types)
		return pmc_fail(EINVAL, "the caliper was not opened by pmc_caliper_open_config()");
	if (read_all(caliper, counts))
		return -1;
	for (id = 0; id < types->now.nr_core_types; id++)
		for (i = 0; i < types->nr_events[id]; i++)
			counts[id][i] -= types->before[id][i];
	return types->now.nr_core_types;
}

pmc_caliper_t *pmc_caliper_open_config(const pmc_machine_t *machine, const pmc_config_t *config)
{
	int id, nr = pmc_machine_nr_core_types(machine);
	struct type_reader *types;
	pmc_caliper_t *caliper;

	if (caliper_check(machine, config))
		return NULL;
	types = alloc(nr);
	caliper = types ? caliper_of_config(machine, config) : NULL;
	if (!caliper) {
		type_reader_free(types);
		return NULL;
	}
	caliper->types = types;
	for (id = 0; id < nr; id++)
		types->nr_events[id] = pmc_config_nr_events(config, id, 0);
	if (!read_all(caliper, types->before))
		return caliper;
	type_reader_free(types);
	caliper_free(caliper);
	return NULL;
}
