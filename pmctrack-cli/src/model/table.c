// SPDX-License-Identifier: GPL-2.0
/* Tables of numbers from CSV files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../command.h"
#include "table.h"

static void *enough(void *memory)
{
	if (!memory)
		bad("out of memory");
	return memory;
}

void table_free(struct table *t)
{
	size_t i;

	for (i = 0; i < t->nr_columns; i++)
		free(t->name[i]);
	free(t->name);
	free(t->value);
	free(t);
}

/* A virtual counter's column has the unit after the name; the user may leave it out. */
int table_column(const struct table *t, const char *name)
{
	size_t i, len = strlen(name);

	for (i = 0; i < t->nr_columns; i++)
		if (!strncmp(t->name[i], name, len) &&
		    (!t->name[i][len] || t->name[i][len] == '['))
			return i;
	return -1;
}

/* The next field of a line, without its quotes; NULL at the end. */
static char *field(char **rest)
{
	char *start = *rest, *end, *to;

	if (!start)
		return NULL;
	if (*start == '"') {
		to = end = ++start;
		while (*end && (*end != '"' || end[1] == '"')) {
			end += *end == '"';
			*to++ = *end++;
		}
		end += *end == '"';
		*rest = *end == ',' ? end + 1 : NULL;
		*to = '\0';
		return start;
	}
	end = start + strcspn(start, ",");
	*rest = *end ? end + 1 : NULL;
	*end = '\0';
	return start;
}

static void add_column(struct table *t, const char *name)
{
	t->name = enough(realloc(t->name, (t->nr_columns + 1) * sizeof(*t->name)));
	t->name[t->nr_columns++] = enough(strdup(name));
}

static double number(const char *text)
{
	char *end;
	double d = strtod(text, &end);

	return end == text || *end ? NAN : d;
}

/* Parse a sample; false if its type is not "ebs", or if it has too many fields. */
static int read_row(struct table *t, int event, char *line)
{
	double *row;
	size_t i;
	char *text;
	int ebs = 0;

	t->value = enough(realloc(t->value, (t->nr_rows + 1) * t->nr_columns * sizeof(double)));
	row = t->value + t->nr_rows * t->nr_columns;
	for (i = 0; (text = field(&line)); i++) {
		if (i == t->nr_columns)
			return 0;
		row[i] = number(text);
		if ((int)i == event)
			ebs = !strcmp(text, "ebs");
	}
	for (; i < t->nr_columns; i++)
		row[i] = NAN;
	return ebs;
}

struct table *table_read(FILE *f, const char *path, char *error, size_t len)
{
	struct table *t = enough(calloc(1, sizeof(*t)));
	char *line = NULL, *rest, *name;
	size_t size = 0;
	int event;

	if (getline(&line, &size, f) < 0) {
		snprintf(error, len, "%s: the file is empty", path);
		goto failed;
	}
	rest = line;
	line[strcspn(line, "\r\n")] = '\0';
	while ((name = field(&rest))) {
		/* instr:ebs=1000000 is instr. */
		name[strcspn(name, ":")] = '\0';
		add_column(t, name);
	}
	event = table_column(t, "event");
	if (event < 0) {
		snprintf(error, len, "%s: line 1 has no column 'event'; is it from pmctrack --format=csv?",
			 path);
		goto failed;
	}
	while (getline(&line, &size, f) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		t->nr_rows += read_row(t, event, line);
	}
	if (!t->nr_rows) {
		snprintf(error, len, "%s: no sample by event count ('ebs'); count with instr:ebs=N", path);
		goto failed;
	}
	free(line);
	return t;
failed:
	free(line);
	table_free(t);
	return NULL;
}

void table_join(struct table *t, const struct table *more)
{
	size_t nr_rows = t->nr_rows < more->nr_rows ? t->nr_rows : more->nr_rows;
	size_t old_columns = t->nr_columns, row, i;
	double *value;

	for (i = 0; i < more->nr_columns; i++)
		if (table_column(t, more->name[i]) < 0)
			add_column(t, more->name[i]);
	value = enough(calloc(nr_rows * t->nr_columns + 1, sizeof(double)));
	for (row = 0; row < nr_rows; row++) {
		double *to = value + row * t->nr_columns;

		memcpy(to, t->value + row * old_columns, old_columns * sizeof(double));
		for (i = old_columns; i < t->nr_columns; i++)
			to[i] = table_value(more, row, table_column(more, t->name[i]));
	}
	free(t->value);
	t->value = value;
	t->nr_rows = nr_rows;
}
