/* SPDX-License-Identifier: GPL-2.0 */
/* Sources: where the columns of a record come from. Each is a row of a table, and a file. */
#ifndef PMCTRACK_NODE_SOURCES_H
#define PMCTRACK_NODE_SOURCES_H

#include <sched.h>

#include "node/counters.h"
#include "node/gauge.h"
#include "node/module_values.h"
#include "node/record.h"

/**
 * struct sources - what is sampled
 * @sys: where sysfs is
 * @cpus: the CPUs whose frequencies and so on are sampled
 * @record: where the columns are
 * @gauges: the open files
 * @module: virtual counters of monitoring modules
 * @counters: events of the program
 * @missing: sources that the machine has not, as "limits (no powercap zone ...)"
 */
struct sources {
	const char *sys;
	cpu_set_t cpus;
	struct record *record;
	struct gauges gauges;
	struct module_values module;
	struct counters counters;
	char missing[512];
};

/* Sources that are files: name, function, and what would provide it where it is missing */
#define SOURCES_BY_FILES(SOURCE)	\
	SOURCE("frequency", source_frequency,	\
	       "no cpufreq, and module thermal_freq is not active")	\
	SOURCE("temperature", source_temperature,	\
	       "no thermal zones or hwmon sensors, and module thermal_freq is not active")	\
	SOURCE("energy", source_energy,	\
	       "no powercap or PMU `power` that can be read, and module energy is not active")	\
	SOURCE("limits", source_limits, "no powercap zone has limits")	\
	SOURCE("throttling", source_throttling,	\
	       "no thermal_throttle counts, and module thermal_freq is not active")

/* Add the columns of one source; those that it has not are left out. */
#define DECLARE_SOURCE(name, by_files, hint) void by_files(struct sources *s);
SOURCES_BY_FILES(DECLARE_SOURCE)
#undef DECLARE_SOURCE

/*
 * Open all sources in the list @wanted, as "energy,counters"; NULL: all. @machine and @events are for those that have sessions.
 */
void sources_open(struct sources *s, const pmc_machine_t *machine, const char *wanted,
		  const char *events);

/* Begin all counts except the program's. Calls bad() if sampling is refused. */
void sources_start(struct sources *s, unsigned long long period_us);

/* Read all into a row. */
void sources_read(struct sources *s, double *row);
/* Read all for the last time: sessions are stopped, so that no count is left in them. */
void sources_read_last(struct sources *s, double *row);
void sources_close(struct sources *s);

/* bad() if a name in the list @wanted, which may be NULL, is no source's. */
void sources_check(const char *wanted);

#endif
