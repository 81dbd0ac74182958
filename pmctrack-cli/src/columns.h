/* SPDX-License-Identifier: GPL-2.0 */
/* Columns of text that fit a terminal: narrow headings and, if need be, several lines a row. */
#ifndef PMCTRACK_COLUMNS_H
#define PMCTRACK_COLUMNS_H

#include <stdio.h>

#include "format_count.h"
#include "pmctrack.h"

/* Longest text of a cell, with its terminating zero */
#define CELL_MAX 64

/**
 * struct column - a column
 * @heading: its heading
 * @least: its least width; 0: that of a count in the form that is chosen
 * @left: its text is at the left
 * @width: its width
 * @line: the line of a row that it is in, from 0
 * @cell: its text in the row to print
 */
struct column {
	char *heading;
	int least;
	int left;
	int width;
	int line;
	char cell[CELL_MAX];
};

/**
 * struct columns - all columns of a table
 * @nr_fixed: the first columns, which are in the first line of a row
 * @wide: width of a count, with all its digits
 * @narrow: the same with a unit
 * @nr_lines: lines of a row
 * @stacked: headings have several lines
 * @numbers: the form of counts
 */
struct columns {
	int nr;
	struct column *all;
	int nr_fixed;
	int wide;
	int narrow;
	int nr_lines;
	int stacked;
	enum numbers numbers;
};

/*
 * Add a column that is at least @least wide, with its text at the left if that is below 0; if it
 * is 0, the column is as wide as counts are. -1: no memory.
 */
int columns_add(struct columns *c, const char *heading, int least);

/* The same; bad() if there is no memory. */
void columns_must_add(struct columns *c, const char *heading, int least);

/*
 * Fit the columns into @width characters; 0: one line a row, whatever its width. NUMBERS_AUTO
 * becomes the first form that fits.
 */
void columns_fit(struct columns *c, int width, enum numbers numbers);

void columns_print_heading(const struct columns *c, FILE *f);

/* Text, or a count, in column @i of the row to print */
void columns_text(struct columns *c, int i, const char *text);
void columns_number(struct columns *c, int i, unsigned long long value);
/* A number in printf()'s @format, which has a conversion of a double; "-" for NAN */
void columns_value(struct columns *c, int i, const char *format, double value);
/* The value of a virtual counter */
void columns_virtual(struct columns *c, int i, const struct pmc_virtual_info *v, uint64_t value);
/*
 * Print the row, and empty its cells. A line behind the first that has nothing but empty cells
 * and "-" is left out.
 */
void columns_print_row(struct columns *c, FILE *f);

void columns_free(struct columns *c);

#endif
