// SPDX-License-Identifier: GPL-2.0
/* Tables of numbers from CSV files. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "table.h"

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

/* Words after the colons of an event's name that are not part of it (pmctrack-events(7)) */
static const char *const modifiers[] = {
	"ebs", "pmc", "umask", "cmask", "c", "edge", "e", "inv", "i", "any", "u", "usr", "k", "os",
	"extra", "offcore_rsp", "frontend",
};

static bool is_modifier(const char *word, size_t len)
{
	size_t i, key = strcspn(word, "=");

	if (key > len)
		key = len;
	for (i = 0; i < sizeof(modifiers) / sizeof(*modifiers); i++)
		if (strlen(modifiers[i]) == key && !memcmp(modifiers[i], word, key))
			return true;
	return false;
}

/* instr:ebs=1000000 is instr, in windows of 1000000; l2_rqsts:miss:u is l2_rqsts:miss. */
static void remove_modifiers(struct table *t, char *name)
{
	char *from = name + strcspn(name, ":"), *to = from;
	size_t len;

	for (; *from; from += len + 1) {
		len = strcspn(from + 1, ":");
		if (!strncmp(from, ":ebs=", 5))
			t->period = strtod(from + 5, NULL);
		if (is_modifier(from + 1, len))
			continue;
		memmove(to, from, len + 1);
		to += len + 1;
	}
	*to = '\0';
}

/* Compare names without their units. */
static bool same_name(const char *a, const char *b)
{
	size_t len = strcspn(a, "[");

	return len == strcspn(b, "[") && !memcmp(a, b, len);
}

static bool has_column(const struct table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->nr_columns; i++)
		if (same_name(t->name[i], name))
			return true;
	return false;
}

static void add_column(struct table *t, const char *name)
{
	t->name = must_have(realloc(t->name, (t->nr_columns + 1) * sizeof(*t->name)));
	t->name[t->nr_columns++] = must_have(strdup(name));
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

	t->value = must_have(realloc(t->value, (t->nr_rows + 1) * t->nr_columns * sizeof(double)));
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

/* Parse the first line; 0 if it is right. */
static int read_names(struct table *t, char *line, const char *path, char *error, size_t len)
{
	char *name;

	while ((name = field(&line))) {
		remove_modifiers(t, name);
		if (has_column(t, name)) {
			snprintf(error, len, "%s: line 1 has two columns '%s' (modifiers and units do not count)",
				 path, name);
			return -1;
		}
		add_column(t, name);
	}
	if (table_column(t, "event") >= 0)
		return 0;
	snprintf(error, len, "%s: line 1 has no column 'event'; is it from pmctrack --format=csv?", path);
	return -1;
}

/*
 * Windows are matched by their order, so that they have to be those of one thread: several
 * threads end theirs in another order in each run.
 */
static int check_thread(const struct table *t, const char *path, char *error, size_t len)
{
	int tid = table_column(t, "tid");
	size_t row;

	for (row = 0; tid >= 0 && row < t->nr_rows; row++) {
		if (table_value(t, row, tid) == table_value(t, 0, tid))
			continue;
		if (isnan(table_value(t, row, tid)))
			snprintf(error, len, "%s: a sample is not of a thread", path);
		else
			snprintf(error, len, "%s: samples of several threads (%.0f and %.0f); run the program with one",
				 path, table_value(t, 0, tid), table_value(t, row, tid));
		return -1;
	}
	return 0;
}

struct table *table_read(FILE *f, const char *path, char *error, size_t len)
{
	struct table *t = new_array(1, sizeof(*t));
	char *line = NULL;
	size_t size = 0;
	int event;

	if (getline(&line, &size, f) < 0) {
		snprintf(error, len, "%s: the file is empty", path);
		goto failed;
	}
	line[strcspn(line, "\r\n")] = '\0';
	if (read_names(t, line, path, error, len))
		goto failed;
	event = table_column(t, "event");
	while (getline(&line, &size, f) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		t->nr_rows += read_row(t, event, line);
	}
	if (!t->nr_rows) {
		snprintf(error, len, "%s: no sample by event count ('ebs'); count with instr:ebs=N", path);
		goto failed;
	}
	if (check_thread(t, path, error, len))
		goto failed;
	/* Older files have the period in the name of the column. */
	if (!t->period && table_column(t, "ebs_period") >= 0)
		t->period = table_value(t, 0, table_column(t, "ebs_period"));
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
	value = new_array(nr_rows * t->nr_columns, sizeof(double));
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
