// SPDX-License-Identifier: GPL-2.0
/*
 * Columns of text that fit a terminal. Of the ways to show a row the first is chosen that fits:
 * counts with separators, headings that are broken into several lines, counts with units. If
 * none fits, a row has several lines.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "common.h"
#include "quote.h"

/* Characters behind which a heading may be broken */
#define BREAKS "_.:,-/#"

int columns_add(struct columns *c, const char *heading, int least)
{
	struct column *all = realloc(c->all, (c->nr + 1) * sizeof(*all));
	char *copy = strdup(heading);

	if (all)
		c->all = all;
	if (!all || !copy) {
		free(copy);
		return -1;
	}
	all[c->nr++] = (struct column){ .heading = copy, .least = abs(least), .left = least < 0 };
	return 0;
}

void columns_must_add(struct columns *c, const char *heading, int least)
{
	must_have(columns_add(c, heading, least) ? NULL : c);
}

void columns_free(struct columns *c)
{
	while (c->nr)
		free(c->all[--c->nr].heading);
	free(c->all);
	c->all = NULL;
}

/* Length of the first piece of a heading that cannot be broken */
static int piece_length(const char *text)
{
	int len = strcspn(text, BREAKS);

	return len + (text[len] != '\0');
}

static int longest_piece(const char *text)
{
	int longest = 0, len;

	for (; *text; text += len) {
		len = piece_length(text);
		if (len > longest)
			longest = len;
	}
	return longest;
}

/* Length of the first line of a heading that is broken at @width */
static int line_length(const char *text, int width)
{
	int len = 0, piece;

	while (text[len]) {
		piece = piece_length(text + len);
		if (len && len + piece > width)
			break;
		len += piece;
	}
	return len;
}

static int nr_heading_lines(const struct column *column)
{
	const char *text = column->heading;
	int nr = 0;

	for (; *text; text += line_length(text, column->width))
		nr++;
	return nr;
}

/* Set the widths of all columns. Return: the width of a row of one line. */
static int set_widths(struct columns *c, enum numbers numbers, int stacked)
{
	int i, heading, sum = 0;

	c->numbers = numbers;
	c->stacked = stacked;
	for (i = 0; i < c->nr; i++) {
		struct column *column = &c->all[i];

		heading = stacked ? longest_piece(column->heading) : (int)strlen(column->heading);
		column->width = column->least ? column->least :
				numbers == NUMBERS_UNITS ? c->narrow : c->wide;
		if (heading > column->width)
			column->width = heading;
		column->line = 0;
		sum += column->width + (i > 0);
	}
	c->nr_lines = 1;
	return sum;
}

static int indentation(const struct columns *c)
{
	int i, sum = 0;

	for (i = 0; i < c->nr_fixed; i++)
		sum += c->all[i].width + (i > 0);
	return sum;
}

/* Distribute the columns over several lines. */
static void break_rows(struct columns *c, int width)
{
	int i, used = indentation(c), line = 0;

	for (i = c->nr_fixed; i < c->nr; i++) {
		if (used + 1 + c->all[i].width > width && used > indentation(c)) {
			line++;
			used = indentation(c);
		}
		used += 1 + c->all[i].width;
		c->all[i].line = line;
	}
	c->nr_lines = line + 1;
}

void columns_fit(struct columns *c, int width, enum numbers numbers)
{
	static const enum numbers forms[] = { NUMBERS_GROUPS, NUMBERS_UNITS };
	int is_auto = numbers == NUMBERS_AUTO, stacked, i;

	if (!width) {
		set_widths(c, is_auto ? NUMBERS_RAW : numbers, 0);
		return;
	}
	for (i = 0; i < (is_auto ? 2 : 1); i++)
		for (stacked = 0; stacked < 2; stacked++)
			if (set_widths(c, is_auto ? forms[i] : numbers, stacked) <= width)
				return;
	break_rows(c, width);
}

