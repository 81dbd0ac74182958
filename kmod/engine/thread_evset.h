/* SPDX-License-Identifier: GPL-2.0 */
/* The event set that a thread counts with has changed, or what its switches have to do. */
#ifndef PMC_THREAD_EVSET_H
#define PMC_THREAD_EVSET_H

struct pmc_thread;

void pmc_update_slow_flags(struct pmc_thread *t);
void pmc_start_set(struct pmc_thread *t);

#endif /* PMC_THREAD_EVSET_H */
