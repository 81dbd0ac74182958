// SPDX-License-Identifier: GPL-2.0
/* The forms of pmctrack stat: perf stat's table, and the fields of its -x and -j. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "quote.h"
#include "stat.h"
#include "stat_threads.h"

#define NAME_MAX_LEN 256

static const char *const accuracies[] = {
	[ACCURACY_EXACT] = "exact",
	[ACCURACY_PARTIAL] = "partial",
	[ACCURACY_ESTIMATED] = "estimated",
};

/* One row; @id: its core type, or PMC_EVERY_CORE_TYPE; @thread: NULL: of all threads */
struct row {
	const struct stat_form *form;
	const struct stat_counts *c;
	const struct stat_thread *thread;
	const struct stat_count *count;
	struct stat_metric metric;
	int name;
	int id;
	int is_narrow;		/* the table's rows would be wider than the terminal */
	int label_width;	/* columns of the table: of core types, names, threads, their numbers, counts */
	int name_width;
	int thread_width;
	int tid_width;
	int count_width;
};

/* Does the event say in which mode it counts: instr:u:cmask=1, cpu/instr/u? */
static int has_mode(const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t len;

	if (slash)
		return slash[1] != '\0';
	while ((name = strchr(name, ':'))) {
		len = strspn(++name, "uk");
		if (len && (!name[len] || name[len] == ':'))
			return 1;
	}
	return 0;
}

/* Length of the name without modes at its end, which perf writes behind a second slash */
static int length_without_mode(const char *name)
{
	const char *colon = strrchr(name, ':');

	return colon && !colon[1 + strspn(colon + 1, "uk")] ? (int)(colon - name) : (int)strlen(name);
}

/* The event's name as perf prints it: instructions:u, of a core type cpu_core/instructions/u. */
static void row_name(const struct row *row, char *buf, size_t size)
{
	const char *name = row->c->names[row->name], *mode = row->form->suffix;
	const char *slash = strchr(name, '/'), *pmu;
	int len = length_without_mode(name);

	/* Own modifiers take precedence; software events have no mode. */
	mode = has_mode(name) || row->c->is_software[row->name] ? "" : mode + (*mode == ':');
	if (row->id == PMC_EVERY_CORE_TYPE || row->form->per_core_type) {
		snprintf(buf, size, "%s%s%s", name, *mode && !slash ? ":" : "", mode);
		return;
	}
	pmu = row->c->core_types[row->id];
	if (slash)
		snprintf(buf, size, "%s%s%s", pmu, slash, mode);
	else
		snprintf(buf, size, "%s/%.*s/%s", pmu, len, name, name[len] ? name + len + 1 : mode);
}

/* NAME-TID, with odd bytes of the name, and those of @also, as \\xNN */
static void thread_name(const struct row *row, const char *also, char *buf, size_t size)
{
	char name[NAME_QUOTED];

	quote_name(name, sizeof(name), *row->thread->name ? row->thread->name : "?", also);
	snprintf(buf, size, "%s-%d", name, row->thread->tid);
}

/*
 * The part of the time, in percent, during which the event was counted. The kernel reads the
 * times of two events one after the other.
 */
static double percent(const struct stat_count *count)
{
	if (count->accuracy == ACCURACY_EXACT)
		return 100;
	return count->running.mean > 0 ? 100 * count->covered.mean / count->running.mean : 100;
}

static void print_table_row(FILE *f, const struct row *row);

static const char *no_count(const struct stat_count *count)
{
	return count->supported ? "<not counted>" : "<not supported>";
}

/* The core type whose PMU the event names, as cpu_core/instructions/ does; -1: none */
static int named_core_type(const struct stat_counts *c, const char *name)
{
	size_t len = strcspn(name, "/");
	int id;

	for (id = 0; name[len] && id < c->nr_core_types; id++)
		if (!strncmp(c->core_types[id], name, len) && !c->core_types[id][len])
			return id;
	return -1;
}

/*
 * Does a core type have a row of its own? perf has none for an event of the kernel itself; the
 * time on each core type is of interest, in the table. An event that names a core type has a
 * single row.
 */
