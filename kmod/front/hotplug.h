/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs that come and go. */
#ifndef PMC_HOTPLUG_H
#define PMC_HOTPLUG_H

int pmc_hotplug_init(void);
void pmc_hotplug_exit(void);
unsigned int pmc_nr_unavailable_cpus(void);

#endif /* PMC_HOTPLUG_H */
