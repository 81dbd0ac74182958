/* SPDX-License-Identifier: GPL-2.0 */
/* ePAPI's results areas in a dump of memory. */
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
 * @running: the counters ran
 * @cctrl: CCTRL when counting began
 * @first: offset of the first of its entries
 * @nr: events
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

/* What is wrong with an area whose header is in the file, and whose end is not. */
extern const char dump_cut_off[];

/*
 * The area at an offset. Returns NULL, or what is wrong with it: a line that
 * continues "offset N: ".
 */
const char *dump_parse(const uint8_t *data, size_t size, size_t offset, struct dump_area *area);

/* Where an area's entries end. */
size_t dump_end(const struct dump_area *area);

/*
 * The next area from an offset on; what begins like one, but is none, is passed
 * over. Returns false if there is none. *why, if it was NULL, is then what was
 * wrong with the first that was passed over, and *at where it is; but one that
 * is cut off comes first.
 */
bool dump_search(const uint8_t *data, size_t size, size_t from, struct dump_area *area,
		 const char **why, size_t *at);

/* The name that pmctrack has for an event, or NULL. */
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
