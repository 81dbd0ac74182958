/* SPDX-License-Identifier: GPL-2.0 */
/* pmctrack's own functions, calls of which show what a probe costs. */
#ifndef PMCTRACK_PROBE_COST_CALLS_H
#define PMCTRACK_PROBE_COST_CALLS_H

#include "probe.h"

/* Functions whose first instructions are of each kind, three times the same */
extern const char probe_cost_copied[], probe_cost_push[], probe_cost_nop[];
extern const char probe_cost_copied_entered[], probe_cost_push_entered[], probe_cost_nop_entered[];
extern const char probe_cost_copied_too[], probe_cost_push_too[], probe_cost_nop_too[];

/* Call @function @nr times. */
void probe_cost_call(const void *function, unsigned long nr);
/* The same number of rounds, with a jump instead of the call */
void probe_cost_jump(unsigned long nr);

#endif
