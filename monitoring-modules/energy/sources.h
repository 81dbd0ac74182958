/* SPDX-License-Identifier: GPL-2.0 */
/* Where energy is measured; main.c lists these. */
#ifndef PMC_ENERGY_SOURCES_H
#define PMC_ENERGY_SOURCES_H

#include "meter.h"

struct seq_file;

extern const struct pmc_energy_provider pmc_energy_juno;
extern const struct pmc_energy_provider pmc_energy_rapl;
extern const struct pmc_energy_provider pmc_energy_sensors;

int pmc_energy_set_sensor(const char *key, char *value);
void pmc_energy_show_sensors(struct seq_file *m);
void pmc_energy_drop_sensors(void);

#endif /* PMC_ENERGY_SOURCES_H */