static int has_row(const struct row *row, int is_table)
{
	const struct stat_counts *c = row->c;
	int named = named_core_type(c, c->names[row->name]);

	if (row->form->per_core_type)
		return named < 0 ? row->id != PMC_EVERY_CORE_TYPE : row->id == named;
	if (row->id == PMC_EVERY_CORE_TYPE)
		return 1;
	if (named >= 0)
		return 0;
	/* A table of threads has no rows of zeroes for core types on which they were not. */
	if (is_table && row->thread && stat_count(c, row->name, row->id)->running.mean <= 0)
		return 0;
	return c->nr_core_types > 1 &&
	       (!c->is_software[row->name] || (is_table && stat_is_time(c->names[row->name])));
}

/* The sum over the core types, then each of them */
static void each_core_type(FILE *f, struct row *row, void (*print)(FILE *f, const struct row *row))
{
	for (row->id = PMC_EVERY_CORE_TYPE; row->id < row->c->nr_core_types; row->id++) {
		if (!has_row(row, print == print_table_row))
			continue;
		row->count = stat_count(row->c, row->name, row->id);
		row->metric = stat_metric(row->c, row->name, row->id);
		print(f, row);
	}
}

/* perf's columns */
#define NAME_COLUMNS	24
#define THREAD_COLUMNS	16
#define TID_COLUMNS	8
#define COUNT_COLUMNS	17
#define LABEL_COLUMNS	10
/* Width of the text after an event name: "# 1.000  insn per cycle" */
#define METRIC_COLUMNS	26
/* The spread that -r adds after that text: "  ( +-100.00% )", and up to three blanks before it */
#define SPREAD_COLUMNS	18

static int greater(int a, int b)
{
	return a > b ? a : b;
}

/* Columns of the widest row */
static int wide_row(const struct row *row)
{
	int columns = row->count_width + 7 + row->name_width + METRIC_COLUMNS;

	if (row->form->threads)
		columns += row->thread_width + row->tid_width + 1;
	if (row->form->per_core_type)
		columns += row->label_width + 1;
	if (row->form->runs > 1)
		columns += SPREAD_COLUMNS;
	return columns;
}

/* The longest names. Columns are no narrower than perf's, unless rows are wider than the terminal. */
static void set_widths(struct row *row, const struct stat_threads *threads)
{
	const struct stat_counts *c = row->c;
	char name[NAME_QUOTED + 16];
	struct row wide;
	int i;

	row->label_width = row->name_width = row->thread_width = 0;
	row->tid_width = 6;
	row->count_width = 14;
	for (i = 0; i < c->nr_core_types; i++)
		row->label_width = greater(row->label_width, strlen(c->labels[i]));
	for (i = 0; i < c->nr_names; i++)
		row->name_width = greater(row->name_width,
					  strlen(c->names[i]) + strlen(row->form->suffix));
	for (i = 0; threads && i < threads->nr; i++) {
		row->thread = &threads->all[i];
		thread_name(row, "", name, sizeof(name));
		row->thread_width = greater(row->thread_width,
					    text_columns(name) - (int)strlen(strrchr(name, '-')));
	}
	row->thread = NULL;
	wide = *row;
	wide.label_width = greater(row->label_width, LABEL_COLUMNS);
	wide.name_width = greater(row->name_width, NAME_COLUMNS);
	wide.thread_width = greater(row->thread_width, THREAD_COLUMNS);
	wide.tid_width = TID_COLUMNS;
	wide.count_width = COUNT_COLUMNS;
	row->is_narrow = row->form->width && row->form->width < wide_row(&wide);
	if (!row->is_narrow)
		*row = wide;
}

/* Call @print for each row: event by event, and of each event thread by thread. */
static void each_row(FILE *f, const struct stat_form *form, const struct stat_counts *c,
		     void (*print)(FILE *f, const struct row *row))
{
	struct row row = { .form = form, .c = c };
	int i, t;

	set_widths(&row, form->threads);
	for (i = 0; i < c->nr_names; i++) {
		row.name = c->order[i];
		if (!form->threads)
			each_core_type(f, &row, print);
		for (t = 0; form->threads && t < form->threads->nr; t++) {
			row.thread = &form->threads->all[t];
			row.c = &row.thread->counts;
			each_core_type(f, &row, print);
		}
	}
}

/* The count of one run is not rounded, as that of a mean is: a double has 53 bits. */
static int format_digits(char *buf, size_t size, const struct stat_count *count)
{
	if (count->value.nr == 1)
		return snprintf(buf, size, "%" PRIu64, count->last);
	return snprintf(buf, size, "%.0f", count->value.mean);
}

