// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Encode the event of a user. If there is no event of that name, the error line says what else
 * the name is of, or which events have similar names.
 */
#include <errno.h>
#include <stdio.h>

#include "error.h"
#include "format_event.h"
#include "metric_defs.h"
#include "virtual.h"

/* What to write for a name that is none of an event, but of something else; "" if it is of nothing */
static void other_meaning(char *buf, size_t size, const pmc_machine_t *machine,
			  const struct core_type *ct, const char *name)
{
	int metric = metric_is_known(machine, ct, name);

	*buf = '\0';
	if (metric)
		snprintf(buf, size, "'%s' is a %s: write -m %s", name,
			 metric == 2 ? "group of metrics" : "metric", name);
	else if (virtual_is_known(name))
		snprintf(buf, size, "'%s' is a virtual counter: write pmctrack -V %s", name, name);
}

/* Events that no processor of this kind has need no other name. */
static int refuse(const struct event *ev, const pmc_machine_t *machine, const struct core_type *ct)
{
	char where[128], other[2 * EVENT_NAME + 64] = "";

	if (ct->info.nr_hw_counters && !generic_find(ev->base))
		other_meaning(other, sizeof(other), machine, ct, ev->base);
	if (!*other)
		return event_refuse(ev, machine, ct);
	return pmc_fail(EINVAL, "%s has no event '%s'; %s",
			core_type_describe(where, sizeof(where), machine, ct), ev->base, other);
}

int event_encode(struct event *ev, const pmc_machine_t *machine, const struct core_type *ct)
{
	int rc = event_lookup(ev, machine, ct);

	if (!rc)
		return refuse(ev, machine, ct);
	return rc < 0 ? rc : 0;
}
