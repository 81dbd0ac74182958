/* SPDX-License-Identifier: GPL-2.0 */
/* Domains of energy counters: packages, cores, memory, the platform. */
#ifndef PMCTRACK_ADDITIVITY_ENERGY_DOMAIN_H
#define PMCTRACK_ADDITIVITY_ENERGY_DOMAIN_H

#include <stdint.h>

struct energy_domain;

/* The domain "package", "core", "dram" or "psys"; bad() for other names */
const struct energy_domain *energy_domain_find(const char *name);

/* Is a counter of the domain? @where is its name by powercap or by perf, see source_energy(). */
int energy_domain_has(const struct energy_domain *domain, const char *where);

/* Does a counter of the domain cover all of a package? @cpuid is that of struct pmc_core_type_info. */
int energy_domain_is_whole(const struct energy_domain *domain, uint64_t cpuid);

#endif
