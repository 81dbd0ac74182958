// SPDX-License-Identifier: GPL-2.0
/* Records as files of comma-separated values. Nothing is written for a value not known. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "node/record.h"

static void write_head(const struct record *record, FILE *f)
{
	int i;

	for (i = 0; i < record->nr_columns; i++)
		fprintf(f, "%s%s", i ? "," : "", record->names[i]);
	fputc('\n', f);
}

static void write_value(double value, int decimals, FILE *f)
{
	if (isnan(value))
		return;
	/* Means of counts have fractions, counts have none. */
	if (decimals == 0 && value != floor(value))
		decimals = 3;
	fprintf(f, "%.*f", decimals, value);
}

void record_write(const struct record *record, const char *path, size_t first)
{
	FILE *f = fopen(path, first ? "ae" : "we");
	size_t row;
	int i;

	if (!f)
		bad("cannot write %s: %s", path, strerror(errno));
	if (!first)
		write_head(record, f);
	for (row = first; row < record->nr_rows; row++)
		for (i = 0; i < record->nr_columns; i++) {
			fputs(i ? "," : "", f);
			write_value(record_row(record, row)[i],
				    !i ? 6 : record->is_count[i] ? 0 : 3, f);
			fputs(i == record->nr_columns - 1 ? "\n" : "", f);
		}
	written(f, path);
	fclose(f);
}

static void read_row(struct record *record, char *line, const char *path)
{
	double *row = record_new_row(record);
	char *word, *end;
	int i;

	for (i = 0; (word = strsep(&line, ",")); i++) {
		if (i == record->nr_columns)
			break;
		row[i] = *word ? strtod(word, &end) : NAN;
		if (*word && *end)
			bad("%s, row %zu: '%s' is not a number", path, record->nr_rows, word);
	}
	if (word || i < record->nr_columns)
		bad("%s, row %zu: the number of values is not that of the columns, %d", path,
		    record->nr_rows, record->nr_columns);
}

static void read_head(struct record *record, char *line, const char *path)
{
	char *word = strsep(&line, ",");

	if (strcmp(word, TIME_COLUMN))
		bad("%s: not samples of pmctrack node: the first column is not " TIME_COLUMN, path);
	while ((word = strsep(&line, ",")))
		record_add_name(record, word);
}

void record_read(struct record *record, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int head = 1;

	if (!f)
		bad("cannot read %s: %s", path, strerror(errno));
	record_init(record);
	for (; getline(&line, &size, f) > 0; head = 0) {
		line[strcspn(line, "\n")] = '\0';
		if (head)
			read_head(record, line, path);
		else
			read_row(record, line, path);
	}
	free(line);
	if (ferror(f))
		bad("cannot read %s: %s", path, strerror(errno));
	if (head)
		bad("%s is empty", path);
	fclose(f);
}
