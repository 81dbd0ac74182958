/* SPDX-License-Identifier: GPL-2.0 */
/* The samples of a run: named columns of numbers, a row for each sample. */
#ifndef PMCTRACK_NODE_RECORD_H
#define PMCTRACK_NODE_RECORD_H

#include <stddef.h>

/* Columns are named QUANTITY/WHERE[UNIT]: frequency/cpu0[MHz]. Column 0 is the time. */
#define TIME_COLUMN "time[s]"

/**
 * struct record - the samples of a run
 * @names: name of each column
 * @is_count: the column has increases since the previous row; else it has levels
 * @values: all rows, one behind the other; NAN: not known
 */
struct record {
	int nr_columns;
	char **names;
	char *is_count;
	size_t nr_rows;
	size_t room;
	double *values;
};

/* A record that has the column of the time */
void record_init(struct record *record);
void record_free(struct record *record);

/* Add a column, before the first row. Return: its index. */
int record_add_name(struct record *record, const char *name);
/* The same, of a quantity that record_is_count() knows: frequency, "cpu0" */
int record_add(struct record *record, const char *quantity, const char *where);

/* A new row of NAN at the end, 0 in columns of counts; valid until the next one is added. */
double *record_new_row(struct record *record);

static inline double *record_row(const struct record *record, size_t row)
{
	return record->values + row * record->nr_columns;
}

/* Index of the column with this name, or -1. */
int record_find(const struct record *record, const char *name);

/* Is the column of this quantity? Then @where, if not NULL, gets what follows it. */
int record_is(const struct record *record, int column, const char *quantity, char *where,
	      size_t size);

/* Sum of a column's known values */
double record_sum(const struct record *record, int column);

/* Seconds that a row covers */
double record_seconds(const struct record *record, size_t row);

/* Write rows from number @first on, the head before row 0, to @path; bad() on failure. */
void record_write(const struct record *record, const char *path, size_t first);
/* Read what record_write() wrote; bad() on failure. */
void record_read(struct record *record, const char *path);

#endif
