/* SPDX-License-Identifier: GPL-2.0 */
/* Values of monitoring modules: what files of sysfs do not offer on this machine. */
#ifndef PMCTRACK_NODE_MODULE_VALUES_H
#define PMCTRACK_NODE_MODULE_VALUES_H

#include <sched.h>

#include "node/record.h"
#include "pmctrack.h"

/* Virtual counters that are columns: freq, temp_core, temp_pkg, throttled, energy_* */
#define MODULE_VALUES_MAX 8

/**
 * struct module_values - a session of the CPUs that has virtual counters
 * @session: NULL: nothing is wanted
 * @nr: number of virtual counters
 * @columns: of each of them: its column for each CPU, or one column for all
 */
struct module_values {
	pmc_config_t *config;
	pmc_session_t *session;
	int nr;
	int *columns[MODULE_VALUES_MAX];
};

/*
 * Add columns for those virtual counters of active modules that are of @quantity: frequency,
 * temperature, energy or throttling. Return: their number.
 */
int module_values_add(struct module_values *m, const pmc_machine_t *machine,
		      struct record *record, const char *quantity, const cpu_set_t *cpus);

/* Begin to sample; bad() if that is refused. */
void module_values_start(struct module_values *m, const cpu_set_t *cpus,
			 unsigned long long period_us);
/* Put what was sampled since the last reading into a row. */
void module_values_read(struct module_values *m, double *row);
/* Samples of CPUs for which the kernel's buffer had no room: rows lack what they counted. */
unsigned long long module_values_lost(const struct module_values *m);
/* End sampling. The counts until now can still be read. */
void module_values_stop(struct module_values *m);
void module_values_close(struct module_values *m);

#endif
