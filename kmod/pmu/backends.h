/* SPDX-License-Identifier: GPL-2.0 */
/* The backends there are, and the choice among them. */
#ifndef PMC_BACKENDS_H
#define PMC_BACKENDS_H

#include <linux/types.h>

struct pmu_backend;

extern const struct pmu_backend pmc_backend_perf;
#ifdef CONFIG_ARM64
extern const struct pmu_backend pmc_backend_armv8;
#endif
#ifdef CONFIG_ARM
extern const struct pmu_backend pmc_backend_armv7;
#endif
#ifdef CONFIG_X86_64
extern const struct pmu_backend pmc_backend_amd;
extern const struct pmu_backend pmc_backend_amd_exclusive;
extern const struct pmu_backend pmc_backend_intel;
extern const struct pmu_backend pmc_backend_intel_exclusive;
extern const struct pmu_backend pmc_backend_knc;
#endif

int pmc_backend_init(const char *wanted, bool exclusive);
void pmc_backend_bind(void);
void pmc_backend_exit(void);

#endif /* PMC_BACKENDS_H */
