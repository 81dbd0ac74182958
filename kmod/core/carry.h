/* SPDX-License-Identifier: GPL-2.0 */
/* Threads that one of their task's other threads counts for. */
#ifndef PMC_CARRY_H
#define PMC_CARRY_H

#include "thread.h"

/* More calipers than this on one thread are seldom, and cost a call more at each switch. */
#define PMC_PAGES_OPENED	3

void pmc_carry(struct pmc_cpu *cpu);
void pmc_carry_no_more(struct pmc_thread *c);
bool pmc_carriers_miss(const struct pmc_cpu *cpu);
void pmc_alight(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_alight_all(struct pmc_cpu *cpu, struct pmc_thread *c);
void pmc_let_go(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_alight_taken(struct pmc_cpu *cpu);
int pmc_alight_away(struct pmc_thread *t);

#endif /* PMC_CARRY_H */
