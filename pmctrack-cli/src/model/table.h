/* SPDX-License-Identifier: GPL-2.0 */
/* Tables of numbers from CSV files as pmctrack writes them. */
#ifndef PMC_MODEL_TABLE_H
#define PMC_MODEL_TABLE_H

#include <stddef.h>
#include <stdio.h>

/**
 * struct table - the samples of a program that was sampled by event count
 * @period: length of a window: number of events of the one that has ebs=; 0: not known
 * @nr_columns: columns
 * @name: their names, without modifiers
 * @nr_rows: samples
 * @value: row by row; NAN where a field is empty or no number
 */
struct table {
	double period;
	size_t nr_columns;
	char **name;
	size_t nr_rows;
	double *value;
};

/*
 * Read the samples by event count ("ebs"). They have to be of one thread. NULL: @error has the reason, in at most @len
 * characters.
 */
struct table *table_read(FILE *f, const char *path, char *error, size_t len);
void table_free(struct table *t);

/* A column by name, or -1. */
int table_column(const struct table *t, const char *name);

static inline double table_value(const struct table *t, size_t row, int column)
{
	return t->value[row * t->nr_columns + column];
}

/*
 * Add the columns of @more that @t does not have. @more is from a run of the same program
 * with windows of the same length and other events. Rows that only one of them has are
 * removed.
 */
void table_join(struct table *t, const struct table *more);

#endif /* PMC_MODEL_TABLE_H */
