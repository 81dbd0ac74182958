/* SPDX-License-Identifier: GPL-2.0 */
/* Counters that perf has left as they were. */
#ifndef PMC_X86_CLEAR_DIRTY_H
#define PMC_X86_CLEAR_DIRTY_H

int pmc_x86_clean(unsigned int cpu);

#endif /* PMC_X86_CLEAR_DIRTY_H */
