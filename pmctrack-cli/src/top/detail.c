// SPDX-License-Identifier: GPL-2.0
/* One thread: its metrics in the last interval and since the start, on each core type. */
#include <math.h>
#include <string.h>

#include "top/view.h"

#define NAME_WIDTH 20
#define VALUE_WIDTH 10
#define HISTORY_COLUMN 16

static void put_value(const struct thread_counting *c, int n, int core_type, double value,
		      struct top_frame *frame, struct top_line *line)
{
	const pmc_metric_t *metric = NULL;
	char text[64] = "-";
	int id;

	for (id = 0; !metric && id < c->threads.nr_core_types; id++)
		if (core_type < 0 || id == core_type)
			metric = pmc_plan_metric(c->plan, n, id);
	if (metric)
		pmc_metric_format(metric, value, text, sizeof(text));
	frame_put(frame, line, " %*s", VALUE_WIDTH, text);
}

/* The values of all core types together, and of each */
static void put_values(const struct thread_counting *c, const struct counted_thread *t, int n,
		       const struct thread_sums *sums, struct top_frame *frame, struct top_line *line)
{
	int id;

	put_value(c, n, PMC_EVERY_CORE_TYPE,
		  thread_metric_value(&c->threads, n, PMC_EVERY_CORE_TYPE, t->core_type, sums), frame, line);
	for (id = 0; id < c->threads.nr_core_types && c->threads.nr_core_types > 1; id++)
		put_value(c, n, id, thread_metric_value(&c->threads, n, id, id, sums), frame, line);
}

static void put_heading(const struct thread_counting *c, const char *what, struct top_frame *frame)
{
	struct top_line *line = frame_line(frame, STYLE_HEADING);
	int id;

	frame_put(frame, line, "%-*s %*s", NAME_WIDTH, what, VALUE_WIDTH, "all");
	for (id = 0; id < c->threads.nr_core_types && c->threads.nr_core_types > 1; id++)
		frame_put(frame, line, " %*s", VALUE_WIDTH, c->threads.core_types[id].info->name);
}

static uint64_t running_on(const struct thread_sums *sums, int core_type)
{
	uint64_t running = 0;
	int i;

	for (i = 0; i < sums->nr; i++)
		if (core_type < 0 || sums->sets[i].core_type == core_type)
			running += sums->sets[i].running;
	return running;
}

/* The time in which it ran, in seconds */
static void put_running(const struct thread_counting *c, const struct thread_sums *sums, struct top_frame *frame)
{
	struct top_line *line = frame_line(frame, STYLE_PLAIN);
	int id;

	frame_put(frame, line, "%-*s %*.3f", NAME_WIDTH, "ran for, s", VALUE_WIDTH, sums->running / 1e9);
	for (id = 0; id < c->threads.nr_core_types && c->threads.nr_core_types > 1; id++)
		frame_put(frame, line, " %*.3f", VALUE_WIDTH, running_on(sums, id) / 1e9);
}

static void put_metrics(const struct thread_counting *c, const struct counted_thread *t, const char *heading,
			const struct thread_sums *sums, struct top_frame *frame)
{
	struct top_line *line;
	int n;

	frame_line(frame, STYLE_PLAIN);
	put_heading(c, heading, frame);
	put_running(c, sums, frame);
	for (n = 0; n < c->threads.nr_metrics; n++) {
		line = frame_line(frame, STYLE_PLAIN);
		frame_text(frame, line, pmc_plan_name(c->plan, n), NAME_WIDTH);
		put_values(c, t, n, sums, frame, line);
	}
}

static void put_virtuals(const struct thread_counting *c, const struct counted_thread *t, struct top_frame *frame)
{
	const struct pmc_virtual_info *v;
	struct top_line *line;
	char text[80];
	int i;

	for (i = 0; (v = pmc_config_virtual(c->config, i)); i++) {
		if (!i)
			frame_line(frame, STYLE_PLAIN);
		line = frame_line(frame, STYLE_PLAIN);
		pmc_virtual_label(v, text, sizeof(text));
		frame_text(frame, line, text, NAME_WIDTH);
		pmc_virtual_format(v, t->virtuals[i], text, sizeof(text));
		frame_put(frame, line, " %*s  %s", VALUE_WIDTH, text, v->desc);
	}
}

static void put_histories(const struct thread_counting *c, const struct counted_thread *t, struct top_frame *frame)
{
	int width = frame->width - HISTORY_COLUMN - 8;
	struct top_line *line;

	frame_line(frame, STYLE_PLAIN);
	line = frame_line(frame, STYLE_PLAIN);
	frame_put(frame, line, "%%CPU");
	frame_pad(frame, line, HISTORY_COLUMN);
	frame_history(frame, line, &t->busy, width, 1);
	frame_put(frame, line, " %.1f", 100 * t->share);
	if (!c->threads.nr_metrics)
		return;
	line = frame_line(frame, STYLE_PLAIN);
	frame_text(frame, line, pmc_plan_name(c->plan, 0), HISTORY_COLUMN);
	frame_history(frame, line, &t->first, width, 0);
	frame_put(frame, line, " ");
	put_value(c, 0, PMC_EVERY_CORE_TYPE, t->values[0], frame, line);
}

/* Losses in the last interval */
static void put_losses(unsigned int flags, struct top_frame *frame, struct top_line *line)
{
	const struct pmc_loss *loss;
	int n;

	for (n = 0; (loss = pmc_loss_info(n)); n++)
		if (flags & loss->flag && loss->brief)
			frame_put(frame, line, "; %s", loss->brief);
}

void detail_frame(struct top_view *view, struct thread_counting *c, struct top_frame *frame)
{
	struct counted_thread *t = counted_threads_find(&c->threads, view->selected);
	struct top_line *line = frame_line(frame, STYLE_TITLE);

	if (!t) {
		frame_put(frame, line, "Thread %d has ended.", view->selected);
		return;
	}
	frame_put(frame, line, "Thread %d of process %d, user %s: ", t->tid, t->pid, table_user(t));
	frame_text(frame, line, *t->name ? t->name : "?", (int)strlen(t->name));
	line = frame_line(frame, STYLE_PLAIN);
	frame_put(frame, line, "Last sample on CPU %d%s", t->cpu,
		  t->ended && !(t->flags & PMC_READING_EVICTED) ? "; it has ended" : "");
	put_losses(t->flags, frame, line);
	put_histories(c, t, frame);
	put_metrics(c, t, "last interval", &t->interval, frame);
	put_metrics(c, t, "since the start", &t->total, frame);
	put_virtuals(c, t, frame);
}
