/* SPDX-License-Identifier: GPL-2.0 */
/* Find and parse ePAPI's results areas in a dump of memory. */
#ifndef PMC_EPAPI_DUMP_H
#define PMC_EPAPI_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define DUMP_MAX_EVENTS	255

struct dump_event {
	uint32_t code;
	int64_t value;
	bool wrapped;
	bool inexact;
};

/**
 * struct dump_area - a results area
 * @offset: where it begins in the dump
 * @core: CORE_ID of its core
 * @running: the counters were running
 * @cctrl: CCTRL when counting began
 * @first: offset of its first entry
 * @nr: number of events
 */
struct dump_area {
	size_t offset;
	size_t first;
	unsigned int core;
	bool running;
	uint32_t cctrl;
	unsigned int nr;
	struct dump_event events[DUMP_MAX_EVENTS];
};

/* The error of an area whose header is in the file, but whose end is not. */
extern const char dump_incomplete[];

/*
 * Parse the area at an offset. Returns NULL, or the error as a line that continues
 * "offset N: ".
 */
const char *dump_parse(const uint8_t *data, size_t size, size_t offset, struct dump_area *area);

/* Offset of the end of an area's entries. */
size_t dump_end(const struct dump_area *area);

/*
 * Find the next area from an offset on. Bytes that begin like an area but are none are
 * skipped. Returns false if there is no further area. If *why was NULL, it is then the
 * error of the first place that was skipped, and *at its offset; an incomplete area
 * (dump_incomplete) takes precedence.
 */
bool dump_search(const uint8_t *data, size_t size, size_t from, struct dump_area *area,
		 const char **why, size_t *at);

/* pmctrack's generic event for an event of ePAPI, or NULL. */
const char *dump_generic_name(uint32_t code);

struct dump_format {
	const char *name;
	void (*begin)(FILE *f);
	void (*area)(FILE *f, const char *file, const struct dump_area *area, bool first);
	void (*end)(FILE *f);
};

extern const struct dump_format dump_formats[];
const struct dump_format *dump_find_format(const char *name);

#endif
