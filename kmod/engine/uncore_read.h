/* SPDX-License-Identifier: GPL-2.0 */
/* Reading the counters that CPUs share. */
#ifndef PMC_UNCORE_READ_H
#define PMC_UNCORE_READ_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include "pmu/event_set.h"

struct perf_event;
struct pmc_consumer;
struct pmc_cpu;
struct pmc_thread;

/**
 * struct pmc_uncore_counter - a counter of a consumer
 * @link: in the consumer's list
 * @event: the kernel's counter; its cpu stands for those that share it
 * @kind: which PMU's
 * @config: what it counts
 * @active: the set in force counts it
 * @last: its value when the last sample ended, or the set came into force
 * @rcu: for freeing
 *
 * @active and @last belong to the CPU that @event is on.
 */
struct pmc_uncore_counter {
	struct list_head link;
	struct perf_event *event;
	u8 kind;
	u64 config;
	bool active;
	u64 last;
	struct rcu_head rcu;
};

/* Does the counter count this event? */
static inline bool pmc_uncore_is_of(const struct pmc_uncore_counter *c,
				    const struct pmc_hw_event *ev)
{
	return c->kind == ev->slot && c->config == ev->config;
}

void pmc_uncore_suspend(const struct pmc_consumer *consumer);
void pmc_uncore_resume(const struct pmc_consumer *consumer);
void pmc_uncore_begin(struct pmc_thread *t);
void pmc_uncore_collect(struct pmc_cpu *cpu, struct pmc_thread *t);

#endif /* PMC_UNCORE_READ_H */
