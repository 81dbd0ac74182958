// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Gracemont, the small core of Alder Lake and Raptor Lake, and the only one of
 * Alder Lake-N. Names and codes are those of Intel's own list (perfmon,
 * ADL/events/alderlake_gracemont_core.json, version 1.40), architectural events
 * also of the SDM, volume 3B, "Performance Monitoring". Left out is what needs a
 * register beside PERFEVTSEL.
 */
#include "tables.h"

#define SDM "SDM 3B, pre-defined architectural performance events"
#define FIXED "SDM 3B, fixed-function performance counters; perfmon ADL GRT 1.40"
#define GRT "perfmon ADL GRT 1.40"

static const struct table_event events[] = {
	/* By fixed counters alone: code 0, the unit mask is the counter's number + 1. */
	EVENT("INST_RETIRED.ANY", 0x00, 0x01, "instructions retired, fixed counter", FIXED),
	EVENT("CPU_CLK_UNHALTED.CORE", 0x00, 0x02, "core cycles, fixed counter", FIXED),
	EVENT("CPU_CLK_UNHALTED.THREAD", 0x00, 0x02, "core cycles, fixed counter", FIXED),
	EVENT("CPU_CLK_UNHALTED.REF_TSC", 0x00, 0x03,
	      "TSC cycles while not halted, fixed counter", FIXED),

	EVENT("INST_RETIRED.ANY_P", 0xc0, 0x00, "instructions retired", SDM),
	EVENT("CPU_CLK_UNHALTED.CORE_P", 0x3c, 0x00, "core cycles while not halted", SDM),
	EVENT("CPU_CLK_UNHALTED.THREAD_P", 0x3c, 0x00, "core cycles while not halted", SDM),
	EVENT("CPU_CLK_UNHALTED.REF_TSC_P", 0x3c, 0x01, "TSC cycles while not halted", SDM),
	EVENT("LONGEST_LAT_CACHE.REFERENCE", 0x2e, 0x4f, "requests to the last level cache", SDM),
	EVENT("LONGEST_LAT_CACHE.MISS", 0x2e, 0x41,
	      "requests that missed the last level cache", SDM),
	EVENT("BR_INST_RETIRED.ALL_BRANCHES", 0xc4, 0x00, "branches retired", SDM),
	EVENT("BR_MISP_RETIRED.ALL_BRANCHES", 0xc5, 0x00, "mispredicted branches retired", SDM),

	/* Instructions and branches */
	EVENT("BR_INST_RETIRED.COND", 0xc4, 0x7e, "conditional branches retired", GRT),
	EVENT("BR_INST_RETIRED.COND_TAKEN", 0xc4, 0xfe,
	      "conditional branches retired that were taken", GRT),
	EVENT("BR_INST_RETIRED.TAKEN", 0xc4, 0x80, "branches retired that were taken", GRT),
	EVENT("BR_INST_RETIRED.NEAR_TAKEN", 0xc4, 0xc0,
	      "near branches retired that were taken", GRT),
	EVENT("BR_INST_RETIRED.FAR_BRANCH", 0xc4, 0xbf, "far branches retired", GRT),
	EVENT("BR_INST_RETIRED.INDIRECT", 0xc4, 0xeb, "indirect jumps and calls retired", GRT),
	EVENT("BR_INST_RETIRED.INDIRECT_JMP", 0xc4, 0xef, "indirect jumps retired", GRT),
	EVENT("BR_INST_RETIRED.INDIRECT_CALL", 0xc4, 0xfb, "indirect calls retired", GRT),
	EVENT("BR_INST_RETIRED.NEAR_RETURN", 0xc4, 0xf7, "near returns retired", GRT),
	EVENT("BR_INST_RETIRED.NEAR_CALL", 0xc4, 0xf9, "near calls retired", GRT),
	EVENT("BR_INST_RETIRED.REL_CALL", 0xc4, 0xfd, "relative calls retired", GRT),
	EVENT("BR_INST_RETIRED.REL_JMP", 0xc4, 0xdf, "relative jumps retired", GRT),
	EVENT("BR_MISP_RETIRED.COND", 0xc5, 0x7e, "mispredicted conditional branches", GRT),
	EVENT("BR_MISP_RETIRED.COND_TAKEN", 0xc5, 0xfe,
	      "mispredicted conditional branches that were taken", GRT),
	EVENT("BR_MISP_RETIRED.NEAR_TAKEN", 0xc5, 0x80,
	      "mispredicted near branches that were taken", GRT),
	EVENT("BR_MISP_RETIRED.INDIRECT", 0xc5, 0xeb, "mispredicted indirect jumps and calls", GRT),
	EVENT("BR_MISP_RETIRED.INDIRECT_CALL", 0xc5, 0xfb, "mispredicted indirect calls", GRT),
	EVENT("BR_MISP_RETIRED.RETURN", 0xc5, 0xf7, "mispredicted returns", GRT),
	EVENT("MACHINE_CLEARS.SMC", 0xc3, 0x01, "machine clears because code was written", GRT),
	EVENT("MACHINE_CLEARS.MEMORY_ORDERING", 0xc3, 0x02,
	      "machine clears because of memory order", GRT),
	EVENT("MACHINE_CLEARS.FP_ASSIST", 0xc3, 0x04,
	      "machine clears for floating point assists", GRT),
	EVENT("MACHINE_CLEARS.DISAMBIGUATION", 0xc3, 0x08,
	      "machine clears because a load passed its store", GRT),
	EVENT("MACHINE_CLEARS.PAGE_FAULT", 0xc3, 0x20,
	      "machine clears because of page faults", GRT),

	/* Frontend */
	EVENT("ICACHE.ACCESSES", 0x80, 0x03, "instruction cache accesses", GRT),
	EVENT("ICACHE.MISSES", 0x80, 0x02, "instruction cache misses", GRT),
	EVENT("BACLEARS.ANY", 0xe6, 0x01, "fetch redirected for a branch nobody knew", GRT),

	/* Slots and uops */
	EVENT("TOPDOWN_FE_BOUND.ALL", 0x71, 0x00, "slots unused because of the frontend", GRT),
	EVENT("TOPDOWN_FE_BOUND.ICACHE", 0x71, 0x20,
	      "slots unused because of instruction cache misses", GRT),
	EVENT("TOPDOWN_FE_BOUND.ITLB", 0x71, 0x10,
	      "slots unused because of instruction TLB misses", GRT),
	EVENT("TOPDOWN_FE_BOUND.BRANCH_DETECT", 0x71, 0x02,
	      "slots unused because of BACLEARs", GRT),
	EVENT("TOPDOWN_FE_BOUND.FRONTEND_LATENCY", 0x71, 0x72,
	      "slots unused because of frontend latency", GRT),
	EVENT("TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH", 0x71, 0x8d,
	      "slots unused because of frontend bandwidth", GRT),
	EVENT("TOPDOWN_BAD_SPECULATION.ALL", 0x73, 0x00, "slots lost to wrong speculation", GRT),
	EVENT("TOPDOWN_BAD_SPECULATION.MISPREDICT", 0x73, 0x04,
	      "slots lost to mispredicted branches", GRT),
	EVENT("TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS", 0x73, 0x03,
	      "slots lost to machine clears", GRT),
	EVENT("TOPDOWN_BE_BOUND.ALL", 0x74, 0x00, "slots unused because of the backend", GRT),
	EVENT("TOPDOWN_BE_BOUND.MEM_SCHEDULER", 0x74, 0x02,
	      "slots unused because of the memory scheduler", GRT),
	EVENT("TOPDOWN_BE_BOUND.NON_MEM_SCHEDULER", 0x74, 0x08,
	      "slots unused because of the other schedulers", GRT),
	EVENT("TOPDOWN_BE_BOUND.REORDER_BUFFER", 0x74, 0x40,
	      "slots unused because the reorder buffer was full", GRT),
	EVENT("TOPDOWN_BE_BOUND.SERIALIZATION", 0x74, 0x10,
	      "slots unused because of serialization", GRT),
	EVENT("TOPDOWN_RETIRING.ALL", 0xc2, 0x00, "slots that retired", GRT),
	EVENT("UOPS_ISSUED.ANY", 0x0e, 0x00, "uops issued", GRT),
	EVENT("UOPS_RETIRED.ALL", 0xc2, 0x00, "uops retired", GRT),
	EVENT("UOPS_RETIRED.MS", 0xc2, 0x01, "uops retired that were from microcode", GRT),
	EVENT("UOPS_RETIRED.FPDIV", 0xc2, 0x08, "floating point divisions retired, in uops", GRT),
	EVENT("UOPS_RETIRED.IDIV", 0xc2, 0x10, "integer divisions retired, in uops", GRT),
	EVENT("ARITH.DIV_ACTIVE", 0xcd, 0x03, "cycles in which a divider works", GRT, .cmask = 1),
	EVENT("ARITH.IDIV_ACTIVE", 0xcd, 0x01,
	      "cycles in which an integer divider works", GRT, .cmask = 1),
	EVENT("ARITH.FPDIV_ACTIVE", 0xcd, 0x02,
	      "cycles in which the floating point divider works", GRT),

	/* Loads, stores and caches */
	EVENT("MEM_UOPS_RETIRED.ALL_LOADS", 0xd0, 0x81, "load uops retired", GRT),
	EVENT("MEM_UOPS_RETIRED.ALL_STORES", 0xd0, 0x82, "store uops retired", GRT),
	EVENT("MEM_UOPS_RETIRED.ALL", 0xd0, 0x83, "load and store uops retired", GRT),
	EVENT("MEM_UOPS_RETIRED.LOCK_LOADS", 0xd0, 0x21, "locked load uops retired", GRT),
	EVENT("MEM_UOPS_RETIRED.SPLIT", 0xd0, 0x43, "uops retired that cross a cache line", GRT),
	EVENT("MEM_UOPS_RETIRED.SPLIT_LOADS", 0xd0, 0x41,
	      "load uops retired that cross a cache line", GRT),
	EVENT("MEM_UOPS_RETIRED.SPLIT_STORES", 0xd0, 0x42,
	      "store uops retired that cross a cache line", GRT),
	EVENT("MEM_UOPS_RETIRED.STLB_MISS", 0xd0, 0x13,
	      "uops retired that missed the second level TLB", GRT),
	EVENT("MEM_UOPS_RETIRED.STLB_MISS_LOADS", 0xd0, 0x11,
	      "load uops retired that missed the second level TLB", GRT),
	EVENT("MEM_UOPS_RETIRED.STLB_MISS_STORES", 0xd0, 0x12,
	      "store uops retired that missed the second level TLB", GRT),
	EVENT("MEM_LOAD_UOPS_RETIRED.L1_HIT", 0xd1, 0x01,
	      "load uops retired with data from level 1", GRT),
	EVENT("MEM_LOAD_UOPS_RETIRED.L2_HIT", 0xd1, 0x02,
	      "load uops retired with data from level 2", GRT),
	EVENT("MEM_LOAD_UOPS_RETIRED.L3_HIT", 0xd1, 0x04,
	      "load uops retired with data from level 3", GRT),
	EVENT("MEM_LOAD_UOPS_RETIRED.L1_MISS", 0xd1, 0x08,
	      "load uops retired that missed level 1", GRT),
	EVENT("MEM_LOAD_UOPS_RETIRED.L2_MISS", 0xd1, 0x10,
	      "load uops retired that missed level 2", GRT),
	EVENT("MEM_LOAD_UOPS_RETIRED.HITM", 0xd1, 0x20,
	      "load uops retired with modified data of another core", GRT),
	EVENT("MEM_LOAD_UOPS_RETIRED.DRAM_HIT", 0xd1, 0x80,
	      "load uops retired with data from memory", GRT),
	EVENT("MEM_LOAD_UOPS_RETIRED_MISC.L3_MISS", 0xd2, 0x20,
	      "load uops retired that missed level 3", GRT),
	EVENT("L2_REQUEST.ALL", 0x24, 0x00, "level 2 cache accesses of this core", GRT),
	EVENT("L2_REQUEST.MISS", 0x24, 0x01, "level 2 cache misses of this core", GRT),
	EVENT("L2_REQUEST.HIT", 0x24, 0x02, "level 2 cache hits of this core", GRT),
	EVENT("MEM_BOUND_STALLS.LOAD", 0x34, 0x07,
	      "cycles stalled for a load that missed level 1", GRT),
	EVENT("MEM_BOUND_STALLS.LOAD_L2_HIT", 0x34, 0x01,
	      "cycles stalled for a load that hit level 2", GRT),
	EVENT("MEM_BOUND_STALLS.LOAD_LLC_HIT", 0x34, 0x02,
	      "cycles stalled for a load that hit level 3", GRT),
	EVENT("MEM_BOUND_STALLS.LOAD_DRAM_HIT", 0x34, 0x04,
	      "cycles stalled for a load from memory", GRT),
	EVENT("MEM_BOUND_STALLS.IFETCH", 0x34, 0x38,
	      "cycles stalled for a fetch that missed level 1", GRT),
	EVENT("LD_BLOCKS.DATA_UNKNOWN", 0x03, 0x01,
	      "loads blocked by a store whose data is not there yet", GRT),
	EVENT("LD_BLOCKS.ADDRESS_ALIAS", 0x03, 0x04,
	      "loads blocked by a store of like address", GRT),

	/* Address translation */
	EVENT("DTLB_LOAD_MISSES.WALK_COMPLETED", 0x08, 0x0e, "page walks done for loads", GRT),
	EVENT("DTLB_STORE_MISSES.WALK_COMPLETED", 0x49, 0x0e, "page walks done for stores", GRT),
	EVENT("ITLB_MISSES.WALK_COMPLETED", 0x85, 0x0e, "page walks done for fetches", GRT),
	EVENT("ITLB_MISSES.MISS_CAUSED_WALK", 0x85, 0x01, "page walks begun for fetches", GRT),
};

