// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The library's metrics, by generic events where there are such, so that they are defined on
 * each core type that has the events.
 *
 * tma is level 1 of Yasin's top-down analysis ("A Top-Down Method for Performance Analysis",
 * ISPASS 2014), from general counters. Where slots go, by Intel's event lists (perfmon, 01.org;
 * the same files as perf's JSON) and the Optimization Reference Manual, appendix B:
 *
 *   Golden Cove and later	TOPDOWN.SLOTS_P is shared out among UOPS_RETIRED.SLOTS,
 *				TOPDOWN.BAD_SPEC_SLOTS, TOPDOWN.BACKEND_BOUND_SLOTS, and the
 *				frontend's
 *   Sunny Cove			the same; IDQ_UOPS_NOT_DELIVERED.CORE is the frontend's, and
 *				the rest is lost to wrong speculation
 *   Gracemont and later	four events TOPDOWN_*.ALL (on general counters: ALL_P), which
 *				have all slots among them
 *
 * perf's own formulas for these P-cores read PERF_METRICS, of which a fraction has 8 bits, and
 * which no other counter can replace. Models that are not listed have tma from perf's table
 * (the group TopdownL1 or PipelineL1).
 */
#include <stddef.h>

#include "metric_defs.h"

#define TMA "tma;TopdownL1"
/* Unit, digits, scale. In other formulas the metric is a fraction, as perf has it. */
#define PERCENT "%", 1, 100

#define RETIRING_DESC	"issue slots whose work was of use"
#define BAD_DESC	"issue slots lost to wrong speculation"
#define FRONTEND_DESC	"issue slots that were empty because of the frontend"
#define BACKEND_DESC	"issue slots that were empty because of the backend"

#define GLC	"TOPDOWN.BAD_SPEC_SLOTS"
#define SNC	"TOPDOWN.BACKEND_BOUND_SLOTS"
#define NEW_ATOM "TOPDOWN_RETIRING.ALL_P"
#define ATOM	"TOPDOWN_BAD_SPECULATION.ALL"

#define ATOM_SLOTS(all)	"(TOPDOWN_RETIRING." all " + TOPDOWN_BAD_SPECULATION." all \
			" + TOPDOWN_FE_BOUND." all " + TOPDOWN_BE_BOUND." all ")"
#define ATOM_ROW(name, event, all, needs, desc) \
	{ name, "" event "." all " / " ATOM_SLOTS(all), PERCENT, needs, TMA, desc }

