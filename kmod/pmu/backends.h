/* SPDX-License-Identifier: GPL-2.0 */
/* The backends there are, and the choice among them. */
#ifndef PMC_BACKENDS_H
#define PMC_BACKENDS_H

#include <linux/types.h>

struct pmu_backend;

/* The backend of each row, and the one that works wherever perf works */
#define PMC_BACKEND(name)	pmc_backend_##name,
extern const struct pmu_backend
#include "pmu/backend_rows.h"
	pmc_backend_perf;
#undef PMC_BACKEND

int pmc_backend_init(const char *wanted, bool exclusive);
void pmc_backend_bind(void);
void pmc_backend_exit(void);

#endif /* PMC_BACKENDS_H */
