// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Intel's architectural events: they mean the same on every core type with
 * architectural performance monitoring. Source of all rows: Intel SDM volume
 * 3B, "Performance Monitoring", table "UMask and Event Select Encodings for
 * Pre-Defined Architectural Performance Events".
 */
#include "tables.h"

#define SDM "SDM 3B, pre-defined architectural performance events"

static const struct table_event events[] = {
	EVENT("UNHALTED_CORE_CYCLES", 0x3c, 0x00, "core cycles while not halted", SDM),
	EVENT("UNHALTED_REFERENCE_CYCLES", 0x3c, 0x01, "reference cycles while not halted", SDM),
	EVENT("INSTRUCTION_RETIRED", 0xc0, 0x00, "instructions retired", SDM),
	EVENT("LLC_REFERENCES", 0x2e, 0x4f, "last level cache references", SDM),
	EVENT("LLC_MISSES", 0x2e, 0x41, "last level cache misses", SDM),
	EVENT("BRANCH_INSTRUCTIONS_RETIRED", 0xc4, 0x00, "branches retired", SDM),
	EVENT("MISPREDICTED_BRANCH_RETIRED", 0xc5, 0x00, "mispredicted branches retired", SDM),
	EVENT("TOPDOWN_SLOTS", 0xa4, 0x01, "issue slots while not halted", SDM),
};

const struct event_table table_intel_arch = {
	.name = "intel_arch",
	.family = FAMILY_INTEL,
	.events = events,
	.nr_events = TABLE_SIZE(events),
};

static const struct table_generic generic_tsc[] = {
	{ "bus_cycles", "" },
	{ NULL, NULL },
};

/* Models without a table of their own; perfmon, mapfile.csv */
static const struct table_model models_tsc[] = {
	{ 0x6, 0x8f, 0x8f, 0 },		/* Sapphire Rapids */
	{ 0x6, 0xaa, 0xaa, 0 },		/* Meteor Lake */
	{ 0x6, 0xac, 0xaf, 0 },		/* Meteor Lake, Granite Rapids, Sierra Forest */
	{ 0x6, 0xb5, 0xb6, 0 },		/* Arrow Lake-U, Grand Ridge */
	{ 0x6, 0xbd, 0xbd, 0 },		/* Lunar Lake */
	{ 0x6, 0xc5, 0xc6, 0 },		/* Arrow Lake */
	{ 0x6, 0xcc, 0xcc, 0 },		/* Panther Lake */
	{ 0x6, 0xcf, 0xcf, 0 },		/* Emerald Rapids */
	{ 0x6, 0xdd, 0xdd, 0 },		/* Clearwater Forest */
	{ 0, 0, 0, 0 },
};

/*
 * The same where the reference is the time stamp counter, from Golden Cove and
 * Gracemont on (perfmon, CPU_CLK_UNHALTED.REF_TSC_P), and no bus.
 */
const struct event_table table_intel_arch_tsc = {
	.name = "intel_arch",
	.family = FAMILY_INTEL,
	.models = models_tsc,
	.events = events,
	.nr_events = TABLE_SIZE(events),
	.generic = generic_tsc,
};
