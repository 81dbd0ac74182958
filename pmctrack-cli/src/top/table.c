// SPDX-License-Identifier: GPL-2.0
/* The table of pmctrack top: a line for each core type, and a row for each thread. */
#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "common.h"
#include "top/view.h"

/* Least width of a value's column */
#define VALUE_WIDTH 7
#define NAME_COLUMN 2
#define USER_WIDTH 8
/* Characters of a core type's line besides its two histories */
#define CORE_TYPE_WIDTH 56
#define BAR_WIDTH 16

struct row_text {
	char text[80];
};

static void put_tid(struct counted_thread *t, struct row_text *row)
{
	snprintf(row->text, sizeof(row->text), "%d", t->tid);
}

static void put_user(struct counted_thread *t, struct row_text *row)
{
	snprintf(row->text, sizeof(row->text), "%s", table_user(t));
}

static void put_name(struct counted_thread *t, struct row_text *row)
{
	snprintf(row->text, sizeof(row->text), "%s", *t->name ? t->name : "?");
}

static void put_cpu(struct counted_thread *t, struct row_text *row)
{
	snprintf(row->text, sizeof(row->text), t->cpu < 0 ? "-" : "%d", t->cpu);
}

static void put_share(struct counted_thread *t, struct row_text *row)
{
	snprintf(row->text, sizeof(row->text), "%.1f", 100 * t->share);
}

static int by_tid(const struct counted_thread *a, const struct counted_thread *b)
{
	return (a->tid < b->tid) - (a->tid > b->tid);
}

static int by_user(const struct counted_thread *a, const struct counted_thread *b)
{
	return strcmp(table_user((struct counted_thread *)b), table_user((struct counted_thread *)a));
}

static int by_name(const struct counted_thread *a, const struct counted_thread *b)
{
	return strcmp(b->name, a->name);
}

static int by_type(const struct counted_thread *a, const struct counted_thread *b)
{
	return (a->core_type < b->core_type) - (a->core_type > b->core_type);
}

static int by_cpu(const struct counted_thread *a, const struct counted_thread *b)
{
	return (a->cpu < b->cpu) - (a->cpu > b->cpu);
}

static int by_share(const struct counted_thread *a, const struct counted_thread *b)
{
	return (a->share > b->share) - (a->share < b->share);
}

/*
 * The columns in front of the values. @compare is above 0 if @a comes first. The text of a core
 * type is its name, which the table alone knows.
 */
static const struct top_column {
	const char *heading;
	int width;
	int left;
	void (*put)(struct counted_thread *t, struct row_text *row);
	int (*compare)(const struct counted_thread *a, const struct counted_thread *b);
} columns[] = {
	{ "TID", 7, 0, put_tid, by_tid },
	{ "USER", USER_WIDTH, 1, put_user, by_user },
	{ "NAME", PMC_THREAD_NAME - 1, 1, put_name, by_name },
	{ "TYPE", 6, 1, NULL, by_type },
	{ "CPU", 3, 0, put_cpu, by_cpu },
	{ "%CPU", 5, 0, put_share, by_share },
};
#define NR_COLUMNS ((int)(sizeof(columns) / sizeof(columns[0])))
#define SHARE_COLUMN 5

void view_init(struct top_view *view)
{
	memset(view, 0, sizeof(*view));
	view->delay_us = 1000000;
	view->sort = SHARE_COLUMN;
}

/* Values that the user asked for are in front of the usual ones. Return: the value in this place */
static int value_in_place(const struct thread_counting *c, int place)
{
	return (place + c->nr_usual) % c->threads.nr_values;
}

static int place_of_value(const struct thread_counting *c, int n)
{
	return (n - c->nr_usual + c->threads.nr_values) % c->threads.nr_values;
}

int table_column_beside(const struct thread_counting *c, int column, int by)
{
	int nr = NR_COLUMNS + c->threads.nr_values;
	/* There were more values before others were chosen. */
	int place = column < nr ? column : SHARE_COLUMN;

	if (place >= NR_COLUMNS)
		place = NR_COLUMNS + place_of_value(c, place - NR_COLUMNS);
	place = (place + by + nr) % nr;
	return place < NR_COLUMNS ? place : NR_COLUMNS + value_in_place(c, place - NR_COLUMNS);
}

