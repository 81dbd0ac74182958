/* SPDX-License-Identifier: GPL-2.0 */
/* Tasks that run already. */
#ifndef PMC_RUNNING_TASKS_H
#define PMC_RUNNING_TASKS_H

struct pmc_session;
struct pmc_thread;

void pmc_unload_here(void);
void pmc_unload_threads(struct pmc_thread *taken);
void pmc_unload_all_taken(void);
void pmc_load_attached(struct pmc_session *s);
void pmc_load_running(unsigned int cpu);
void pmc_sample_all(struct pmc_session *s);

#endif /* PMC_RUNNING_TASKS_H */
