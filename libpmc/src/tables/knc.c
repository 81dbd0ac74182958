// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Knights Corner, whose events are not the architectural ones. Source: "Intel
 * Xeon Phi Coprocessor (codename: Knights Corner) Performance Monitoring Units"
 * (327357), "Event Descriptions". Names are those used there and by libpfm4.
 */
#include "tables.h"

#define PMU "Intel 327357, Event Descriptions"

static const struct table_event events[] = {
	EVENT("DATA_READ", 0x00, 0x00, "data reads that hit level 1", PMU),
	EVENT("DATA_WRITE", 0x01, 0x00, "data writes that hit level 1", PMU),
	EVENT("DATA_PAGE_WALK", 0x02, 0x00, "level 1 data TLB misses", PMU),
	EVENT("CODE_PAGE_WALK", 0x0d, 0x00, "level 1 instruction TLB misses", PMU),
	EVENT("CODE_CACHE_MISS", 0x0e, 0x00, "instruction cache misses", PMU),
	EVENT("BRANCHES", 0x12, 0x00, "branches", PMU),
	EVENT("INSTRUCTIONS_EXECUTED", 0x16, 0x00, "instructions executed", PMU),
	EVENT("DATA_READ_OR_WRITE", 0x28, 0x00, "demand data loads and stores", PMU),
	EVENT("DATA_READ_MISS_OR_WRITE_MISS", 0x29, 0x00,
	      "demand loads and stores that missed level 1", PMU),
	EVENT("CPU_CLK_UNHALTED", 0x2a, 0x00, "cycles in which a thread of the core ran", PMU),
	EVENT("BRANCHES_MISPREDICTED", 0x2b, 0x00, "mispredicted branches", PMU),
	EVENT("FE_STALLED", 0x2d, 0x00, "cycles in which the frontend could not advance", PMU),
	EVENT("EXEC_STAGE_CYCLES", 0x2e, 0x00, "cycles in which the thread executed", PMU),
	EVENT("L2_READ_MISS", 0xcb, 0x10, "level 2 cache read misses", PMU),
};

static const struct table_generic generic[] = {
	{ "instr", "0x16:umask=0x00" },
	{ "cycles", "0x2a:umask=0x00" },
	{ "ref_cycles", "" },
	{ "branches", "0x12:umask=0x00" },
	{ "branch_misses", "0x2b:umask=0x00" },
	{ "llc_references", "" },
	{ "llc_misses", "0xcb:umask=0x10" },
	{ "l1d_references", "0x28:umask=0x00" },
	{ "l1d_misses", "0x29:umask=0x00" },
	{ "l1i_misses", "0x0e:umask=0x00" },
	{ "l2_references", "" },
	{ "l2_misses", "0xcb:umask=0x10" },
	{ "dtlb_misses", "0x02:umask=0x00" },
	{ "itlb_misses", "0x0d:umask=0x00" },
	{ "stall_frontend", "0x2d:umask=0x00" },
	{ "stall_backend", "" },
	{ "bus_cycles", "" },
	{ NULL, NULL },
};

static const struct table_model models[] = {
	{ 0xb, 0x00, 0xff, 0 },
	{ 0, 0, 0, 0 },
};

const struct event_table table_knc = {
	.name = "knc",
	.family = FAMILY_INTEL,
	.pfm = "knc",
	.models = models,
	.events = events,
	.nr_events = TABLE_SIZE(events),
	.generic = generic,
};
