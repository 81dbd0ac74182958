// SPDX-License-Identifier: GPL-2.0
/*
 * Energy of each domain: by powercap, whose files the administrator can read; where it is
 * missing, by the PMU `power` of perf.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "node/powercap.h"
#include "node/sources.h"
#include "node/sysfs_text.h"
#include "options.h"

#define PMU "bus/event_source/devices/power"

static void add_zone(struct sources *s, const char *path)
{
	char name[128], range[32];
	struct gauge *gauge;

	if (powercap_name(name, sizeof(name), path))
		return;
	gauge = gauge_add(&s->gauges, s->record, "energy", name, 1, "%s/energy_uj", path);
	if (gauge && !sysfs_text(range, sizeof(range), "%s/max_energy_range_uj", path))
		gauge->wrap = strtoull(range, NULL, 10);
}

static int open_event(int type, unsigned long long config, int cpu)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = config,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The event's file, as .../events/energy-pkg, has "event=0x02", NAME.scale joules a count. */
static void add_event(struct sources *s, const char *path)
{
	char type[16], config[64], scale[64], list[256], where[96];
	const char *name = strrchr(path, '/') + 1;
	cpu_set_t cpus;
	int fd, cpu;

	if (strchr(name, '.') || sysfs_text(type, sizeof(type), "%s/" PMU "/type", s->sys) ||
	    sysfs_text(config, sizeof(config), "%s", path) || strncmp(config, "event=", 6) ||
	    sysfs_text(scale, sizeof(scale), "%s.scale", path) ||
	    sysfs_text(list, sizeof(list), "%s/" PMU "/cpumask", s->sys) || cpus_parse(list, &cpus))
		return;
	/* The mask, as "0,64" or "0-1", has a CPU of each package. */
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &cpus))
			continue;
		fd = open_event(atoi(type), strtoull(config + 6, NULL, 16), cpu);
		if (fd < 0)
			continue;
		snprintf(where, sizeof(where), "%s-cpu%d", name + strlen("energy-"), cpu);
		gauge_add_fd(&s->gauges, s->record, "energy", where, strtod(scale, NULL) * 1e6,
			     fd)->binary = 1;
	}
}

void source_energy(struct sources *s)
{
	int before = s->gauges.nr;

	powercap_each(s, add_zone);
	if (s->gauges.nr == before)
		sysfs_each(s, add_event, "%s/" PMU "/events/energy-*", s->sys);
}
