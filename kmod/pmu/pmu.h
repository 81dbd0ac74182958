/* SPDX-License-Identifier: GPL-2.0 */
/* The backend in use. */
#ifndef PMC_PMU_H
#define PMC_PMU_H

#include <linux/static_call.h>
#include <linux/types.h>
#include "pmu/backend.h"

extern const struct pmu_backend *pmc_backend;

/*
 * The slot of the first software counter; one for each enum pmc_sw. They come
 * behind the hardware counters of all core types, so that a number never means
 * a hardware counter on one core type and a software counter on another.
 */
extern unsigned int pmc_first_software;

/* Its load and unload, without looking them up at each switch. */
DECLARE_STATIC_CALL(pmc_backend_load, pmc_backend_count_t);
DECLARE_STATIC_CALL(pmc_backend_unload, pmc_backend_count_t);

/* Can't a counter count two different events by turns? @extra: one needs a second register. */
static inline bool pmc_slot_bound(bool extra)
{
	return pmc_backend->bound || (pmc_backend->bound_extra && extra);
}

#endif /* PMC_PMU_H */
