// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * AMD's cores from Zen to Zen 4. libpfm4 knows each of them; here are the
 * events that all of them (and Zen 5) have in common, for where it does not,
 * and what generic events mean on one generation but not on the next.
 *
 * Sources: Processor Programming References of AMD, section "Core Performance
 * Monitor Counters": 54945 (Family 17h Models 01h and 08h, Zen), 55803 (17h
 * Model 31h, Zen 2), 55898 (19h Model 01h, Zen 3), 55901 (19h Model 11h, Zen 4)
 * and 58550 (1Ah Models 00h-0Fh, Zen 5). The PMC number is the one used there;
 * names are libpfm4's. Level 3 caches: "L3 Cache PMC Events" there, L3PMCx04
 * L3LookupState and, before Zen 3, L3PMCx06 CombClstrState.
 */
#include "tables.h"

#define PPR(pmc) "PPR 54945, 55803, 55898, 55901, 58550: " pmc

static const struct table_event events[] = {
	EVENT("LS_DISPATCH:LD_DISPATCH", 0x29, 0x01, "loads dispatched", PPR("PMCx029")),
	EVENT("LS_DISPATCH:STORE_DISPATCH", 0x29, 0x02, "stores dispatched", PPR("PMCx029")),
	EVENT("LS_DISPATCH:LD_ST_DISPATCH", 0x29, 0x04,
	      "operations dispatched that load and store", PPR("PMCx029")),
	EVENT("STORE_TO_LOAD_FORWARD", 0x35, -1,
	      "loads served by a store on its way", PPR("PMCx035")),
	EVENT("L1_DTLB_MISS", 0x45, 0xff, "first level data TLB misses", PPR("PMCx045")),
	EVENT("REQUESTS_TO_L2_GROUP1", 0x60, 0xff, "level 2 cache requests", PPR("PMCx060")),
	EVENT("REQUESTS_TO_L2_GROUP1:RD_BLK_L", 0x60, 0x80,
	      "level 2 cache requests: data reads", PPR("PMCx060")),
	EVENT("REQUESTS_TO_L2_GROUP1:RD_BLK_X", 0x60, 0x40,
	      "level 2 cache requests: data writes", PPR("PMCx060")),
	EVENT("REQUESTS_TO_L2_GROUP1:LS_RD_BLK_C_S", 0x60, 0x20,
	      "level 2 cache requests: shared data reads", PPR("PMCx060")),
	EVENT("REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ", 0x60, 0x10,
	      "level 2 cache requests: instruction reads", PPR("PMCx060")),
	EVENT("REQUESTS_TO_L2_GROUP1:L2_HW_PF", 0x60, 0x02,
	      "level 2 cache requests of its prefetcher", PPR("PMCx060")),
	EVENT("CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS", 0x64, 0xff,
	      "level 2 cache accesses, but for prefetches", PPR("PMCx064")),
	EVENT("CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C", 0x64, 0x08,
	      "level 2 cache misses of data", PPR("PMCx064")),
	EVENT("CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:IC_FILL_MISS", 0x64, 0x01,
	      "level 2 cache misses of instructions", PPR("PMCx064")),
	EVENT("CYCLES_NOT_IN_HALT", 0x76, -1, "cycles while not halted", PPR("PMCx076")),
	EVENT("INSTRUCTION_CACHE_REFILLS_FROM_L2", 0x82, -1,
	      "instruction cache lines from level 2", PPR("PMCx082")),
	EVENT("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", 0x83, -1,
	      "instruction cache lines from beyond level 2", PPR("PMCx083")),
	EVENT("L1_ITLB_MISS_L2_ITLB_HIT", 0x84, -1,
	      "fetches that missed the first level TLB only", PPR("PMCx084")),
	EVENT("L2_BTB_CORRECTION", 0x8b, -1,
	      "predictions corrected by the second level BTB", PPR("PMCx08B")),
	EVENT("DYNAMIC_INDIRECT_PREDICTIONS", 0x8e, -1,
	      "indirect branches predicted", PPR("PMCx08E")),
	EVENT("RETIRED_INSTRUCTIONS", 0xc0, -1, "instructions retired", PPR("PMCx0C0")),
	EVENT("RETIRED_OPS", 0xc1, -1, "operations retired", PPR("PMCx0C1")),
	EVENT("RETIRED_BRANCH_INSTRUCTIONS", 0xc2, -1, "branches retired", PPR("PMCx0C2")),
	EVENT("RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xc3, -1,
	      "mispredicted branches retired", PPR("PMCx0C3")),
	EVENT("RETIRED_TAKEN_BRANCH_INSTRUCTIONS", 0xc4, -1,
	      "taken branches retired", PPR("PMCx0C4")),
	EVENT("RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xc5, -1,
	      "mispredicted taken branches retired", PPR("PMCx0C5")),
	EVENT("RETIRED_FAR_CONTROL_TRANSFERS", 0xc6, -1,
	      "far transfers, interrupts and exceptions", PPR("PMCx0C6")),
	EVENT("RETIRED_NEAR_RETURNS", 0xc8, -1, "near returns retired", PPR("PMCx0C8")),
	EVENT("RETIRED_NEAR_RETURNS_MISPREDICTED", 0xc9, -1,
	      "mispredicted near returns", PPR("PMCx0C9")),
	EVENT("RETIRED_INDIRECT_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xca, -1,
	      "mispredicted indirect branches", PPR("PMCx0CA")),
	EVENT("RETIRED_MMX_FP_INSTRUCTIONS:SSE_INSTR", 0xcb, 0x04,
	      "SSE and AVX instructions retired", PPR("PMCx0CB")),
	EVENT("RETIRED_MMX_FP_INSTRUCTIONS:MMX_INSTR", 0xcb, 0x02,
	      "MMX instructions retired", PPR("PMCx0CB")),
	EVENT("RETIRED_MMX_FP_INSTRUCTIONS:X87_INSTR", 0xcb, 0x01,
	      "x87 instructions retired", PPR("PMCx0CB")),
	EVENT("RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS", 0xd1, -1,
	      "conditional branches retired", PPR("PMCx0D1")),
	EVENT("DIV_CYCLES_BUSY_COUNT", 0xd3, -1,
	      "cycles in which the divider works", PPR("PMCx0D3")),
	EVENT("DIV_OP_COUNT", 0xd4, -1, "divisions", PPR("PMCx0D4")),
};

