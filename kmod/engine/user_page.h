/* SPDX-License-Identifier: GPL-2.0 */
/* Threads that read their own counters by instruction. */
#ifndef PMC_USER_PAGE_H
#define PMC_USER_PAGE_H

struct pmc_cpu;
struct pmc_thread;

/* More pages on one thread are seldom, and cost a call more for each switch. */
#define PMC_PAGES_OPEN	3

void pmc_caliper_init_cpu(struct pmc_cpu *cpu);
void pmc_caliper_clear_dirty(struct pmc_cpu *cpu);
void pmc_caliper_switch(void);
void pmc_caliper_end_access(struct pmc_cpu *cpu);
void pmc_caliper_end_all_access(void);
void pmc_caliper_open_page(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_caliper_open(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_caliper_close(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_caliper_publish(struct pmc_cpu *cpu);
void pmc_caliper_irq(void);
void pmc_caliper_note_loss(struct pmc_thread *t);
void pmc_caliper_free(struct pmc_thread *t);

#endif /* PMC_USER_PAGE_H */
