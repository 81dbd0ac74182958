// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * AMD before Zen: Family 10h to 16h. libpfm4 knows most of them; here is what
 * they have in common. Source: "BIOS and Kernel Developer's Guide for AMD
 * Family 15h Models 00h-0Fh" (42301), "Core Performance Counter Events"; the PMC
 * number is the one used there. Names are libpfm4's.
 */
#include "tables.h"

#define BKDG(pmc) "BKDG 42301: " pmc

static const struct table_event events[] = {
	EVENT("DATA_CACHE_ACCESSES", 0x40, -1, "data cache accesses", BKDG("PMCx040")),
	EVENT("CPU_CLK_UNHALTED", 0x76, -1, "cycles while not halted", BKDG("PMCx076")),
	EVENT("INSTRUCTION_CACHE_FETCHES", 0x80, -1, "instruction cache fetches", BKDG("PMCx080")),
	EVENT("INSTRUCTION_CACHE_MISSES", 0x81, -1, "instruction cache misses", BKDG("PMCx081")),
	EVENT("RETIRED_INSTRUCTIONS", 0xc0, -1, "instructions retired", BKDG("PMCx0C0")),
	EVENT("RETIRED_UOPS", 0xc1, -1, "operations retired", BKDG("PMCx0C1")),
	EVENT("RETIRED_BRANCH_INSTRUCTIONS", 0xc2, -1, "branches retired", BKDG("PMCx0C2")),
	EVENT("RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", 0xc3, -1,
	      "mispredicted branches retired", BKDG("PMCx0C3")),
	EVENT("DECODER_EMPTY", 0xd0, -1,
	      "cycles in which the decoders delivered nothing", BKDG("PMCx0D0")),
	EVENT("DISPATCH_STALLS", 0xd1, -1,
	      "cycles in which nothing was dispatched", BKDG("PMCx0D1")),
};

static const struct table_generic generic[] = {
	{ "llc_references", "0x7d:umask=0x07" },
	{ "llc_misses", "0x7e:umask=0x07" },
	{ "loads", "" },
	{ "stores", "" },
	{ "l1d_references", "0x40" },
	{ "l1d_misses", "0x41:umask=0x01" },
	{ "l1i_misses", "0x81" },
	{ "l2_references", "0x7d:umask=0x07" },
	{ "l2_misses", "0x7e:umask=0x07" },
	{ "dtlb_misses", "0x46:umask=0x07" },
	{ "itlb_misses", "0x85:umask=0x03" },
	{ "stall_frontend", "0xd0" },
	{ "stall_backend", "0xd1" },
	{ NULL, NULL },
};

static const struct table_model models[] = {
	{ 0x10, 0x00, 0xff, 0 },
	{ 0x11, 0x00, 0xff, 0 },
	{ 0x12, 0x00, 0xff, 0 },
	{ 0x14, 0x00, 0xff, 0 },
	{ 0x15, 0x00, 0xff, 0 },
	{ 0x16, 0x00, 0xff, 0 },
	{ 0, 0, 0, 0 },
};

const struct event_table table_amd_fam15h = {
	.name = "amd_fam15h",
	.family = FAMILY_AMD,
	.models = models,
	.events = events,
	.nr_events = TABLE_SIZE(events),
	.generic = generic,
};
