// SPDX-License-Identifier: GPL-2.0
/* The samples of a run: named columns of numbers, a row for each sample. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "node/record.h"

static const struct quantity {
	const char *name;
	const char *unit;
	int is_count;
} quantities[] = {
	{ "frequency", "[MHz]", 0 },
	{ "temperature", "[degC]", 0 },
	{ "energy", "[uJ]", 1 },
	{ "limit", "[W]", 0 },
	{ "throttles", "", 1 },
	{ "throttled", "", 0 },	/* a bit for each reason */
	{ "events", "", 1 },
};

static const struct quantity *find(const char *name)
{
	size_t i, len = strcspn(name, "/[");

	for (i = 0; i < sizeof(quantities) / sizeof(quantities[0]); i++)
		if (strlen(quantities[i].name) == len && !strncmp(quantities[i].name, name, len))
			return &quantities[i];
	return NULL;
}

void record_init(struct record *record)
{
	memset(record, 0, sizeof(*record));
	record_add_name(record, TIME_COLUMN);
}

void record_free(struct record *record)
{
	int i;

	for (i = 0; i < record->nr_columns; i++)
		free(record->names[i]);
	free(record->names);
	free(record->is_count);
	free(record->values);
}

int record_add_name(struct record *record, const char *name)
{
	const struct quantity *q = find(name);
	int n = record->nr_columns++;
	char *p;

	record->names = must_have(realloc(record->names, (n + 1) * sizeof(*record->names)));
	record->is_count = must_have(realloc(record->is_count, n + 1));
	record->is_count[n] = q && q->is_count;
	record->names[n] = must_have(strdup(name));
	/* Names of sensors may have what separates columns. */
	for (p = record->names[n]; *p; p++)
		if (strchr(",\"\n", *p))
			*p = '_';
	return n;
}

int record_add(struct record *record, const char *quantity, const char *where)
{
	char name[192];

	snprintf(name, sizeof(name), "%s/%s%s", quantity, where, find(quantity)->unit);
	return record_add_name(record, name);
}

double *record_new_row(struct record *record)
{
	double *row;
	int i;

	if (record->nr_rows == record->room) {
		record->room = record->room ? 2 * record->room : 64;
		record->values = must_have(realloc(record->values, record->room *
						   record->nr_columns * sizeof(double)));
	}
	row = record_row(record, record->nr_rows++);
	for (i = 0; i < record->nr_columns; i++)
		row[i] = record->is_count[i] ? 0 : NAN;
	return row;
}

int record_find(const struct record *record, const char *name)
{
	int i;

	for (i = 0; i < record->nr_columns; i++)
		if (!strcmp(record->names[i], name))
			return i;
	return -1;
}

int record_is(const struct record *record, int column, const char *quantity, char *where,
	      size_t size)
{
	const char *name = record->names[column];
	size_t len = strlen(quantity);

	if (strncmp(name, quantity, len) || name[len] != '/')
		return 0;
	name += len + 1;
	if (where)
		snprintf(where, size, "%.*s", (int)strcspn(name, "["), name);
	return 1;
}

double record_sum(const struct record *record, int column)
{
	double sum = 0, value;
	size_t row;

	for (row = 0; row < record->nr_rows; row++) {
		value = record_row(record, row)[column];
		if (!isnan(value))
			sum += value;
	}
	return sum;
}

double record_seconds(const struct record *record, size_t row)
{
	return record_row(record, row)[0] - (row ? record_row(record, row - 1)[0] : 0);
}
