/* SPDX-License-Identifier: GPL-2.0 */
/* Counters that perf moves. */
#ifndef PMC_X86_PERF_MOVES_H
#define PMC_X86_PERF_MOVES_H

#include <linux/types.h>

void pmc_x86_msr_trace_init(void);
void pmc_x86_msr_trace_exit(void);
bool pmc_x86_track_moves_here(void);
int pmc_x86_track_moves(void);
void pmc_x86_untrack_moves(void);

#endif /* PMC_X86_PERF_MOVES_H */
