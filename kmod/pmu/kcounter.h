/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's own counters, by which Arm's backends and perf hold their slots. */
#ifndef PMC_KCOUNTER_H
#define PMC_KCOUNTER_H

#include <linux/perf_event.h>

struct pmc_cpu;
struct pmc_err;
struct pmc_hw_event;

/*
 * A period that no counter reaches: the counter wraps and is updated by its
 * driver, without calling us.
 */
#define PMC_NEVER	BIT_ULL(62)

void pmc_kcounter_init(void);
int pmc_kcounter_try(unsigned int cpu, struct perf_event_attr *attr);
int pmc_kcounter_create(unsigned int cpu, unsigned int slot, int idx,
			struct perf_event_attr *attr, struct pmc_err *err);
void pmc_kcounter_release(unsigned int cpu, unsigned int slot);
u64 pmc_kcounter_take_back(struct pmc_cpu *cpu, const struct pmc_hw_event *ev);
bool pmc_kcounters_reacquire(struct pmc_cpu *cpu);
void pmc_kevent_stop(struct perf_event *event);
void pmc_kevent_start(struct perf_event *event);
void pmc_kcounters_suspend(struct pmc_cpu *cpu);
void pmc_kcounters_resume(struct pmc_cpu *cpu);

#endif /* PMC_KCOUNTER_H */
