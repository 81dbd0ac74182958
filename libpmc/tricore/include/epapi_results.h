/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The results area in each core's data scratchpad. It has the last results, for a
 * debugger, another core, or pmc-epapi-read on a memory dump. It begins at a
 * multiple of 8; all numbers are little-endian.
 *
 *	offset	size
 *	0	4	EPAPI_RESULTS_MAGIC, the bytes "ePAP"
 *	4	1	EPAPI_RESULTS_VERSION
 *	5	1	CORE_ID of the core
 *	6	1	number of entries in use
 *	7	1	EPAPI_RESULTS_*: state of the counters
 *	8	2	size of the area in bytes
 *	10	2	offset of the first entry
 *	12	4	CCTRL as it was when counting started
 *	16		entries of 16 bytes, one for each event of the set:
 *	0	8	value returned by the last call that reads it; 0 before that, and
 *		after another set used the area
 *	8	4	event code
 *	12	4	EPAPI_VALUE_*, kept until counting is started again
 *
 * The area is that of the event set that was started last on the core, or whose
 * task entered last. Each value is written by one store. Values of several events
 * are consistent when no call is in progress.
 */
#ifndef EPAPI_RESULTS_H
#define EPAPI_RESULTS_H

#include <stdint.h>

#define EPAPI_RESULTS_MAGIC	0x50415065u
#define EPAPI_RESULTS_VERSION	1u

/* State of the counters */
#define EPAPI_RESULTS_STOPPED	0u
#define EPAPI_RESULTS_RUNNING	1u

/*
 * The counter overflowed (its sticky bit was set); the value includes the overflow.
 * For ePAPI_ipc and ePAPI_epc, this and the next flag also cover the cycle counter.
 */
#define EPAPI_VALUE_WRAPPED	0x1u
/*
 * The counter overflowed after so long a time that it may have overflowed more than
 * once. The value is then a lower limit; a difference of counters is meaningless.
 * This cannot happen if the counter is read at least once in 2^32 cycles
 * (instructions: once in a third of that). ePAPI_read_counters and
 * ePAPI_accum_counters of one event know only the time of the last overflow or
 * start, so they may set the flag too early. The time is taken from 48 bits of the
 * core's system timer, which restarts after 32 days (at 100 MHz); longer intervals
 * appear short.
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
