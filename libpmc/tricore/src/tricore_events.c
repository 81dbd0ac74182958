// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The events of TriCore TC1.6P, and the PAPI presets made of them.
 *
 * Native events: AURIX TC29x B-Step User's Manual, chapter "CPU Subsystem",
 * table "Multi-Count Configuration" (TC1.6P); TC1.6.2P of the TC3xx has the
 * same. Their numbers are the setting times three plus the counter.
 *
 * Presets: table 2 of Giesen and others, "ePAPI: Performance Application
 * Programming Interface for Embedded Platforms", without its errors: it has
 * L1_TCM from M1CNT twice and M3CNT where table 1 puts the misses on M2CNT
 * (of instructions and, with another setting, clean ones of data) and M3CNT,
 * and calls ICNT ICCNT. Numbers of presets are PAPI's.
 */
#include "tricore.h"

#define NATIVE(number)	(PMC_TRICORE_NATIVE | (number))
#define PRESET(number)	(PMC_TRICORE_PRESET | (number))

#define CYCLES	PMC_TRICORE_HAS_CYCLES
#define INSTR	PMC_TRICORE_HAS_INSTR
#define M1	PMC_TRICORE_HAS_M1
#define M2	PMC_TRICORE_HAS_M2
#define M3	PMC_TRICORE_HAS_M3

/* Settings of the multiplexed counters. */
#define DISPATCH 0
#define PCACHE	1	/* and, on M3CNT, cycles with several instructions */
#define DCACHE	2
#define MEMORY	3	/* and, on M1CNT, branches */

#define L1_DCM	PRESET(0x00)
#define L1_ICM	PRESET(0x01)
#define L1_TCM	PRESET(0x06)
#define L1_DCH	PRESET(0x3e)
#define L1_DCA	PRESET(0x40)
#define L1_ICH	PRESET(0x49)
#define L1_ICA	PRESET(0x4c)
#define L1_TCH	PRESET(0x55)
#define L1_TCA	PRESET(0x58)

const struct pmc_tricore_event pmc_tricore_events[PMC_TRICORE_NR_EVENTS] = {
	{ "IP_DISPATCH_STALL", NATIVE(0), M1, 0, DISPATCH },
	{ "LS_DISPATCH_STALL", NATIVE(1), M2, 0, DISPATCH },
	{ "LP_DISPATCH_STALL", NATIVE(2), M3, 0, DISPATCH },
	{ "PCACHE_HIT", NATIVE(3), M1, 0, PCACHE },
	{ "PCACHE_MISS", NATIVE(4), M2, 0, PCACHE },
	{ "MULTI_ISSUE", NATIVE(5), M3, 0, PCACHE },
	{ "DCACHE_HIT", NATIVE(6), M1, 0, DCACHE },
	{ "DCACHE_MISS_CLEAN", NATIVE(7), M2, 0, DCACHE },
	{ "DCACHE_MISS_DIRTY", NATIVE(8), M3, 0, DCACHE },
	{ "TOTAL_BRANCH", NATIVE(9), M1, 0, MEMORY },
	{ "PMEM_STALL", NATIVE(10), M2, 0, MEMORY },
	{ "DMEM_STALL", NATIVE(11), M3, 0, MEMORY },

	/* Table 2's names of the first three. */
	{ "IPDISP_STL", NATIVE(0), M1, 0, DISPATCH },
	{ "LSDISP_STL", NATIVE(1), M2, 0, DISPATCH },
	{ "LPDISP_STL", NATIVE(2), M3, 0, DISPATCH },

	{ "PAPI_L1_DCM", L1_DCM, M2 | M3, 0, DCACHE },
	{ "PAPI_L1_ICM", L1_ICM, M2, 0, PCACHE },
	{ "PAPI_L1_TCM", L1_TCM, 0, 0, 0 },
	{ "PAPI_BRU_IDL", PRESET(0x10), CYCLES, M1, MEMORY },
	{ "PAPI_MEM_SCY", PRESET(0x22), M2 | M3, 0, MEMORY },
	{ "PAPI_TOT_INS", PRESET(0x32), INSTR, 0, 0 },
	{ "PAPI_TOT_CYC", PRESET(0x3b), CYCLES, 0, 0 },
	{ "PAPI_L1_DCH", L1_DCH, M1, 0, DCACHE },
	{ "PAPI_L1_DCA", L1_DCA, M1 | M2 | M3, 0, DCACHE },
	{ "PAPI_L1_ICH", L1_ICH, M1, 0, PCACHE },
	{ "PAPI_L1_ICA", L1_ICA, M1 | M2, 0, PCACHE },
	{ "PAPI_L1_ICR", PRESET(0x4f), M1 | M2, 0, PCACHE },
	{ "PAPI_L1_TCH", L1_TCH, 0, 0, 0 },
	{ "PAPI_L1_TCA", L1_TCA, 0, 0, 0 },
};

const struct pmc_tricore_double pmc_tricore_doubles[PMC_TRICORE_NR_DOUBLES] = {
	{ L1_TCM, { L1_ICM, L1_DCM } },
	{ L1_TCH, { L1_ICH, L1_DCH } },
	{ L1_TCA, { L1_ICA, L1_DCA } },
};
