/* SPDX-License-Identifier: GPL-2.0 */
/* Models of energy, as `pmc-additivity energy` writes them: a metric in joules for a core type. */
#ifndef PMCTRACK_ENERGY_MODEL_FILES_H
#define PMCTRACK_ENERGY_MODEL_FILES_H

#include "pmctrack.h"

/*
 * Add the model that an option names, [CORETYPE=]FILE, to a plan. The core type may be missing if the
 * machine has only one. bad() if that fails.
 */
void model_add(pmc_plan_t *plan, const pmc_machine_t *machine, const char *option);

/* The number of the plan's metric that is the model of a core type; -1: there is none */
int model_of(const pmc_plan_t *plan, int core_type);

#endif
