/* SPDX-License-Identifier: GPL-2.0 */
/* A model of energy as a metric of pmctrack. */
#ifndef PMCTRACK_ADDITIVITY_METRIC_MODEL_H
#define PMCTRACK_ADDITIVITY_METRIC_MODEL_H

#include <stdio.h>

#include "pmctrack.h"

/**
 * struct metric_model - a sum of events, each with an energy
 * @machine: knows events; NULL: no machine does
 * @core_type: the name of the core type
 * @domain: the domain of energy; the metric is energy, or energy_DOMAIN of another one than package
 * @user: events whose names have no mode were counted in user mode
 * @nr: number of events
 * @events: their names
 * @joules: energy of each
 */
struct metric_model {
	const pmc_machine_t *machine;
	const char *core_type;
	const char *domain;
	int user;
	int nr;
	const char *const *events;
	const double *joules;
};

/* Write the definition of the metric: its events have modes, whatever sessions count by default. */
void metric_model_write(FILE *f, const struct metric_model *m);

#endif