/* 1234567 as 1,234,567 */
static void group_digits(char *buf, size_t size, const struct stat_count *count)
{
	char digits[64];
	size_t i, n = 0, len;

	len = format_digits(digits, sizeof(digits), count);
	for (i = 0; i < len && n + 2 < size; i++) {
		if (i && (len - i) % 3 == 0)
			buf[n++] = ',';
		buf[n++] = digits[i];
	}
	buf[n] = '\0';
}

/* A metric as a row: its definition, and its value, which may be of no run */
struct metric_row {
	struct row row;
	const pmc_metric_t *metric;
	const struct stat_value *value;
};

typedef void print_metric_fn(FILE *f, const struct metric_row *m);

/* Of all core types, where the formula is the same, and of each; equal cores have one row. */
static void each_metric_of(FILE *f, struct metric_row *m, const struct stat_metrics *metrics,
			   print_metric_fn *print)
{
	struct row *row = &m->row;
	int nr = row->c->nr_core_types, own = row->form->per_core_type;

	for (row->id = PMC_EVERY_CORE_TYPE; row->id < nr; row->id++) {
		if (row->id == PMC_EVERY_CORE_TYPE ? own : nr == 1 && !own)
			continue;
		m->metric = stat_metric_of(metrics->plan, nr, row->name, row->id);
		m->value = stat_metrics_value(metrics, row->name, row->id);
		/* A thread that did not run on a core type has no values there. */
		if (m->metric && (!row->thread || m->value->value.nr))
			print(f, m);
	}
}

/* Call @print for each metric of -m, and of each metric thread by thread. */
static void each_metric(FILE *f, const struct stat_form *form, const struct stat_counts *c,
			print_metric_fn *print)
{
	struct metric_row m = { .row = { .form = form, .c = c } };
	int n, t, nr = form->metrics ? pmc_plan_nr_metrics(form->metrics->plan) : 0;

	set_widths(&m.row, form->threads);
	for (n = 0; n < nr; n++) {
		m.row.name = n;
		if (!form->threads)
			each_metric_of(f, &m, form->metrics, print);
		for (t = 0; form->threads && t < form->threads->nr; t++) {
			m.row.thread = &form->threads->all[t];
			m.row.c = &m.row.thread->counts;
			each_metric_of(f, &m, &m.row.thread->metrics, print);
		}
	}
}

/* ~: estimated; >: a lower limit */
static char mark(enum accuracy accuracy)
{
	return accuracy == ACCURACY_EXACT ? ' ' : accuracy == ACCURACY_PARTIAL ? '>' : '~';
}

static void print_value(FILE *f, const struct row *row)
{
	const struct stat_count *count = row->count;
	int is_time = stat_is_time(row->c->names[row->name]);
	char number[64];

	if (!count->counted) {
		fprintf(f, "%*s      ", row->count_width + 1, no_count(count));
		return;
	}
	if (is_time)
		snprintf(number, sizeof(number), "%.2f", count->value.mean / 1e6);
	else
		group_digits(number, sizeof(number), count);
	fprintf(f, "%*s%c%s%s", (int)(row->count_width - strlen(number)), "",
		mark(count->accuracy), number, is_time ? " msec " : "      ");
}

/* "#    1.000  insn per cycle", "#     4.97% of all branches" */
static void format_metric(char *buf, size_t size, const struct row *row)
{
	const char *unit = row->metric.unit;

	*buf = '\0';
	if (!row->count->counted || !unit)
		return;
	if (strstr(unit, "of all") || strstr(unit, "idle"))
		snprintf(buf, size, "# %8.2f%% %s", row->metric.value, unit);
	else
		snprintf(buf, size, "# %8.3f  %s", row->metric.value, unit);
}

/* With -r: "  ( +- 12.34% )" */
static void format_spread(char *buf, size_t size, const struct row *row, const struct spread *s)
{
	*buf = '\0';
	if (row->form->runs > 1)
		snprintf(buf, size, row->is_narrow ? " +-%5.1f%%" : "  ( +-%6.2f%% )", spread_percent(s));
}

