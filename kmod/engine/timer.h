/* SPDX-License-Identifier: GPL-2.0 */
/* The timer of each CPU, which serves all threads. */
#ifndef PMC_TIMER_H
#define PMC_TIMER_H

#include <linux/hrtimer.h>
#include <linux/types.h>

struct pmc_cpu;

void pmc_arm_timer(struct pmc_cpu *cpu, u64 expiry);
enum hrtimer_restart pmc_restart_timer(struct pmc_cpu *cpu, u64 expiry);
void pmc_timer_init(struct pmc_cpu *cpu, enum hrtimer_restart (*expired)(struct hrtimer *timer));
void pmc_timer_stop(struct pmc_cpu *cpu);

#endif /* PMC_TIMER_H */
