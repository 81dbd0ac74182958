/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gauges: open files that have one number, each for a column of a record. A sample costs a
 * read of each file, and nothing else.
 */
#ifndef PMCTRACK_NODE_GAUGE_H
#define PMCTRACK_NODE_GAUGE_H

#include <stdint.h>

#include "node/record.h"

/**
 * struct gauge - an open file
 * @column: its column
 * @scale: numbers times this are in the column's unit
 * @binary: the number is 8 bytes, not text
 * @is_count: the column has increases
 * @last: what the file had
 * @wrap: the number after this one is 0; 0: numbers do not wrap
 */
struct gauge {
	int fd;
	int column;
	double scale;
	int binary;
	int is_count;
	uint64_t last;
	uint64_t wrap;
};

struct gauges {
	int nr;
	struct gauge *all;
};

/*
 * Add a gauge and its column, QUANTITY/WHERE, if the file can be read. NULL if it cannot. The
 * gauge may be changed until the next one is added.
 */
struct gauge *gauge_add(struct gauges *gauges, struct record *record, const char *quantity,
			const char *where, double scale, const char *path, ...)
	__attribute__((format(printf, 6, 7)));

/* The same with an open file, which becomes the gauge's. */
struct gauge *gauge_add_fd(struct gauges *gauges, struct record *record, const char *quantity,
			   const char *where, double scale, int fd);

/* Counts begin now. */
void gauges_start(struct gauges *gauges);
/* Put the present values into a row. */
void gauges_read(struct gauges *gauges, double *row);
void gauges_free(struct gauges *gauges);

#endif
