// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events of counters that CPUs share, such as those of a level 3 cache: `l3=CODE`, with or
 * without `:umask=X`.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "format_event.h"

/* uncore l3 pmu amd_l3 driver amd-uncore */
int machine_add_uncore(pmc_machine_t *machine, const char *rest)
{
	struct uncore *all, *u;

	all = realloc(machine->uncore, (machine->nr_uncore + 1) * sizeof(*all));
	if (!all)
		return pmc_fail_nomem();
	machine->uncore = all;
	u = &all[machine->nr_uncore];
	if (sscanf(rest, "%15s pmu %31s driver %31s", u->name, u->pmu, u->driver) != 3)
		return pmc_fail(EPROTO, "shared counters lack a field");
	machine->nr_uncore++;
	return 0;
}

static const struct uncore *find(const pmc_machine_t *machine, const char *name, size_t len)
{
	int i;

	for (i = 0; i < machine->nr_uncore; i++)
		if (strlen(machine->uncore[i].name) == len &&
		    !strncmp(machine->uncore[i].name, name, len))
			return &machine->uncore[i];
	return NULL;
}

int uncore_encode(struct event *ev, const pmc_machine_t *machine)
{
	size_t len = strcspn(ev->base, "=");
	const struct uncore *u = ev->base[len] ? find(machine, ev->base, len) : NULL;

	if (!u)
		return 0;
	if (!strcmp(u->pmu, "none"))
		return pmc_fail(EINVAL,
				"'%s': the kernel has no driver for %s counters; if the processor has them, load it (modprobe %s)",
				ev->name, u->name, u->driver);
	if (parse_number(ev->base + len + 1, &ev->code))
		return pmc_fail(EINVAL, "'%s': '%s' is no event code; write %s=0x..", ev->name,
				ev->base + len + 1, u->name);
	if (ev->place == EVENT_PINNED || event_is_modified(ev))
		return pmc_fail(EINVAL, "'%s': a counter that CPUs share takes umask= and no other modifier",
				ev->name);
	ev->place = EVENT_UNCORE;
	ev->has_code = 1;
	strcpy(ev->base, u->name);
	return 1;
}
