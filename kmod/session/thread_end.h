/* SPDX-License-Identifier: GPL-2.0 */
/* Ending a thread. */
#ifndef PMC_THREAD_END_H
#define PMC_THREAD_END_H

#include "uapi/pmctrack.h"

struct pmc_session;
struct pmc_thread;

void pmc_thread_ended(struct pmc_session *s);
void pmc_thread_end(struct pmc_thread *t, enum pmc_sample_event event);
void pmc_thread_finish(struct pmc_thread *t);

#endif /* PMC_THREAD_END_H */
