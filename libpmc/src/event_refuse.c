// SPDX-License-Identifier: LGPL-2.1-or-later
/* Why a core type does not have an event, and which names it has that are similar */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "format_event.h"
#include "suggest.h"

int event_refuse(const struct event *ev, const pmc_machine_t *machine, const struct core_type *ct)
{
	const char *colon = strrchr(ev->base, ':');
	char where[128], near[256];

	core_type_describe(where, sizeof(where), machine, ct);
	if (!ct->info.nr_hw_counters)
		return pmc_fail(EINVAL, "%s has no hardware counters for '%s'; there are only task_clock, context_switches and the other software events",
				where, ev->base);
	if (generic_find(ev->base))
		return pmc_fail(EINVAL, "%s has no event for '%s': its hardware does not count this",
				where, ev->base);
	suggest(near, sizeof(near), machine, ct, ev->base);
	if (colon)
		return pmc_fail(EINVAL, "%s has no event '%s'%s; '%s' is neither a modifier nor a unit mask of it; `pmc-events -L` lists them",
				where, ev->base, near, colon + 1);
	return pmc_fail(EINVAL, "%s has no event '%s'%s; `pmc-events -L` lists them", where, ev->base,
			near);
}
