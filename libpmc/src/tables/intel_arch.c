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
