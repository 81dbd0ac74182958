// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events that AMD's cores have had in common since Zen. Source of each row:
 * "Processor Programming Reference for AMD Family 17h", section "Core
 * Performance Monitor Counters"; the PMC number is the one used there.
 */
#include "tables.h"

static const struct table_event events[] = {
	{ "LS_DC_ACCESSES", 0x40, -1, "data cache accesses (PMCx040)" },
	{ "L2_REQUEST_G1", 0x60, 0xff, "level 2 cache requests (PMCx060)" },
	{ "L2_CACHE_REQ_STAT_MISS", 0x64, 0x09, "level 2 cache misses of core requests (PMCx064)" },
	{ "CYCLES_NOT_IN_HALT", 0x76, -1, "cycles while not halted (PMCx076)" },
	{ "IC_FW32", 0x80, -1, "instruction cache fetch windows (PMCx080)" },
	{ "IC_FW32_MISS", 0x81, -1, "instruction cache fetch windows missed (PMCx081)" },
	{ "RETIRED_INSTRUCTIONS", 0xc0, -1, "instructions retired (PMCx0C0)" },
	{ "RETIRED_OPS", 0xc1, -1, "operations retired (PMCx0C1)" },
	{ "RETIRED_BRANCH_INSTRUCTIONS", 0xc2, -1, "branches retired (PMCx0C2)" },
	{ "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xc3, -1, "mispredicted branches retired (PMCx0C3)" },
};

const struct event_table table_amd_zen = {
	.name = "amd_zen",
	.events = events,
	.nr_events = sizeof(events) / sizeof(events[0]),
};