/* "            gzip-1234    " */
static void print_table_thread(FILE *f, const struct row *row)
{
	char name[NAME_QUOTED + 16];
	const char *dash;
	int width;

	thread_name(row, "", name, sizeof(name));
	dash = strrchr(name, '-');
	/* printf() counts bytes. */
	width = row->thread_width + (int)strlen(name) - text_columns(name);
	fprintf(f, "%*.*s%-*s ", width, (int)(dash - name), name, row->tid_width, dash);
}

static void print_table_row(FILE *f, const struct row *row)
{
	const struct stat_count *count = row->count;
	char name[NAME_MAX_LEN], metric[128], more[64] = "";

	if (row->id == PMC_EVERY_CORE_TYPE || row->form->per_core_type)
		row_name(row, name, sizeof(name));
	else
		snprintf(name, sizeof(name), "  %s", row->c->labels[row->id]);
	/* The first row of a thread has its name. */
	if (row->thread && row->id != PMC_EVERY_CORE_TYPE && !row->form->per_core_type)
		fprintf(f, "%*s", row->thread_width + row->tid_width + 1, "");
	else if (row->thread)
		print_table_thread(f, row);
	if (row->form->per_core_type)
		fprintf(f, "%-*s ", row->label_width, row->c->labels[row->id]);
	print_value(f, row);
	format_metric(metric, sizeof(metric), row);
	if (count->counted)
		format_spread(more, sizeof(more), row, &count->value);
	if (count->counted && percent(count) < 99.995)
		snprintf(more + strlen(more), sizeof(more) - strlen(more), "  (%.2f%%)", percent(count));
	if (*more)
		fprintf(f, "%-*s %-*s%s\n", row->name_width, name, row->is_narrow ? 27 : 28, metric, more);
	else if (*metric)
		fprintf(f, "%-*s %s\n", row->name_width, name, metric);
	else
		fprintf(f, "%s\n", name);
}

static const char *const value_accuracies[] = {
	[PMC_EXACT] = "exact",
	[PMC_PARTIAL] = "partial",
	[PMC_ESTIMATED] = "estimated",
	[PMC_NOT_COUNTED] = "not counted",
};

static char metric_mark(const struct stat_value *v)
{
	return v->accuracy == PMC_EXACT || !v->value.nr ? ' ' : '~';
}

/* "1.25", or "-" if it is not known */
static void format_value(char *buf, size_t size, const struct metric_row *m)
{
	pmc_metric_format(m->metric, m->value->value.nr ? m->value->value.mean : NAN, buf, size);
}

static void print_table_metric(FILE *f, const struct metric_row *m)
{
	const struct row *row = &m->row;
	char number[64], name[NAME_MAX_LEN], more[64] = "";

	format_value(number, sizeof(number), m);
	if (row->id == PMC_EVERY_CORE_TYPE)
		snprintf(name, sizeof(name), "%s", pmc_metric_name(m->metric));
	else
		snprintf(name, sizeof(name), "%s %s", pmc_metric_name(m->metric), row->c->labels[row->id]);
	if (m->value->value.nr)
		format_spread(more, sizeof(more), row, &m->value->value);
	if (row->thread)
		print_table_thread(f, row);
	fprintf(f, "%*s%c%s %-4s %s%s\n", (int)(row->count_width - strlen(number)), "",
		metric_mark(m->value), number, pmc_metric_unit(m->metric), name, more);
}

static int has_accuracy(const struct stat_counts *c, enum accuracy accuracy)
{
	int name;

	for (name = 0; name < c->nr_names; name++)
		if (stat_count(c, name, PMC_EVERY_CORE_TYPE)->accuracy == accuracy)
			return 1;
	return 0;
}

/* Has a count of all threads, or of one that has rows, this accuracy? */
static int some_has_accuracy(const struct stat_form *form, const struct stat_counts *c,
			     enum accuracy accuracy)
{
	int i, has = has_accuracy(c, accuracy);

	for (i = 0; form->threads && i < form->threads->nr && !has; i++)
		has = has_accuracy(&form->threads->all[i].counts, accuracy);
	return has;
}

static void print_time(FILE *f, const struct stat_form *form, const struct spread *s, const char *what)
{
	if (form->runs > 1)
		fprintf(f, "%18.9f +- %.9f seconds %s  ( +-%6.2f%% )\n", s->mean, spread_error(s), what,
			spread_percent(s));
	else
		fprintf(f, "%18.9f seconds %s\n", s->mean, what);
}

