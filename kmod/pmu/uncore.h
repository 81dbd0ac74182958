/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters that CPUs share, such as those of a level 3 cache. They count for
 * all of its CPUs together, so CPUs can be counted by them and threads can't.
 */
#ifndef PMC_UNCORE_H
#define PMC_UNCORE_H

#include <linux/types.h>
#include "../core/err.h"
#include "../core/parse.h"

struct pmc_cpu;
struct pmc_session;
struct pmc_thread;

/**
 * struct pmc_uncore_format - a kind of shared counter
 * @pmu: the kernel's PMU that drives it
 * @driver: the kernel module that may have to be loaded for it
 * @max_code: largest event code
 * @max_umask: largest unit mask
 * @umask_shift: where it is in the event's config; the code is at 0
 */
struct pmc_uncore_format {
	const char *pmu;
	const char *driver;
	u64 max_code;
	u64 max_umask;
	unsigned int umask_shift;
};

extern const struct pmc_uncore_format pmc_uncore_formats[PMC_UNCORE_NR];

int pmc_uncore_encode(const struct pmc_evreq *req, u64 *config,
		      struct pmc_err *err);

void pmc_uncore_look(enum pmc_uncore kind);
bool pmc_uncore_known(enum pmc_uncore kind);
int pmc_uncore_check(const struct pmc_setreq *req, struct pmc_err *err);
int pmc_uncore_start(struct pmc_session *s);
void pmc_uncore_stop(struct pmc_session *s);
void pmc_uncore_cpu_up(struct pmc_session *s, unsigned int cpu);
void pmc_uncore_suspend(const struct pmc_session *s);
void pmc_uncore_resume(const struct pmc_session *s);
void pmc_uncore_begin(struct pmc_thread *t);
void pmc_uncore_collect(struct pmc_cpu *cpu, struct pmc_thread *t);

#endif /* PMC_UNCORE_H */
