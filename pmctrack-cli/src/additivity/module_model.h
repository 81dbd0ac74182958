/* SPDX-License-Identifier: GPL-2.0 */
/* A model of energy for the monitoring module estimated_power. */
#ifndef PMCTRACK_ADDITIVITY_MODULE_MODEL_H
#define PMCTRACK_ADDITIVITY_MODULE_MODEL_H

#include <stdio.h>

#include "pmctrack.h"

/**
 * struct module_model - a sum of events, each with an energy
 * @modes: what follows the names of all events: "", ":k" or ":u:k"
 * @nr: number of events
 * @events: their names, with modes
 * @joules: energy of each
 */
struct module_model {
	const pmc_machine_t *machine;
	int core_type;
	const char *modes;
	int nr;
	const char *const *events;
	const double *joules;
};

/*
 * Write the lines of /proc/pmc/config that describe the model. bad() if the core type does not have an
 * event, or if there are more events than an event set of a module has.
 */
void module_model_write(FILE *f, const struct module_model *m);

#endif