static const pmc_metric_t *any_metric(const struct thread_counting *c, int n, int core_type)
{
	const pmc_metric_t *metric = pmc_plan_metric(c->plan, n, core_type);
	int id;

	for (id = 0; !metric && id < c->threads.nr_core_types; id++)
		metric = pmc_plan_metric(c->plan, n, id);
	return metric;
}

static void value_heading(const struct thread_counting *c, int n, char *buf, size_t size)
{
	const pmc_metric_t *metric;

	if (n >= c->threads.nr_metrics) {
		pmc_virtual_label(pmc_config_virtual(c->config, n - c->threads.nr_metrics), buf, size);
		return;
	}
	metric = any_metric(c, n, 0);
	if (metric && *pmc_metric_unit(metric))
		snprintf(buf, size, "%s[%s]", pmc_plan_name(c->plan, n), pmc_metric_unit(metric));
	else
		snprintf(buf, size, "%s", pmc_plan_name(c->plan, n));
}

int table_column(const struct thread_counting *c, const char *heading)
{
	char text[80];
	int i;

	for (i = 0; i < NR_COLUMNS; i++)
		if (!strcasecmp(columns[i].heading, heading))
			return i;
	for (i = 0; i < c->threads.nr_values; i++) {
		value_heading(c, i, text, sizeof(text));
		/* A unit in brackets need not be written. */
		if (!strcasecmp(text, heading) || (!strncasecmp(text, heading, strlen(heading)) &&
						   text[strlen(heading)] == '['))
			return NR_COLUMNS + i;
	}
	return -1;
}

/* ---- order ---- */

/* Users whose names were looked up. They stay where they are: callers compare two names. */
static struct user {
	uid_t uid;
	char name[32];
	struct user *next;
} *users;

static struct user *new_user(uid_t uid)
{
	struct user *user = new_array(1, sizeof(*user));
	const struct passwd *entry = getpwuid(uid);

	user->uid = uid;
	if (entry)
		snprintf(user->name, sizeof(user->name), "%s", entry->pw_name);
	else
		snprintf(user->name, sizeof(user->name), "%u", uid);
	return user;
}

static const char *name_of_user(uid_t uid)
{
	struct user *user;

	for (user = users; user; user = user->next)
		if (user->uid == uid)
			return user->name;
	user = new_user(uid);
	user->next = users;
	users = user;
	return user->name;
}

const char *table_user(struct counted_thread *thread)
{
	struct stat st;
	char path[32];

	if (!thread->has_uid) {
		snprintf(path, sizeof(path), "/proc/%d", thread->pid);
		/* A thread that has ended has no user any more. */
		if (stat(path, &st))
			return "?";
		thread->uid = st.st_uid;
		thread->has_uid = 1;
	}
	return name_of_user(thread->uid);
}

/* For qsort(), which has no argument */
static int sort_column;
static int sort_reverse;

static int compare_values(double a, double b)
{
	/* Values that are not known come last, whatever the order. */
	if (isnan(a) || isnan(b))
		return (isnan(a) - isnan(b)) * (sort_reverse ? 1 : -1);
	return (a > b) - (a < b);
}

