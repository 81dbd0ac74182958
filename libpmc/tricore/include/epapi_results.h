/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The area in each core's data scratchpad in which the last results stand, for
 * a debugger, another core, or pmc-epapi-read on a memory dump. It begins at a
 * multiple of 8; all numbers are little-endian.
 *
 *	offset	size
 *	0	4	EPAPI_RESULTS_MAGIC, the bytes "ePAP"
 *	4	1	EPAPI_RESULTS_VERSION
 *	5	1	CORE_ID of the core
 *	6	1	how many of the entries are in use
 *	7	1	EPAPI_RESULTS_*: what the counters do
 *	8	2	size of the area in bytes
 *	10	2	offset of the first entry
 *	12	4	CCTRL as it was when counting started
 *	16		entries of 16 bytes, one for each event of the set:
 *	0	8	value: what the last call that gave it gave; 0 before that, and
 *		after another set had the area
 *	8	4	event code
 *	12	4	EPAPI_VALUE_*, kept until counting is started anew
 *
 * The area is of the event set that was started last (or whose task entered
 * last) on the core. Each value is written at once; those of several events
 * belong together when no call is under way.
 */
#ifndef EPAPI_RESULTS_H
#define EPAPI_RESULTS_H

#include <stdint.h>

#define EPAPI_RESULTS_MAGIC	0x50415065u
#define EPAPI_RESULTS_VERSION	1u

/* What the counters do. */
#define EPAPI_RESULTS_STOPPED	0u
#define EPAPI_RESULTS_RUNNING	1u

/*
 * The counter's sticky bit was set: it overflowed, and the overflow is in the
 * value. Of ePAPI_ipc and ePAPI_epc, here and below: or that of the cycles was.
 */
#define EPAPI_VALUE_WRAPPED	0x1u
/*
 * It overflowed, and so much time had passed that it may have done so more than
 * once: at least the value was counted (for a difference: it means nothing).
 * Never so when it is read at least once in 2^32 cycles, instructions once in a
 * third of that. ePAPI_read_counters and ePAPI_accum_counters of one event know the
 * time of the last overflow only (or of the start), and may flag it too early.
 * Time is told from 48 bits of the core's system timer: after 32 days (at 100 MHz) it
 * begins anew, and so long a wait may look short.
 */
#define EPAPI_VALUE_INEXACT	0x2u

/* Events in one set. */
#ifndef EPAPI_MAX_EVENTS
#define EPAPI_MAX_EVENTS	8
#endif

struct epapi_result {
	uint64_t value;
	uint32_t event;
	uint32_t flags;
};

struct epapi_results {
	uint32_t magic;
	uint8_t version;
	uint8_t core;
	uint8_t nr;
	uint8_t state;
	uint16_t size;
	uint16_t first;
	uint32_t cctrl;
	struct epapi_result entry[EPAPI_MAX_EVENTS];
};

#endif /* EPAPI_RESULTS_H */
