// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of metrics that are similar to one that there is not */
#include "metric.h"
#include "metric_defs.h"
#include "suggest.h"

static int add_nearest(void *arg, const struct metric_def *def)
{
	nearest_add(arg, def->name);
	return 0;
}

void metric_suggest(const pmc_machine_t *machine, const struct core_type *ct, const char *name,
		    char *buf, size_t size)
{
	struct nearest nearest = { .name = name };

	metric_def_each(machine, ct, add_nearest, &nearest);
	nearest_print(&nearest, buf, size);
}