/* Those of names.c hold for all others. */
static const struct table_portable portable[] = {
	{ "ref_cycles", "CPU_CLK_UNHALTED.REF_TSC_P" },
	{ "l1d_references", "MEM_UOPS_RETIRED.ALL" },
	{ "l1d_misses", "MEM_LOAD_UOPS_RETIRED.L1_MISS" },
	{ "l1i_misses", "ICACHE.MISSES" },
	{ "l2_references", "L2_REQUEST.ALL" },
	{ "l2_misses", "L2_REQUEST.MISS" },
	{ "dtlb_misses", "DTLB_LOAD_MISSES.WALK_COMPLETED" },
	{ "itlb_misses", "ITLB_MISSES.WALK_COMPLETED" },
	{ "stall_frontend", "" },	/* it counts slots, not cycles */
	{ "stall_backend", "" },
	{ "bus_cycles", "" },	/* 0x3c with unit mask 1 is the TSC here */
	{ NULL, NULL },
};

/* perfmon, mapfile.csv */
static const struct table_model models[] = {
	{ 0x6, 0x97, 0x97, NATIVE_ATOM },
	{ 0x6, 0x9a, 0x9a, NATIVE_ATOM },
	{ 0x6, 0xb7, 0xb7, NATIVE_ATOM },
	{ 0x6, 0xba, 0xba, NATIVE_ATOM },
	{ 0x6, 0xbf, 0xbf, NATIVE_ATOM },
	{ 0x6, 0xbe, 0xbe, 0 },
	{ 0, 0, 0, 0 },
};

const struct event_table table_adl_grt = {
	.name = "adl_grt",
	.family = FAMILY_INTEL,
	.pfm = "adl_grt",
	.models = models,
	.events = events,
	.nr_events = TABLE_SIZE(events),
	.portable = portable,
};
