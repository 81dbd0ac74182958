/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Energy meters, for monitoring modules: the machine's energy since the first use
 * of the meters. In pmc_energy.ko, whether or not the module "energy" is active.
 */
#ifndef PMC_ENERGY_H
#define PMC_ENERGY_H

#include "units.h"

extern const char *const pmc_energy_kind_names[PMC_ENERGY_NR];

int pmc_energy_get(void);
void pmc_energy_put(void);
bool pmc_energy_has(enum pmc_energy_kind kind);
bool pmc_energy_is_divided(enum pmc_energy_kind kind);
u64 pmc_energy_total(enum pmc_energy_kind kind);
unsigned int pmc_energy_period_ms(void);
void pmc_energy_tick(void);
void pmc_energy_suspend(void);
void pmc_energy_resume(void);

#endif /* PMC_ENERGY_H */