void stat_print_table(FILE *f, const struct stat_form *form, const struct stat_counts *c)
{
	int is_estimated = some_has_accuracy(form, c, ACCURACY_ESTIMATED);
	int is_partial = some_has_accuracy(form, c, ACCURACY_PARTIAL);

	fprintf(f, "\n Performance counter stats for %s", form->title);
	if (form->runs > 1)
		fprintf(f, " (%u %s)", c->elapsed.nr, c->elapsed.nr == 1 ? "run" : "runs");
	fprintf(f, "%s:\n\n", *form->suffix ? ", in user mode" : "");
	each_row(f, form, c, print_table_row);
	if (form->metrics && pmc_plan_nr_metrics(form->metrics->plan))
		fputc('\n', f);
	each_metric(f, form, c, print_table_metric);
	fputc('\n', f);
	print_time(f, form, &c->elapsed, "time elapsed");
	if (c->has_times && form->runs == 1)
		fprintf(f, "\n%18.9f seconds user\n%18.9f seconds sys\n", c->user.mean, c->sys.mean);
	fputc('\n', f);
	if (!is_estimated && !is_partial)
		fprintf(f, " All counts are exact.\n");
	if (is_estimated)
		fprintf(f, " ~: estimated: the event was counted for a part of the time (in parentheses), and scaled\n");
	if (is_partial)
		fprintf(f, " >: a lower limit: some events were not counted\n");
	if (form->threads && c->lost)
		fprintf(f, " %" PRIu64 " samples were lost: the counts of threads are lower limits\n",
			c->lost);
	print_losses(f, " ", &c->losses);
	if (form->missing)
		fprintf(f, " Not counted: %s: %s\n", form->missing,
			form->has_pmu ? "no core type has such events" :
					"there is no PMU here (pmctrack doctor says why, and what to do)");
	if (form->forbidden)
		fprintf(f, " Not counted: %s: in kernel mode, which needs CAP_PERFMON, or kernel.perf_event_paranoid below 2\n",
			form->forbidden);
}

static void print_metric_csv(FILE *f, const struct row *row)
{
	const char *sep = row->form->separator;

	if (row->count->counted && row->metric.unit)
		fprintf(f, "%s%.3f%s%s%s", sep, row->metric.value, sep,
			strstr(row->metric.unit, "of all") ? "% " : "", row->metric.unit);
	else
		fprintf(f, "%s%s", sep, sep);
}

/* NAME-TID, and the core type. A separator within a name would shift the fields. */
static void print_csv_prefix(FILE *f, const struct row *row)
{
	const char *sep = row->form->separator;
	char name[NAME_QUOTED + 16];

	if (row->thread) {
		thread_name(row, sep, name, sizeof(name));
		fprintf(f, "%s%s", name, sep);
	}
	if (row->form->per_core_type)
		fprintf(f, "%s%s", row->c->labels[row->id], sep);
}

static void print_csv_row(FILE *f, const struct row *row)
{
	const struct stat_count *count = row->count;
	const char *sep = row->form->separator;
	int is_time = stat_is_time(row->c->names[row->name]);
	char name[NAME_MAX_LEN], quoted[4 * NAME_MAX_LEN], number[64];

	row_name(row, name, sizeof(name));
	quote_name(quoted, sizeof(quoted), name, sep);
	format_digits(number, sizeof(number), count);
	print_csv_prefix(f, row);
	if (!count->counted)
		fputs(no_count(count), f);
	else if (is_time)
		fprintf(f, "%.2f", count->value.mean / 1e6);
	else
		fputs(number, f);
	fprintf(f, "%s%s%s%s", sep, is_time ? "msec" : "", sep, quoted);
	if (row->form->runs > 1)
		fprintf(f, "%s%.2f%%", sep, spread_percent(&count->value));
	fprintf(f, "%s%.0f%s%.2f", sep, count->covered.mean, sep, count->counted ? percent(count) : 0);
	print_metric_csv(f, row);
	fputc('\n', f);
}

