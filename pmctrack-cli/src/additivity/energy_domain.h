/* SPDX-License-Identifier: GPL-2.0 */
/* Domains of energy counters: packages, cores, memory, the platform. */
#ifndef PMCTRACK_ADDITIVITY_ENERGY_DOMAIN_H
#define PMCTRACK_ADDITIVITY_ENERGY_DOMAIN_H

struct energy_domain;

/* The domain "package", "core", "dram" or "psys"; bad() for other names */
const struct energy_domain *energy_domain_find(const char *name);

/* Is a counter of the domain? @where is its name by powercap or by perf, see source_energy(). */
int energy_domain_has(const struct energy_domain *domain, const char *where);

#endif
