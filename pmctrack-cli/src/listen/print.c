// SPDX-License-Identifier: GPL-2.0
/* The output of pmctrack listen: a table, and CSV. */
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "common.h"
#include "listen/listen.h"
#include "output.h"
#include "quote.h"
#include "report.h"

/* Session, thread, name, core type, type of the sample */
#define NR_FIXED 5

static const char *core_name(const struct listen_print *p, int core_type)
{
	const struct pmc_core_type_info *info = pmc_machine_core_type(p->machine, core_type);

	return info ? info->name : "?";
}

static void print_period(uint64_t ns, FILE *f)
{
	if (!ns)
		fprintf(f, "totals of each thread");
	else
		fprintf(f, "every %g ms", ns / 1e6);
}

static void print_user(uid_t uid, FILE *f)
{
	const struct passwd *user = getpwuid(uid);

	if (user)
		fprintf(f, "%s", user->pw_name);
	else
		fprintf(f, "user %u", (unsigned int)uid);
}

void listen_print_session(const struct pmc_listener_event *event, FILE *f)
{
	char name[NAME_QUOTED];

	fprintf(f, "session %u: %s (process %d, ", event->session,
		quote_name(name, sizeof(name), event->command, ""), (int)event->pid);
	print_user(event->uid, f);
	fprintf(f, "), ");
	print_period(event->period, f);
	fprintf(f, "\n");
}

static void print_lost(const struct pmc_listener_event *event, FILE *f)
{
	if (event->lost)
		fprintf(f, "... %" PRIu64 " samples were lost here: they came faster than they were printed\n",
			event->lost);
}

/* ---- the table ---- */

static struct columns table;
static char *present;	/* the headings of @table, separated by commas */

static char *headings_of(const struct listen_print *p, const struct listen_counts *counts)
{
	char *text = NULL;
	size_t size;
	FILE *f = must_have(open_memstream(&text, &size));
	int i;

	for (i = 0; i < counts->nr; i++)
		fprintf(f, "%s,", counts->names[i]);
	for (i = 0; i < p->nr_metrics; i++)
		fprintf(f, "%s,", listen_metric_heading(i));
	fclose(f);
	return must_have(text);
}

/* Begin another table where the names differ from those of the sample before. */
static void begin_table(const struct listen_print *p, const struct listen_counts *counts)
{
	char *headings = headings_of(p, counts);
	int i;

	if (present && !strcmp(present, headings)) {
		free(headings);
		return;
	}
	free(present);
	present = headings;
	columns_free(&table);
	memset(&table, 0, sizeof(table));
	columns_must_add(&table, "session", 7);
	columns_must_add(&table, "tid", 7);
	columns_must_add(&table, "name", -15);
	columns_must_add(&table, "core", -6);
	columns_must_add(&table, "type", -9);
	for (i = 0; i < counts->nr; i++)
		columns_must_add(&table, counts->names[i], 14);
	for (i = 0; i < p->nr_metrics; i++)
		columns_must_add(&table, listen_metric_heading(i), 8);
	table.nr_fixed = NR_FIXED;
	columns_fit(&table, output_width(p->f), NUMBERS_AUTO);
	columns_print_heading(&table, p->f);
}

static void table_sample(const struct listen_print *p, const struct pmc_listener_event *event)
{
	const struct pmc_reading *r = &event->reading;
	char name[NAME_QUOTED], value[CELL_MAX];
	struct listen_counts counts;
	int i, at = NR_FIXED;

	print_lost(event, p->f);
	listen_name_counts(&counts, event);
	if (r->flags & PMC_READING_EXEC)
		fprintf(p->f, "session %u: thread %d has executed %s\n", event->session,
			(int)r->tid, quote_name(name, sizeof(name), r->name, ""));
	begin_table(p, &counts);
	snprintf(value, sizeof(value), "%u", event->session);
	columns_text(&table, 0, value);
	snprintf(value, sizeof(value), "%d", r->flags & PMC_READING_SYSWIDE ? r->cpu : (int)r->tid);
	columns_text(&table, 1, value);
	columns_text(&table, 2, r->flags & PMC_READING_SYSWIDE ? "(CPU)" :
		     quote_name(name, sizeof(name), r->name, ""));
	columns_text(&table, 3, core_name(p, r->core_type));
	columns_text(&table, 4, sample_type_name(r->type));
	for (i = 0; i < counts.nr; i++, at++) {
		if (counts.values[i] == PMC_NO_VALUE)
			columns_text(&table, at, "-");
		else
			columns_number(&table, at, counts.values[i]);
	}
	for (i = 0; i < p->nr_metrics; i++, at++) {
		listen_metric_print(i, r->core_type, &counts, value, sizeof(value));
		columns_text(&table, at, value);
	}
	columns_print_row(&table, p->f);
}

static void table_begin(const struct listen_print *p, const struct pmc_listener_event *event)
{
	print_lost(event, p->f);
	listen_print_session(event, p->f);
}

static void table_end(const struct listen_print *p, const struct pmc_listener_event *event)
{
	print_lost(event, p->f);
	fprintf(p->f, "session %u has ended\n", event->session);
}

const struct listen_ops listen_table = {
	.begin = table_begin,
	.sample = table_sample,
	.end = table_end,
};

/* ---- CSV: a row for each count, as sessions count different events ---- */

/* Samples that were lost and are in no row yet: the next row has their number. */
static uint64_t csv_lost;

static void csv_heading(FILE *f)
{
	static int printed;

	if (!printed++)
		fprintf(f, "session,seconds,pid,tid,name,cpu,core_type,type,lost,event,value\n");
}

static void csv_row(const struct listen_print *p, const struct pmc_listener_event *event,
		    const char *name, const char *value)
{
	const struct pmc_reading *r = &event->reading;
	char thread[NAME_QUOTED];

	fprintf(p->f, "%u,%.6f,%d,%d,", event->session, r->time / 1e9, (int)r->pid, (int)r->tid);
	print_csv_string(p->f, quote_name(thread, sizeof(thread), r->name, ""));
	fprintf(p->f, ",%d,%s,%s,%" PRIu64 ",", r->cpu, core_name(p, r->core_type),
		sample_type_name(r->type), csv_lost);
	csv_lost = 0;
	print_csv_string(p->f, name);
	fprintf(p->f, ",%s\n", value);
}

static void csv_sample(const struct listen_print *p, const struct pmc_listener_event *event)
{
	struct listen_counts counts;
	char value[CELL_MAX];
	int i;

	csv_heading(p->f);
	csv_lost += event->lost;
	listen_name_counts(&counts, event);
	for (i = 0; i < counts.nr; i++) {
		*value = '\0';
		if (counts.values[i] != PMC_NO_VALUE)
			snprintf(value, sizeof(value), "%" PRIu64, counts.values[i]);
		csv_row(p, event, counts.names[i], value);
	}
	for (i = 0; i < p->nr_metrics; i++) {
		listen_metric_print(i, event->reading.core_type, &counts, value, sizeof(value));
		csv_row(p, event, listen_metric_heading(i), strcmp(value, "-") ? value : "");
	}
}

static void csv_nothing(const struct listen_print *p, const struct pmc_listener_event *event)
{
	csv_heading(p->f);
	csv_lost += event->lost;
}

static void csv_finish(void)
{
	if (csv_lost)
		fprintf(stderr, "pmctrack listen: %" PRIu64 " samples were lost after the last row\n",
			csv_lost);
}

const struct listen_ops listen_csv = {
	.begin = csv_nothing,
	.sample = csv_sample,
	.end = csv_nothing,
	.finish = csv_finish,
};