/* As perf prints a metric that stands beside no count; of a core type: cpu_core/ipc/ */
static void print_csv_metric(FILE *f, const struct metric_row *m)
{
	const struct row *row = &m->row;
	const char *sep = row->form->separator, *unit = pmc_metric_unit(m->metric);
	char number[64];

	format_value(number, sizeof(number), m);
	print_csv_prefix(f, row);
	fprintf(f, "%s%s%s%s%s%s", sep, sep, sep, row->form->runs > 1 ? sep : "", sep, sep);
	fprintf(f, "%s%s%s%s", m->value->value.nr ? number : "", sep, unit, *unit ? " " : "");
	if (row->id == PMC_EVERY_CORE_TYPE || row->form->per_core_type)
		fprintf(f, "%s\n", pmc_metric_name(m->metric));
	else
		fprintf(f, "%s/%s/\n", row->c->core_types[row->id], pmc_metric_name(m->metric));
}

void stat_print_csv(FILE *f, const struct stat_form *form, const struct stat_counts *c)
{
	each_row(f, form, c, print_csv_row);
	each_metric(f, form, c, print_csv_metric);
}

static void print_json_thread(FILE *f, const struct row *row)
{
	char name[PMC_THREAD_NAME + 16];

	if (!row->thread)
		return;
	snprintf(name, sizeof(name), "%s-%d", *row->thread->name ? row->thread->name : "?",
		 row->thread->tid);
	fprintf(f, "\"thread\" : ");
	print_json_string(f, name);
	fprintf(f, ", ");
}

static void print_json_core_type(FILE *f, const struct row *row)
{
	fprintf(f, "\"core-type\" : ");
	print_json_string(f, row->c->labels[row->id]);
	fprintf(f, ", ");
}

/* With six places, as perf has them */
static void print_json_count(FILE *f, const struct stat_count *count, int is_time)
{
	uint64_t unit = is_time ? 1000000 : 1;

	if (count->value.nr > 1)
		fprintf(f, "%f", count->value.mean / unit);
	else
		fprintf(f, "%" PRIu64 ".%06" PRIu64, count->last / unit, count->last % unit);
}

static void print_json_row(FILE *f, const struct row *row)
{
	const struct stat_count *count = row->count;
	int is_time = stat_is_time(row->c->names[row->name]);
	char name[NAME_MAX_LEN];

	row_name(row, name, sizeof(name));
	fputc('{', f);
	print_json_thread(f, row);
	if (row->form->per_core_type)
		print_json_core_type(f, row);
	fputs("\"counter-value\" : \"", f);
	if (count->counted)
		print_json_count(f, count, is_time);
	else
		fputs(no_count(count), f);
	fprintf(f, "\", \"unit\" : \"%s\", \"event\" : ", is_time ? "msec" : "");
	print_json_string(f, name);
	if (row->form->runs > 1)
		fprintf(f, ", \"variance\" : %.2f", spread_percent(&count->value));
	fprintf(f, ", \"event-runtime\" : %.0f, \"pcnt-running\" : %.2f", count->covered.mean,
		count->counted ? percent(count) : 0);
	if (count->counted)
		fprintf(f, ", \"accuracy\" : \"%s\"", accuracies[count->accuracy]);
	if (count->counted && row->metric.unit) {
		fprintf(f, ", \"metric-value\" : %f, \"metric-unit\" : ", row->metric.value);
		print_json_string(f, row->metric.unit);
	}
	fprintf(f, "}\n");
}

static void print_json_metric(FILE *f, const struct metric_row *m)
{
	const struct row *row = &m->row;
	int is_known = m->value->value.nr > 0;
	char number[64], unit[NAME_MAX_LEN];

	format_value(number, sizeof(number), m);
	snprintf(unit, sizeof(unit), "%s%s%s", pmc_metric_unit(m->metric),
		 *pmc_metric_unit(m->metric) ? " " : "", pmc_metric_name(m->metric));
	fputc('{', f);
	print_json_thread(f, row);
	if (row->id != PMC_EVERY_CORE_TYPE)
		print_json_core_type(f, row);
	if (is_known)
		fprintf(f, "\"accuracy\" : \"%s\", ", value_accuracies[m->value->accuracy]);
	fprintf(f, "\"metric-value\" : %s, \"metric-unit\" : ", is_known ? number : "null");
	print_json_string(f, unit);
	fprintf(f, "}\n");
}

void stat_print_json(FILE *f, const struct stat_form *form, const struct stat_counts *c)
{
	each_row(f, form, c, print_json_row);
	each_metric(f, form, c, print_json_metric);
}
