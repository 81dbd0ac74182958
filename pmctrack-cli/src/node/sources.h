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

/* Add the columns of one source; those that it has not are left out. */
void source_frequency(struct sources *s);
void source_temperature(struct sources *s);
void source_energy(struct sources *s);
void source_limits(struct sources *s);
void source_throttling(struct sources *s);

/*
 * Open all sources in the list @wanted, as "energy,counters"; NULL: all. @machine, @events and @period_us are for those that have sessions.
 */
void sources_open(struct sources *s, const pmc_machine_t *machine, const char *wanted,
		  const char *events, unsigned long long period_us);

/* Read all into a row. */
void sources_read(struct sources *s, double *row);
void sources_close(struct sources *s);

/* bad() if a name in the list @wanted, which may be NULL, is no source's. */
void sources_check(const char *wanted);

#endif
