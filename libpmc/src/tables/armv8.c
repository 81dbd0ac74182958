// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Common events of the ARMv8 PMUv3 architecture. Numbers and names are those of
 * the Arm Architecture Reference Manual (DDI 0487), chapter "The Performance
 * Monitors Extension", "PMU events and event numbers"; each row names the table
 * of that section. Which of them a core type implements is read from
 * its PMCEID registers by the kernel module.
 */
#include "tables.h"

#define ARCH "DDI 0487, Architectural PMU events"
#define MICRO "DDI 0487, Microarchitectural PMU events"
#define COMMON "DDI 0487, Common PMU events"

static const struct table_event events[] = {
	EVENT("SW_INCR", 0x00, -1, "writes of PMSWINC", ARCH),
	EVENT("LD_RETIRED", 0x06, -1, "loads retired", ARCH),
	EVENT("ST_RETIRED", 0x07, -1, "stores retired", ARCH),
	EVENT("INST_RETIRED", 0x08, -1, "instructions retired", ARCH),
	EVENT("EXC_TAKEN", 0x09, -1, "exceptions taken", ARCH),
	EVENT("EXC_RETURN", 0x0a, -1, "exception returns retired", ARCH),
	EVENT("CID_WRITE_RETIRED", 0x0b, -1, "writes of CONTEXTIDR retired", ARCH),
	EVENT("PC_WRITE_RETIRED", 0x0c, -1, "software changes of the PC retired", ARCH),
	EVENT("BR_IMMED_RETIRED", 0x0d, -1, "immediate branches retired", ARCH),
	EVENT("BR_RETURN_RETIRED", 0x0e, -1, "procedure returns retired", ARCH),
	EVENT("UNALIGNED_LDST_RETIRED", 0x0f, -1, "unaligned loads and stores retired", ARCH),
	EVENT("TTBR_WRITE_RETIRED", 0x1c, -1, "writes of TTBR retired", ARCH),
	EVENT("CHAIN", 0x1e, -1, "overflows of the even counter of a pair", ARCH),
	EVENT("BR_RETIRED", 0x21, -1, "branches retired", ARCH),
	EVENT("OP_RETIRED", 0x3a, -1, "micro-operations retired", ARCH),

	EVENT("L1I_CACHE_REFILL", 0x01, -1, "level 1 instruction cache refills", MICRO),
	EVENT("L1I_TLB_REFILL", 0x02, -1, "level 1 instruction TLB refills", MICRO),
	EVENT("L1D_CACHE_REFILL", 0x03, -1, "level 1 data cache refills", MICRO),
	EVENT("L1D_CACHE", 0x04, -1, "level 1 data cache accesses", MICRO),
	EVENT("L1D_TLB_REFILL", 0x05, -1, "level 1 data TLB refills", MICRO),
	EVENT("BR_MIS_PRED", 0x10, -1, "branches mispredicted, speculative", MICRO),
	EVENT("CPU_CYCLES", 0x11, -1, "cycles", MICRO),
	EVENT("BR_PRED", 0x12, -1, "predictable branches, speculative", MICRO),
	EVENT("MEM_ACCESS", 0x13, -1, "data memory accesses", MICRO),
	EVENT("L1I_CACHE", 0x14, -1, "level 1 instruction cache accesses", MICRO),
	EVENT("L1D_CACHE_WB", 0x15, -1, "level 1 data cache write-backs", MICRO),
	EVENT("L2D_CACHE", 0x16, -1, "level 2 cache accesses", MICRO),
	EVENT("L2D_CACHE_REFILL", 0x17, -1, "level 2 cache refills", MICRO),
	EVENT("L2D_CACHE_WB", 0x18, -1, "level 2 cache write-backs", MICRO),
	EVENT("BUS_ACCESS", 0x19, -1, "bus accesses", MICRO),
	EVENT("MEMORY_ERROR", 0x1a, -1, "local memory errors", MICRO),
	EVENT("INST_SPEC", 0x1b, -1, "operations executed speculatively", MICRO),
	EVENT("BUS_CYCLES", 0x1d, -1, "bus cycles", MICRO),
	EVENT("L1D_CACHE_ALLOCATE", 0x1f, -1,
	      "level 1 data cache allocations without refill", MICRO),
	EVENT("L2D_CACHE_ALLOCATE", 0x20, -1, "level 2 cache allocations without refill", MICRO),
	EVENT("BR_MIS_PRED_RETIRED", 0x22, -1, "mispredicted branches retired", MICRO),
	EVENT("STALL_FRONTEND", 0x23, -1, "cycles with nothing to issue from the frontend", MICRO),
	EVENT("STALL_BACKEND", 0x24, -1, "cycles without issue because of the backend", MICRO),
	EVENT("L1D_TLB", 0x25, -1, "level 1 data TLB accesses", MICRO),
	EVENT("L1I_TLB", 0x26, -1, "level 1 instruction TLB accesses", MICRO),
	EVENT("L2I_CACHE", 0x27, -1, "level 2 instruction cache accesses", MICRO),
	EVENT("L2I_CACHE_REFILL", 0x28, -1, "level 2 instruction cache refills", MICRO),
	EVENT("L3D_CACHE_ALLOCATE", 0x29, -1, "level 3 cache allocations without refill", MICRO),
	EVENT("L3D_CACHE_REFILL", 0x2a, -1, "level 3 cache refills", MICRO),
	EVENT("L3D_CACHE", 0x2b, -1, "level 3 cache accesses", MICRO),
	EVENT("L3D_CACHE_WB", 0x2c, -1, "level 3 cache write-backs", MICRO),
	EVENT("L2D_TLB_REFILL", 0x2d, -1, "level 2 data TLB refills", MICRO),
	EVENT("L2I_TLB_REFILL", 0x2e, -1, "level 2 instruction TLB refills", MICRO),
	EVENT("L2D_TLB", 0x2f, -1, "level 2 data TLB accesses", MICRO),
	EVENT("L2I_TLB", 0x30, -1, "level 2 instruction TLB accesses", MICRO),
	EVENT("REMOTE_ACCESS", 0x31, -1, "accesses to another socket", MICRO),
	EVENT("LL_CACHE", 0x32, -1, "last level cache accesses", MICRO),
	EVENT("LL_CACHE_MISS", 0x33, -1, "last level cache misses", MICRO),
	EVENT("DTLB_WALK", 0x34, -1, "data TLB misses with a table walk", MICRO),
	EVENT("ITLB_WALK", 0x35, -1, "instruction TLB misses with a table walk", MICRO),
	EVENT("LL_CACHE_RD", 0x36, -1, "last level cache reads", MICRO),
	EVENT("LL_CACHE_MISS_RD", 0x37, -1, "last level cache read misses", MICRO),
	EVENT("REMOTE_ACCESS_RD", 0x38, -1, "reads from another socket", MICRO),
	EVENT("L1D_CACHE_LMISS_RD", 0x39, -1, "level 1 data cache long-latency read misses", MICRO),
	EVENT("OP_SPEC", 0x3b, -1, "micro-operations executed speculatively", MICRO),
	EVENT("STALL", 0x3c, -1, "cycles in which nothing was sent for execution", MICRO),
	EVENT("STALL_SLOT_BACKEND", 0x3d, -1, "slots unused because of the backend", MICRO),
	EVENT("STALL_SLOT_FRONTEND", 0x3e, -1, "slots unused because of the frontend", MICRO),
	EVENT("STALL_SLOT", 0x3f, -1, "slots unused", MICRO),

	EVENT("CNT_CYCLES", 0x4004, -1, "cycles at a constant frequency", COMMON),
	EVENT("STALL_BACKEND_MEM", 0x4005, -1, "cycles without issue because of memory", COMMON),
	EVENT("L1I_CACHE_LMISS", 0x4006, -1,
	      "level 1 instruction cache long-latency misses", COMMON),
	EVENT("L2D_CACHE_LMISS_RD", 0x4009, -1, "level 2 cache long-latency read misses", COMMON),
	EVENT("L2I_CACHE_LMISS", 0x400a, -1,
	      "level 2 instruction cache long-latency misses", COMMON),
	EVENT("L3D_CACHE_LMISS_RD", 0x400b, -1, "level 3 cache long-latency read misses", COMMON),
};

const struct event_table table_armv8 = {
	.name = "armv8",
	.family = FAMILY_ARM,
	.events = events,
	.nr_events = TABLE_SIZE(events),
};
