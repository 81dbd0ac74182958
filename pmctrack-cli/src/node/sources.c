// SPDX-License-Identifier: GPL-2.0
/* Sources: where the columns of a record come from. */
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "node/sources.h"

/* @by_files and the monitoring modules, or the events of the program */
static const struct source {
	const char *name;
	void (*by_files)(struct sources *s);
	const char *hint;	/* what would provide it */
} table[] = {
#define ROW(name, by_files, hint) { name, by_files, hint },
	SOURCES_BY_FILES(ROW)
#undef ROW
	{ "counters", NULL, "no core type has counters" },
};

#define NR (sizeof(table) / sizeof(table[0]))

static void print_names(char *text, size_t size)
{
	size_t i, n = 0;

	for (i = 0; i < NR && n < size; i++)
		n += snprintf(text + n, size - n, "%s%s", i ? "," : "", table[i].name);
}

static int is_wanted(const char *wanted, const char *name)
{
	size_t len;

	if (!wanted)
		return 1;
	for (; *wanted; wanted += len + (wanted[len] == ',')) {
		len = strcspn(wanted, ",");
		if (len == strlen(name) && !strncmp(wanted, name, len))
			return 1;
	}
	return 0;
}

void sources_check(const char *wanted)
{
	char text[128], all[128], *word, *rest = text;
	size_t i;

	print_names(all, sizeof(all));
	snprintf(text, sizeof(text), "%s", wanted ? wanted : all);
	while ((word = strsep(&rest, ","))) {
		for (i = 0; i < NR && strcmp(word, table[i].name); i++)
			;
		if (i == NR)
			bad("-s: no source '%s': the sources are %s", word, all);
	}
}

static void is_missing(struct sources *s, const struct source *source)
{
	size_t n = strlen(s->missing);

	snprintf(s->missing + n, sizeof(s->missing) - n, "%s%s (%s)", n ? "; " : "", source->name,
		 source->hint);
}

void sources_open(struct sources *s, const pmc_machine_t *machine, const char *wanted,
		  const char *events)
{
	size_t i;
	int before;

	for (i = 0; i < NR; i++) {
		if (!is_wanted(wanted, table[i].name))
			continue;
		before = s->record->nr_columns;
		if (table[i].by_files)
			table[i].by_files(s);
		else
			counters_add(&s->counters, machine, s->record, events);
		if (s->record->nr_columns == before && table[i].by_files)
			module_values_add(&s->module, machine, s->record, table[i].name, &s->cpus);
		if (s->record->nr_columns == before)
			is_missing(s, &table[i]);
	}
}

void sources_start(struct sources *s, unsigned long long period_us)
{
	module_values_start(&s->module, &s->cpus, period_us);
	gauges_start(&s->gauges);
}

void sources_read(struct sources *s, double *row)
{
	gauges_read(&s->gauges, row);
	module_values_read(&s->module, row);
	counters_read(&s->counters, row);
}

/* Stopping takes a while, so that files are read before. */
void sources_read_last(struct sources *s, double *row)
{
	gauges_read(&s->gauges, row);
	module_values_stop(&s->module);
	module_values_read(&s->module, row);
	counters_stop(&s->counters);
	counters_read(&s->counters, row);
}

void sources_close(struct sources *s)
{
	gauges_free(&s->gauges);
	module_values_close(&s->module);
	counters_close(&s->counters);
}