#define COMMON				\
	.family = FAMILY_AMD,		\
	.events = events,		\
	.nr_events = TABLE_SIZE(events)

const struct event_table table_amd_zen = {
	.name = "amd_zen",
	COMMON,
};

/* Hygon's Family 18h is the same core. Models: arch/x86/kernel/cpu/amd.c of Linux. */
const struct event_table table_amd_zen1 = {
	.name = "amd_zen1",
	.pfm = "amd64_fam17h_zen1",
	.models = (const struct table_model[]){
		{ 0x17, 0x00, 0x2f, 0 },
		{ 0x17, 0x50, 0x5f, 0 },
		{ 0x18, 0x00, 0xff, 0 },
		{ 0, 0, 0, 0 },
	},
	/*
	 * PMCx060 without shared reads, PMCx081, PMCx087. The last one counts stalls of instruction
	 * fetches. Linux takes them for stalls of the frontend and the backend on this core only.
	 */
	.generic = (const struct table_generic[]){
		{ "l1d_misses", "0x60:umask=0xc8" },
		{ "l1i_misses", "0x81" },
		{ "itlb_misses", "0x85" },
		{ "l3_misses", "l3=0x06:umask=0x01" },
		{ "stall_frontend", "0x87:umask=0x02" },
		{ "stall_backend", "0x87:umask=0x01" },
		{ NULL, NULL },
	},
	COMMON,
};

const struct event_table table_amd_zen2 = {
	.name = "amd_zen2",
	.pfm = "amd64_fam17h_zen2",
	.models = (const struct table_model[]){
		{ 0x17, 0x30, 0x4f, 0 },
		{ 0x17, 0x60, 0xff, 0 },
		{ 0, 0, 0, 0 },
	},
	/* PMCx060, PMCx081, PMCx085, PMCx0A9 */
	.generic = (const struct table_generic[]){
		{ "l1d_misses", "0x60:umask=0xc8" },
		{ "l1i_misses", "0x81" },
		{ "itlb_misses", "0x85:umask=0x07" },
		{ "l3_misses", "l3=0x06:umask=0x01" },
		{ "stall_frontend", "0xa9" },
		{ NULL, NULL },
	},
	COMMON,
};

const struct event_table table_amd_zen3 = {
	.name = "amd_zen3",
	.pfm = "amd64_fam19h_zen3",
	.models = (const struct table_model[]){
		{ 0x19, 0x00, 0x0f, 0 },
		{ 0x19, 0x20, 0x5f, 0 },
		{ 0, 0, 0, 0 },
	},
	/* PMCx060, PMCx18E, PMCx085, PMCx0A9; PMCx043: fills from beyond the CCX */
	.generic = (const struct table_generic[]){
		{ "l1d_misses", "0x60:umask=0xe8" },
		{ "l1i_misses", "0x18e:umask=0x18" },
		{ "itlb_misses", "0x85:umask=0x0f" },
		{ "stall_frontend", "0xa9" },
		{ "llc_load_misses", "0x43:umask=0x5c" },
		{ NULL, NULL },
	},
	COMMON,
};

const struct event_table table_amd_zen4 = {
	.name = "amd_zen4",
	.pfm = "amd64_fam19h_zen4",
	.models = (const struct table_model[]){
		{ 0x19, 0x10, 0x1f, 0 },
		{ 0x19, 0x60, 0xff, 0 },
		{ 0, 0, 0, 0 },
	},
	/*
	 * PMCx120, PMCx060, PMCx18E, PMCx085, PMCx0A9; PMCx1A0: slots that the backend left unused,
	 * of six in a cycle; PMCx043: fills from beyond the CCX
	 */
	.generic = (const struct table_generic[]){
		{ "ref_cycles", "0x120:umask=0x01" },
		{ "l1d_misses", "0x60:umask=0xe8" },
		{ "l1i_misses", "0x18e:umask=0x18" },
		{ "itlb_misses", "0x85:umask=0x0f" },
		{ "stall_frontend", "0xa9" },
		{ "stall_backend", "0x1a0:umask=0x1e:cmask=0x06" },
		{ "llc_load_misses", "0x43:umask=0xdc" },
		{ NULL, NULL },
	},
	COMMON,
};