/* Line @n from the bottom of a heading, from 0 */
static void print_heading_line(const struct column *column, int stacked, int n, FILE *f)
{
	int total = stacked ? nr_heading_lines(column) : 1, len = strlen(column->heading), i;
	const char *text = column->heading;

	if (n >= total) {
		fprintf(f, "%*s", column->width, "");
		return;
	}
	for (i = 0; stacked && i <= total - 1 - n; i++) {
		text += i ? len : 0;
		len = line_length(text, column->width);
	}
	fprintf(f, "%*.*s", column->left ? -column->width : column->width, len, text);
}

/* Print the blanks before the cell of column @i. 0: the column is in another line. */
static int begin_cell(const struct columns *c, int i, int line, int *first, FILE *f)
{
	if (c->all[i].line != line || (line && i < c->nr_fixed))
		return 0;
	if (*first && line)
		fprintf(f, "%*s", indentation(c), "");
	if (!*first || line)
		fputc(' ', f);
	*first = 0;
	return 1;
}

void columns_print_heading(const struct columns *c, FILE *f)
{
	int line, n, i, most, first;

	for (line = 0; line < c->nr_lines; line++) {
		most = 1;
		for (i = 0; c->stacked && i < c->nr; i++)
			if (c->all[i].line == line && nr_heading_lines(&c->all[i]) > most)
				most = nr_heading_lines(&c->all[i]);
		for (n = most - 1; n >= 0; n--) {
			first = 1;
			for (i = 0; i < c->nr; i++)
				if (begin_cell(c, i, line, &first, f))
					print_heading_line(&c->all[i], c->stacked, n, f);
			fputc('\n', f);
		}
	}
}

void columns_text(struct columns *c, int i, const char *text)
{
	snprintf(c->all[i].cell, sizeof(c->all[i].cell), "%s", text);
}

void columns_number(struct columns *c, int i, unsigned long long value)
{
	number_format(c->all[i].cell, value, c->numbers);
}

void columns_value(struct columns *c, int i, const char *format, double value)
{
	snprintf(c->all[i].cell, sizeof(c->all[i].cell), isnan(value) ? "-" : format, value);
}

void columns_virtual(struct columns *c, int i, const struct pmc_virtual_info *v, uint64_t value)
{
	char text[CELL_MAX];

	pmc_virtual_format(v, value, text, sizeof(text));
	if (text[strspn(text, "0123456789")])
		columns_text(c, i, text);
	else
		columns_number(c, i, strtoull(text, NULL, 10));
}

static int is_empty(const struct columns *c, int line)
{
	int i;

	for (i = 0; i < c->nr; i++)
		if (c->all[i].line == line && *c->all[i].cell && strcmp(c->all[i].cell, "-"))
			return 0;
	return 1;
}

/* Number of columns up to the last one of a line that has text */
static int nr_cells(const struct columns *c, int line)
{
	int nr = c->nr;

	while (nr && (c->all[nr - 1].line != line || !*c->all[nr - 1].cell))
		nr--;
	return nr;
}

void columns_print_row(struct columns *c, FILE *f)
{
	int line, nr_lines, i, nr, first, width;
	const char *cell;

	/* A line in the middle stays if it is empty: values are in the order of the headings. */
	for (nr_lines = c->nr_lines; nr_lines > 1 && is_empty(c, nr_lines - 1); nr_lines--)
		;
	for (line = 0; line < nr_lines; line++) {
		first = 1;
		nr = nr_cells(c, line);
		for (i = 0; i < nr; i++) {
			if (!begin_cell(c, i, line, &first, f))
				continue;
			cell = c->all[i].cell;
			/* printf() counts bytes. */
			width = c->all[i].width + (int)strlen(cell) - text_columns(cell);
			/* No blanks at the end of a line */
			if (c->all[i].left && i == nr - 1)
				width = 0;
			fprintf(f, "%*s", c->all[i].left ? -width : width, cell);
		}
		fputc('\n', f);
	}
	for (i = 0; i < c->nr; i++)
		*c->all[i].cell = '\0';
}
