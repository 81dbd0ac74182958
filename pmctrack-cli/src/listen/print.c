// SPDX-License-Identifier: GPL-2.0
/* The output of pmctrack listen: a table, and CSV. */
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "common.h"
#include "listen/listen.h"
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

static int is_cpu(const struct pmc_reading *r)
{
	return !!(r->flags & PMC_READING_SYSWIDE);
}

/* Print the losses before the sample, and why its counts are incomplete. */
static void print_incomplete(const struct pmc_listener_event *event, FILE *f)
{
	const struct pmc_reading *r = &event->reading;
	const struct pmc_loss *loss;
	int n;

	if (r->lost)
		fprintf(f, "... %u samples of session %u were lost here: the session's buffer was full\n",
			r->lost, event->session);
	for (n = 0; (loss = pmc_loss_info(n)); n++)
		if (r->flags & loss->flag && loss->brief)
			fprintf(f, "session %u: %s %d: %s\n", event->session,
				is_cpu(r) ? "CPU" : "thread", is_cpu(r) ? r->cpu : (int)r->tid,
				loss->brief);
}

/* The lines above a sample in the table */
static void print_notes(const struct pmc_listener_event *event, FILE *f)
{
	const struct pmc_reading *r = &event->reading;
	char name[NAME_QUOTED];

	print_lost(event, f);
	if (r->flags & PMC_READING_EXEC)
		fprintf(f, "session %u: thread %d has executed %s\n", event->session, (int)r->tid,
			quote_name(name, sizeof(name), r->name, ""));
	print_incomplete(event, f);
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
	columns_must_add(&table, "type", -10);
	for (i = 0; i < counts->nr; i++)
		columns_must_add(&table, counts->names[i], 14);
	for (i = 0; i < p->nr_metrics; i++)
		columns_must_add(&table, listen_metric_heading(i), 8);
	table.nr_fixed = NR_FIXED;
	columns_fit(&table, p->width, NUMBERS_AUTO);
	columns_print_heading(&table, p->f);
}

/* "ebs!": sampling was throttled before it. */
static void put_type(int column, const struct pmc_reading *r)
{
	char text[16];

	snprintf(text, sizeof(text), "%s%s", sample_type_name(r->type),
		 r->flags & PMC_READING_THROTTLED ? "!" : "");
	columns_text(&table, column, text);
}

static void table_sample(const struct listen_print *p, const struct pmc_listener_event *event)
{
	const struct pmc_reading *r = &event->reading;
	char name[NAME_QUOTED], value[CELL_MAX];
	struct listen_counts counts;
	int i, at = NR_FIXED;

	print_notes(event, p->f);
	listen_name_counts(&counts, event);
	begin_table(p, &counts);
	snprintf(value, sizeof(value), "%u", event->session);
	columns_text(&table, 0, value);
	snprintf(value, sizeof(value), "%d", is_cpu(r) ? r->cpu : (int)r->tid);
	columns_text(&table, 1, value);
	columns_text(&table, 2, is_cpu(r) ? "(CPU)" :
		     quote_name(name, sizeof(name), r->name, ""));
	columns_text(&table, 3, core_name(p, r->core_type));
	put_type(4, r);
	for (i = 0; i < counts.nr; i++, at++) {
		if (counts.values[i] == PMC_NO_VALUE)
			columns_text(&table, at, "-");
		else if (counts.virtuals[i])
			columns_virtual(&table, at, counts.virtuals[i], counts.values[i]);
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
static uint64_t csv_lost;		/* by this listener, of any session */
static uint64_t csv_session_lost;	/* by the session of the sample */

static void csv_heading(FILE *f)
{
	const struct pmc_loss *loss;
	static int printed;
	int n;

	if (printed++)
		return;
	fprintf(f, "session,seconds,pid,tid,name,cpu,core_type,type,lost,event,value,session_lost,throttled");
	for (n = 0; (loss = pmc_loss_info(n)); n++)
		fprintf(f, ",%s", loss->name);
	fprintf(f, "\n");
}

static void csv_row(const struct listen_print *p, const struct pmc_listener_event *event,
		    const char *name, const char *value)
{
	const struct pmc_reading *r = &event->reading;
	const struct pmc_loss *loss;
	char thread[NAME_QUOTED];
	int n;

	fprintf(p->f, "%u,%.6f,%d,%d,", event->session, r->time / 1e9, (int)r->pid, (int)r->tid);
	print_csv_string(p->f, quote_name(thread, sizeof(thread), r->name, ""));
	fprintf(p->f, ",%d,%s,%s,%" PRIu64 ",", r->cpu, core_name(p, r->core_type),
		sample_type_name(r->type), csv_lost);
	print_csv_string(p->f, name);
	fprintf(p->f, ",%s,%" PRIu64 ",%d", value, csv_session_lost,
		!!(r->flags & PMC_READING_THROTTLED));
	for (n = 0; (loss = pmc_loss_info(n)); n++)
		fprintf(p->f, ",%d", !!(r->flags & loss->flag));
	fprintf(p->f, "\n");
	csv_lost = 0;
	csv_session_lost = 0;
}

static void csv_sample(const struct listen_print *p, const struct pmc_listener_event *event)
{
	struct listen_counts counts;
	char value[CELL_MAX];
	int i;

	csv_heading(p->f);
	csv_lost += event->lost;
	csv_session_lost = event->reading.lost;
	listen_name_counts(&counts, event);
	for (i = 0; i < counts.nr; i++) {
		*value = '\0';
		if (counts.values[i] != PMC_NO_VALUE && counts.virtuals[i])
			pmc_virtual_format(counts.virtuals[i], counts.values[i], value, sizeof(value));
		else if (counts.values[i] != PMC_NO_VALUE)
			snprintf(value, sizeof(value), "%" PRIu64, counts.values[i]);
		csv_row(p, event, counts.names[i], value);
	}
	for (i = 0; i < p->nr_metrics; i++) {
		listen_metric_print(i, event->reading.core_type, &counts, value, sizeof(value));
		csv_row(p, event, listen_metric_heading(i), strcmp(value, "-") ? value : "");
	}
	/* A thread may end where it has no events. */
	if (!counts.nr && !p->nr_metrics)
		csv_row(p, event, "", "");
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
