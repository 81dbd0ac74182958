// SPDX-License-Identifier: LGPL-2.1-or-later
/* Readings of an EventSet with the values apart by core type, for the high level. */
#include <string.h>

#include "by_core_type.h"
#include "errors.h"
#include "eventset.h"
#include "high_events.h"
#include "library.h"
#include "pmu_names.h"
#include "papi_thread.h"

static bool has_parts(int code)
{
	const struct papi_event *event = papi_event_by_code(code);

	return !event || !event->nr_parts || !event->parts[0].formula ||
	       !formula_divides(event->parts[0].formula);
}

/* Only differences of these values mean something: they do not begin with PAPI_start(). */
static int read_types(int id, long long *values, long long *by_type, long long *cycles)
{
	struct eventset *set = eventset_get(id);
	int event, type, rc;
	uint64_t **counts;

	if (!set || !(set->state & PAPI_RUNNING) || set->thread != papi_this_thread)
		return papi_fail(set ? PAPI_ENOTRUN : PAPI_ENOEVST);
	counts = set->counting.rows;
	rc = set->counting.ops->read_types(&set->counting, counts);
	if (rc != PAPI_OK)
		return papi_fail(rc);
	if (cycles)
		*cycles = PAPI_get_real_cyc();
	for (event = 0; event < set->nr; event++) {
		values[event] = 0;
		for (type = 0; type < set->counting.nr_types; type++) {
			*by_type = counting_part_value(&set->counting, event, type, counts);
			values[event] += *by_type++;
		}
	}
	return PAPI_OK;
}

static char names[PAPI_PMU_MAX][PAPI_MIN_STR_LEN];

static const char *type_name(int type)
{
	return names[type];
}

static struct hl_split split = {
	.component = COMPONENT_CPU,
	.type_name = type_name,
	.has_parts = has_parts,
	.read = read_types,
};

void by_core_type_init(const pmc_machine_t *machine)
{
	int id, nr = pmc_machine_nr_core_types(machine);

	if (nr < 2 || nr > PAPI_PMU_MAX)
		return;
	for (id = 0; id < nr; id++)
		pmu_name_of_one(machine, id, names[id], sizeof(names[id]));
	split.nr_types = nr;
	hl_split = &split;
}
