/* SPDX-License-Identifier: GPL-2.0 */
/* Samples are recorded. */
#ifndef PMC_RECORD_SAMPLE_H
#define PMC_RECORD_SAMPLE_H

#include "uapi/pmctrack.h"

struct pmc_cpu;
struct pmc_thread;

void pmc_record_sample(struct pmc_cpu *cpu, struct pmc_thread *t, u64 now,
		       enum pmc_sample_event event, unsigned int ebs_pos);
void pmc_note_lost(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_note_missed(struct pmc_cpu *cpu, unsigned int slot);
void pmc_record_last(struct pmc_thread *t, enum pmc_sample_event event);
u64 pmc_peek(struct pmc_cpu *cpu, struct pmc_thread *t, u64 *counts);

#endif /* PMC_RECORD_SAMPLE_H */
