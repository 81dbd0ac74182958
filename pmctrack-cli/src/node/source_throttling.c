// SPDX-License-Identifier: GPL-2.0
/* How often each core and each package was slowed down because of heat (x86) */
#include <stdio.h>

#include "node/sources.h"
#include "node/sysfs_text.h"

#define CPU "%s/devices/system/cpu/cpu%d"

static void add_package(struct sources *s, int cpu)
{
	char id[16], where[32], name[64];

	if (sysfs_text(id, sizeof(id), CPU "/topology/physical_package_id", s->sys, cpu))
		return;
	snprintf(where, sizeof(where), "package-%s", id);
	snprintf(name, sizeof(name), "throttles/%s", where);
	if (record_find(s->record, name) < 0)
		gauge_add(&s->gauges, s->record, "throttles", where, 1,
			  CPU "/thermal_throttle/package_throttle_count", s->sys, cpu);
}

void source_throttling(struct sources *s)
{
	char where[16];
	int cpu;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &s->cpus))
			continue;
		snprintf(where, sizeof(where), "cpu%d", cpu);
		if (gauge_add(&s->gauges, s->record, "throttles", where, 1,
			      CPU "/thermal_throttle/core_throttle_count", s->sys, cpu))
			add_package(s, cpu);
	}
}
