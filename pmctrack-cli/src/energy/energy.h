/* SPDX-License-Identifier: GPL-2.0 */
/* pmctrack energy: what it has found, and its reports. */
#ifndef PMCTRACK_ENERGY_ENERGY_H
#define PMCTRACK_ENERGY_ENERGY_H

#include <stdio.h>

#include "energy/balance.h"
#include "energy/threads.h"
#include "options.h"

/**
 * struct energy_result - the energy of a program's threads
 * @title: what was measured
 * @by_cores: threads have the measured energy of the cores they ran on; else that of a model
 * @balance: shares, by thread and core type
 * @seconds: how long it was measured
 * @idle_watts: power of the idle machine; without meaning if @by_cores
 * @missing: threads, or parts of their time, are missing
 */
struct energy_result {
	const pmc_machine_t *machine;
	char *title;
	int by_cores;
	struct energy_threads threads;
	struct energy_balance balance;
	double seconds;
	double idle_watts;
	int missing;
};

void energy_print_table(FILE *f, const struct energy_result *r);
void energy_print_csv(FILE *f, const struct energy_result *r);

#endif
