// SPDX-License-Identifier: GPL-2.0
/* The frequency of each CPU, by cpufreq */
#include <stdio.h>

#include "node/sources.h"

void source_frequency(struct sources *s)
{
	char where[16];
	int cpu;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &s->cpus))
			continue;
		snprintf(where, sizeof(where), "cpu%d", cpu);
		/* The file has kHz. */
		gauge_add(&s->gauges, s->record, "frequency", where, 1e-3,
			  "%s/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", s->sys, cpu);
	}
}
