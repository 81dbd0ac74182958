// SPDX-License-Identifier: GPL-2.0
/* The state of each CPU. */
#include "percpu.h"

DEFINE_PER_CPU(struct pmc_cpu, pmc_cpus) = { .ct_id = PMC_NO_CORE_TYPE };
/* Serialises claims, hotplug and system-wide contexts. */
DEFINE_MUTEX(pmc_cpus_lock);