const struct metric_row metric_rows[] = {
	{ "ipc", "instr / cycles", "", 2, 1, NULL, "", "instructions per cycle" },
	{ "cpi", "cycles / instr", "", 2, 1, NULL, "", "cycles per instruction" },
	{ "l1d_mpki", "1000 * l1d_misses / instr", "", 2, 1, NULL, "",
	  "level 1 data cache misses per thousand instructions" },
	{ "l1i_mpki", "1000 * l1i_misses / instr", "", 2, 1, NULL, "",
	  "level 1 instruction cache misses per thousand instructions" },
	{ "l2_mpki", "1000 * l2_misses / instr", "", 2, 1, NULL, "",
	  "level 2 cache misses per thousand instructions" },
	{ "llc_mpki", "1000 * llc_misses / instr", "", 2, 1, NULL, "",
	  "misses of the last cache level per thousand instructions" },
	{ "llc_miss_rate", "llc_misses / llc_references", PERCENT, NULL, "",
	  "accesses to the last cache level that missed" },
	{ "dtlb_mpki", "1000 * dtlb_misses / instr", "", 2, 1, NULL, "",
	  "data TLB misses per thousand instructions" },
	{ "itlb_mpki", "1000 * itlb_misses / instr", "", 2, 1, NULL, "",
	  "instruction TLB misses per thousand instructions" },
	{ "branch_mpki", "1000 * branch_misses / instr", "", 2, 1, NULL, "",
	  "mispredicted branches per thousand instructions" },
	{ "branch_miss_rate", "branch_misses / branches", PERCENT, NULL, "",
	  "branches that were mispredicted" },
	{ "branches_per_instr", "branches / instr", "", 3, 1, NULL, "",
	  "branches per instruction" },
	{ "loads_per_instr", "loads / instr", "", 3, 1, NULL, "", "loads per instruction" },
	{ "stores_per_instr", "stores / instr", "", 3, 1, NULL, "", "stores per instruction" },
	{ "frontend_stalls", "stall_frontend / cycles", PERCENT, NULL, "",
	  "cycles in which the frontend delivered nothing" },
	{ "backend_stalls", "stall_backend / cycles", PERCENT, NULL, "",
	  "cycles in which the backend took nothing" },
	/* In one mode only, cycles would be divided by the time of both. */
	{ "ghz", "cycles:u:k / task_clock", "GHz", 2, 1, NULL, "",
	  "clock rate while running, user and kernel mode" },
	{ "cpu_utilization", "task_clock / 1e9 / duration_time", "CPUs", 2, 1, NULL, "",
	  "CPUs that were in use, on average" },

	{ "tma_retiring", "UOPS_RETIRED.SLOTS / TOPDOWN.SLOTS_P", PERCENT, GLC, TMA,
	  RETIRING_DESC },
	{ "tma_bad_speculation", "TOPDOWN.BAD_SPEC_SLOTS / TOPDOWN.SLOTS_P", PERCENT, GLC,
	  TMA, BAD_DESC },
	{ "tma_frontend_bound", "topdown\\-fe\\-bound / TOPDOWN.SLOTS_P", PERCENT, GLC,
	  TMA, FRONTEND_DESC },
	{ "tma_backend_bound", "TOPDOWN.BACKEND_BOUND_SLOTS / TOPDOWN.SLOTS_P", PERCENT,
	  GLC, TMA, BACKEND_DESC },

	{ "tma_retiring", "UOPS_RETIRED.SLOTS / TOPDOWN.SLOTS_P", PERCENT, SNC, TMA,
	  RETIRING_DESC },
	{ "tma_bad_speculation", "topdown\\-bad\\-spec / TOPDOWN.SLOTS_P", PERCENT, SNC,
	  TMA, BAD_DESC },
	{ "tma_frontend_bound", "IDQ_UOPS_NOT_DELIVERED.CORE / TOPDOWN.SLOTS_P", PERCENT,
	  SNC, TMA, FRONTEND_DESC },
	{ "tma_backend_bound", "TOPDOWN.BACKEND_BOUND_SLOTS / TOPDOWN.SLOTS_P", PERCENT,
	  SNC, TMA, BACKEND_DESC },

	ATOM_ROW("tma_retiring", "TOPDOWN_RETIRING", "ALL_P", NEW_ATOM, RETIRING_DESC),
	ATOM_ROW("tma_bad_speculation", "TOPDOWN_BAD_SPECULATION", "ALL_P", NEW_ATOM, BAD_DESC),
	ATOM_ROW("tma_frontend_bound", "TOPDOWN_FE_BOUND", "ALL_P", NEW_ATOM, FRONTEND_DESC),
	ATOM_ROW("tma_backend_bound", "TOPDOWN_BE_BOUND", "ALL_P", NEW_ATOM, BACKEND_DESC),
	ATOM_ROW("tma_retiring", "TOPDOWN_RETIRING", "ALL", ATOM, RETIRING_DESC),
	ATOM_ROW("tma_bad_speculation", "TOPDOWN_BAD_SPECULATION", "ALL", ATOM, BAD_DESC),
	ATOM_ROW("tma_frontend_bound", "TOPDOWN_FE_BOUND", "ALL", ATOM, FRONTEND_DESC),
	ATOM_ROW("tma_backend_bound", "TOPDOWN_BE_BOUND", "ALL", ATOM, BACKEND_DESC),

	/* perf's names of slots in PERF_METRICS; the slots that general counters count */
	{ "slots", "TOPDOWN.SLOTS_P", "", 0, 1, SNC, "", NULL },
	{ "TOPDOWN.SLOTS", "TOPDOWN.SLOTS_P", "", 0, 1, SNC, "", NULL },
	{ "topdown-retiring", "UOPS_RETIRED.SLOTS", "", 0, 1, SNC, "", NULL },
	{ "topdown-be-bound", "TOPDOWN.BACKEND_BOUND_SLOTS", "", 0, 1, SNC, "", NULL },
	{ "topdown-bad-spec", "TOPDOWN.BAD_SPEC_SLOTS", "", 0, 1, GLC, "", NULL },
	{ "topdown-bad-spec", "max(TOPDOWN.SLOTS_P - UOPS_RETIRED.SLOTS - "
	  "IDQ_UOPS_NOT_DELIVERED.CORE - TOPDOWN.BACKEND_BOUND_SLOTS, 0)", "", 0, 1, SNC, "", NULL },
	{ "topdown-fe-bound", "max(TOPDOWN.SLOTS_P - UOPS_RETIRED.SLOTS - "
	  "TOPDOWN.BAD_SPEC_SLOTS - TOPDOWN.BACKEND_BOUND_SLOTS, 0)", "", 0, 1, GLC, "", NULL },
	{ "topdown-fe-bound", "IDQ_UOPS_NOT_DELIVERED.CORE", "", 0, 1, SNC, "", NULL },
	{ "topdown-mem-bound", "TOPDOWN.MEMORY_BOUND_SLOTS", "", 0, 1, GLC, "", NULL },
	{ "topdown-br-mispredict", "TOPDOWN.BR_MISPREDICT_SLOTS", "", 0, 1, GLC, "", NULL },
	{ "topdown-heavy-ops", "UOPS_RETIRED.HEAVY", "", 0, 1, GLC, "", NULL },
};

const size_t nr_metric_rows = sizeof(metric_rows) / sizeof(metric_rows[0]);
