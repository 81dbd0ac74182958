/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters that CPUs share, such as those of a level 3 cache. They count for
 * all of its CPUs together, so CPUs can be counted by them and threads can't.
 */
#ifndef PMC_UNCORE_H
#define PMC_UNCORE_H

#include <linux/types.h>
#include "base/parse_evset.h"

struct list_head;
struct pmc_session;
struct pmc_uncore_counter;

void pmc_uncore_look(enum pmc_uncore kind);
bool pmc_uncore_known(enum pmc_uncore kind);
int pmc_uncore_check(const struct pmc_setreq *req, struct pmc_err *err);
int pmc_uncore_start(struct pmc_session *s, struct list_head *refused);
void pmc_uncore_release(struct list_head *counters);
unsigned int pmc_uncore_nr_beside(const struct list_head *counters,
				  const struct pmc_uncore_counter *other);
int pmc_uncore_cpu_up(struct pmc_session *s, unsigned int cpu);

#endif /* PMC_UNCORE_H */