static int compare(const void *x, const void *y)
{
	const struct counted_thread *a = *(struct counted_thread *const *)x, *b = *(struct counted_thread *const *)y;
	int order = sort_column < NR_COLUMNS ? columns[sort_column].compare(a, b) :
		    compare_values(a->values[sort_column - NR_COLUMNS], b->values[sort_column - NR_COLUMNS]);

	if (order)
		return sort_reverse ? order : -order;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static int is_shown(const struct top_view *view, struct counted_thread *t)
{
	char tid[16], pid[16];

	if (!*view->filter)
		return 1;
	snprintf(tid, sizeof(tid), "%d", t->tid);
	snprintf(pid, sizeof(pid), "%d", t->pid);
	return strcasestr(t->name, view->filter) || !strcmp(tid, view->filter) || !strcmp(pid, view->filter) ||
	       !strcmp(table_user(t), view->filter);
}

void table_sort(struct top_view *view, struct thread_counting *c)
{
	int i;

	view->rows = must_have(realloc(view->rows, (c->threads.nr + 1) * sizeof(*view->rows)));
	view->nr_rows = 0;
	for (i = 0; i < c->threads.nr; i++)
		if (is_shown(view, c->threads.all[i]))
			view->rows[view->nr_rows++] = c->threads.all[i];
	if (view->sort >= NR_COLUMNS + c->threads.nr_values)
		view->sort = SHARE_COLUMN;
	sort_column = view->sort;
	sort_reverse = view->reverse;
	qsort(view->rows, view->nr_rows, sizeof(*view->rows), compare);
}

/* ---- text ---- */

static void put_title(const struct top_view *view, const struct thread_counting *c, struct top_frame *frame)
{
	struct top_line *line = frame_line(frame, STYLE_TITLE);
	time_t now = time(NULL);
	int i, ran = 0;
	char text[32];

	strftime(text, sizeof(text), "%H:%M:%S", localtime(&now));
	for (i = 0; i < c->threads.nr; i++)
		ran += c->threads.all[i]->interval.running > 0;
	frame_put(frame, line, "pmctrack top %s", text);
	if (c->filter && strcmp(c->filter, "all"))
		frame_put(frame, line, " (%s mode)", c->filter);
	if (view->paused)
		frame_put(frame, line, " [paused]");
	if (*view->filter)
		frame_put(frame, line, " [filter: %s]", view->filter);
	frame_put(frame, line, "  %d processes, %d threads ran in the last %.3g s",
		  c->nr_processes - c->nr_refused, ran, c->threads.interval_ns / 1e9);
}

static void put_metric(const struct top_frame *frame, struct top_line *line, const struct thread_counting *c, int n,
		       int core_type, double value, int width)
{
	const pmc_metric_t *metric = any_metric(c, n, core_type);
	char text[64] = "-";

	if (metric)
		pmc_metric_format(metric, value, text, sizeof(text));
	frame_put(frame, line, "%*s", width, text);
}

static void put_core_type(const struct thread_counting *c, int id, struct top_frame *frame)
{
	const struct counted_core_type *type = &c->threads.core_types[id];
	struct top_line *line = frame_line(frame, id & 1 ? STYLE_CORE_TYPE : STYLE_PLAIN);
	int width = (frame->width - CORE_TYPE_WIDTH) / 2;

	width = width < 6 ? 6 : width > THREAD_HISTORY ? THREAD_HISTORY : width;
	frame_text(frame, line, type->info->name, 7);
	frame_put(frame, line, " %-8.8s ", type->info->cpus);
	frame_bar(frame, line, type->share, BAR_WIDTH);
	frame_put(frame, line, "%4.0f %% ", 100 * type->share);
	frame_history(frame, line, &type->busy, width, 1);
	if (!c->threads.nr_metrics)
		return;
	frame_put(frame, line, "  %s", pmc_plan_name(c->plan, 0));
	put_metric(frame, line, c, 0, id, type->values[0], 5);
	frame_put(frame, line, " ");
	frame_history(frame, line, &type->first, width, 0);
}

static int value_width(const struct thread_counting *c, int n)
{
	char heading[80];
	int width;

	value_heading(c, n, heading, sizeof(heading));
	width = strlen(heading);
	return width < VALUE_WIDTH ? VALUE_WIDTH : width;
}

/* A heading in a column, behind the mark of the column that the table is sorted by */
static void put_one_heading(const struct top_view *view, int column, const char *heading, int width, int left,
			    struct top_frame *frame, struct top_line *line)
{
	int start = line->columns, end = start + 1 + width, blanks = width - (int)strlen(heading);

	if (!left)
		frame_pad(frame, line, start + blanks);
	if (view->sort != column)
		frame_put(frame, line, " ");
	else if (frame->utf8)
		frame_put(frame, line, "%s", view->reverse ? "▲" : "▼");
	else
		frame_put(frame, line, "%s", view->reverse ? "^" : "v");
	frame_put(frame, line, "%s", heading);
	frame_pad(frame, line, end);
}

static void put_heading(const struct top_view *view, const struct thread_counting *c, struct top_frame *frame)
{
	struct top_line *line = frame_line(frame, STYLE_HEADING);
	char heading[80];
	int i, n, width;

	for (i = 0; i < NR_COLUMNS; i++)
		put_one_heading(view, i, columns[i].heading, columns[i].width, columns[i].left, frame, line);
	for (i = view->first_value; i < c->threads.nr_values; i++) {
		n = value_in_place(c, i);
		value_heading(c, n, heading, sizeof(heading));
		width = value_width(c, n);
		if (line->columns + width >= frame->width)
			break;
		put_one_heading(view, NR_COLUMNS + n, heading, width, 0, frame, line);
	}
}

static const char *name_of_type(const struct thread_counting *c, const struct counted_thread *t)
{
	return t->core_type < 0 ? "-" : c->threads.core_types[t->core_type].info->name;
}

static void put_value(const struct thread_counting *c, const struct counted_thread *t, int n, int width,
		      struct top_frame *frame, struct top_line *line)
{
	int virt = n - c->threads.nr_metrics;
	char text[64];

	frame_put(frame, line, " ");
	if (virt < 0) {
		put_metric(frame, line, c, n, t->core_type, t->values[n], width);
		return;
	}
	pmc_virtual_format(pmc_config_virtual(c->config, virt), t->virtuals[virt], text, sizeof(text));
	frame_put(frame, line, "%*s", width, text);
}

static void put_row(const struct top_view *view, const struct thread_counting *c, struct counted_thread *t,
		    enum top_style style, struct top_frame *frame)
{
	struct top_line *line = frame_line(frame, style);
	struct row_text row;
	int i, n, width;

	for (i = 0; i < NR_COLUMNS; i++) {
		if (columns[i].put)
			columns[i].put(t, &row);
		else
			snprintf(row.text, sizeof(row.text), "%s", name_of_type(c, t));
		frame_put(frame, line, " ");
		if (columns[i].left)
			frame_text(frame, line, row.text, columns[i].width);
		else
			frame_put(frame, line, "%*s", columns[i].width, row.text);
	}
	for (i = view->first_value; i < c->threads.nr_values; i++) {
		n = value_in_place(c, i);
		width = value_width(c, n);
		/* As the headings: narrow columns behind a wide one are left out, too. */
		if (line->columns + width >= frame->width)
			break;
		put_value(c, t, n, width, frame, line);
	}
}

static void put_notes(const struct thread_counting *c, struct top_frame *frame, int interactive)
{
	struct top_line *line;

	if (c->nr_refused) {
		line = frame_line(frame, STYLE_NOTE);
		frame_put(frame, line, "%d processes are not counted", c->nr_refused);
		if (c->nr_others)
			frame_put(frame, line, ", %d of other users: CAP_PERFMON is needed", c->nr_others);
		if (interactive)
			frame_put(frame, line, " (?: why)");
	}
	if (c->threads.lost) {
		line = frame_line(frame, STYLE_NOTE);
		frame_put(frame, line, "%llu samples were lost: the counts of some threads are too low",
			  (unsigned long long)c->threads.lost);
	}
}

static int row_of(const struct top_view *view, pid_t tid)
{
	int i;

	for (i = 0; i < view->nr_rows; i++)
		if (view->rows[i]->tid == tid)
			return i;
	return 0;
}

/* Have the selected row among those that are shown. */
static void scroll(struct top_view *view, int room)
{
	int row = view->selected ? row_of(view, view->selected) : 0;

	view->page = room > 1 ? room : 1;
	if (view->first_row > row)
		view->first_row = row;
	if (view->first_row + view->page <= row)
		view->first_row = row - view->page + 1;
	if (view->first_row > view->nr_rows - view->page)
		view->first_row = view->nr_rows - view->page;
	if (view->first_row < 0)
		view->first_row = 0;
}

void table_frame(struct top_view *view, struct thread_counting *c, struct top_frame *frame, int interactive)
{
	int i, room, last, selected;
	struct counted_thread *t;

	put_title(view, c, frame);
	for (i = 0; i < c->threads.nr_core_types; i++)
		put_core_type(c, i, frame);
	put_notes(c, frame, interactive);
	put_heading(view, c, frame);
	/* The last line has the keys. */
	room = frame->height ? frame_lines_left(frame) - interactive : view->nr_rows;
	scroll(view, room);
	last = view->first_row + room < view->nr_rows ? view->first_row + room : view->nr_rows;
	selected = row_of(view, view->selected);
	for (i = view->first_row; i < last; i++) {
		t = view->rows[i];
		put_row(view, c, t, interactive && i == selected ? STYLE_SELECTED :
			t->core_type & 1 && t->core_type > 0 ? STYLE_CORE_TYPE : STYLE_PLAIN, frame);
	}
}
