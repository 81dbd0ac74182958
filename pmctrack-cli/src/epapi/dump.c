// SPDX-License-Identifier: GPL-2.0
/* Find results areas in a dump, and parse them. See epapi_results.h. */
#include <string.h>

#include "dump.h"
#include "epapi_results.h"

#define HEADER		16
#define ENTRY		16
#define MOST_CORES	7	/* CORE_ID has three bits */

const char dump_incomplete[] = "the file ends within the results area: dump more of the memory";

static uint64_t number(const uint8_t *at, unsigned int bytes)
{
	uint64_t n = 0;

	while (bytes--)
		n = n << 8 | at[bytes];
	return n;
}

const char *dump_parse(const uint8_t *data, size_t size, size_t offset, struct dump_area *area)
{
	size_t left, room, first;
	const uint8_t *at;
	unsigned int i;

	if (offset > size || size - offset < HEADER)
		return "the file ends before a results area could";
	at = data + offset;
	left = size - offset;
	if (number(at, 4) != EPAPI_RESULTS_MAGIC)
		return "no results area: it does not begin with \"ePAP\"";
	if (at[4] != EPAPI_RESULTS_VERSION)
		return "a results area of another version than 1: use the pmc-epapi-read that came with the firmware's library";
	room = number(at + 8, 2);
	first = number(at + 10, 2);
	area->offset = offset;
	area->first = offset + first;
	area->core = at[5];
	area->nr = at[6];
	area->running = at[7] == EPAPI_RESULTS_RUNNING;
	area->cctrl = number(at + 12, 4);
	if (area->core > MOST_CORES || at[7] > EPAPI_RESULTS_RUNNING || !area->nr ||
	    first < HEADER || first + area->nr * ENTRY > room)
		return "no results area, or a damaged one: its header makes no sense";
	if (first + area->nr * ENTRY > left)
		return dump_incomplete;

	for (i = 0; i < area->nr; i++) {
		const uint8_t *entry = at + first + i * ENTRY;
		uint32_t flags = number(entry + 12, 4);

		area->events[i].value = (int64_t)number(entry, 8);
		area->events[i].code = number(entry + 8, 4);
		area->events[i].wrapped = flags & EPAPI_VALUE_WRAPPED;
		area->events[i].inexact = flags & EPAPI_VALUE_INEXACT;
	}
	return NULL;
}

size_t dump_end(const struct dump_area *area)
{
	return area->first + area->nr * ENTRY;
}

bool dump_search(const uint8_t *data, size_t size, size_t from, struct dump_area *area,
		 const char **why, size_t *at)
{
	size_t offset;

	for (offset = from; offset < size && size - offset >= 4; offset++) {
		const char *wrong;

		if (number(data + offset, 4) != EPAPI_RESULTS_MAGIC)
			continue;
		wrong = dump_parse(data, size, offset, area);
		if (!wrong)
			return true;
		if (!*why || (wrong == dump_incomplete && *why != dump_incomplete)) {
			*why = wrong;
			*at = offset;
		}
	}
	return false;
}
