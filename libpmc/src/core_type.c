// SPDX-License-Identifier: LGPL-2.1-or-later
/* A core type: its name in messages, the events that it has, its counters */
#include <stdio.h>

#include "machine.h"

const char *core_type_describe(char *buf, size_t size, const pmc_machine_t *machine,
			       const struct core_type *ct)
{
	if (machine->nr_core_types == 1)
		snprintf(buf, size, "this CPU");
	else
		snprintf(buf, size, "core type %d (%s)", ct->info.id, ct->info.name);
	return buf;
}

/*
 * The architecture's list of implemented events covers only these numbers; for others the
 * result is -1.
 */
int core_type_implements(const struct core_type *ct, unsigned int code)
{
	size_t i;

	if (!ct->knows_implemented)
		return -1;
	for (i = 0; i < ct->nr_implemented; i++)
		if (ct->implemented[i] == code)
			return 1;
	return code < 0x40 || (code >= 0x4000 && code < 0x4040) ? 0 : -1;
}

const struct pmc_counter_info *core_type_counter(const struct core_type *ct, int slot)
{
	int i;

	for (i = 0; i < ct->info.nr_counters; i++)
		if (slot >= ct->counters[i].first && slot <= ct->counters[i].last)
			return &ct->counters[i];
	return NULL;
}
