// SPDX-License-Identifier: GPL-2.0
/* The view of pmctrack top: frames of the present mode, and keys. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "top/view.h"

#define DELAY_LEAST_US 100000
#define DELAY_MOST_US 3600000000ULL

/* ---- lists of names ---- */

void names_add(struct top_names *names, const char *text)
{
	names->all = must_have(realloc(names->all, (names->nr + 1) * sizeof(*names->all)));
	names->all[names->nr++] = must_have(strdup(text));
}

void names_remove(struct top_names *names, const char *text)
{
	int i, kept = 0;

	for (i = 0; i < names->nr; i++) {
		if (strcmp(names->all[i], text))
			names->all[kept++] = names->all[i];
		else
			free(names->all[i]);
	}
	names->nr = kept;
}

void names_free(struct top_names *names)
{
	int i;

	for (i = 0; i < names->nr; i++)
		free(names->all[i]);
	free(names->all);
	names->all = NULL;
	names->nr = 0;
}

void names_copy(struct top_names *to, const struct top_names *from)
{
	int i;

	names_free(to);
	for (i = 0; i < from->nr; i++)
		names_add(to, from->all[i]);
}

void view_free(struct top_view *view)
{
	names_free(&view->metrics);
	names_free(&view->virtuals);
	pick_free(view);
	free(view->rows);
}

/* ---- what is shown ---- */

static const char *const questions[] = {
	[INPUT_FILTER] = "show only",
	[INPUT_METRIC] = "add metrics",
	[INPUT_VIRTUAL] = "add virtual counters",
	[INPUT_DELAY] = "seconds between two looks",
};

static const char *const keys[] = {
	[MODE_TABLE] = "q quit  ? help  Enter thread  < > sort  / filter  m metrics  space pause",
	[MODE_THREAD] = "Escape back  q quit",
	[MODE_PICK] = "space choose  Enter count  / filter  Escape back",
	[MODE_HELP] = "Escape back  q quit",
};

/* The last line of the screen */
static void put_last_line(const struct top_view *view, struct top_frame *frame)
{
	struct top_line *line;

	while (frame_lines_left(frame) > 1)
		frame_line(frame, STYLE_PLAIN);
	/* Longer contents end above it. */
	if (frame_lines_left(frame) < 1)
		frame->nr = frame->height - 1;
	line = frame_line(frame, STYLE_TITLE);
	if (view->input_for)
		frame_put(frame, line, "%s: %s_", questions[view->input_for], view->input);
	else if (*view->message)
		frame_text(frame, line, view->message, frame->width);
	else
		frame_put(frame, line, "%s", keys[view->mode]);
}

void view_frame(struct top_view *view, struct thread_counting *c, struct top_frame *frame, int interactive)
{
	frame_clear(frame);
	switch (view->mode) {
	case MODE_TABLE:
		table_frame(view, c, frame, interactive);
		break;
	case MODE_THREAD:
		detail_frame(view, c, frame);
		break;
	case MODE_PICK:
		pick_frame(view, frame);
		break;
	case MODE_HELP:
		help_frame(c, frame);
		break;
	}
	if (interactive && frame->height > 1)
		put_last_line(view, frame);
}

/* ---- keys ---- */

static void ask(struct top_view *view, enum top_input what)
{
	view->input_for = what;
	*view->input = '\0';
}

static enum top_action take_delay(struct top_view *view)
{
	char *end;
	double seconds = strtod(view->input, &end);

	if (end == view->input || *end || !(seconds * 1e6 >= DELAY_LEAST_US && seconds * 1e6 <= DELAY_MOST_US))
		snprintf(view->message, sizeof(view->message), "seconds, from 0.1 to 3600, not '%s'", view->input);
	else
		view->delay_us = seconds * 1e6;
	return TOP_REDRAW;
}

static enum top_action take_input(struct top_view *view, struct thread_counting *c)
{
	enum top_input what = view->input_for;

	view->input_for = INPUT_NONE;
	switch (what) {
	case INPUT_FILTER:
		snprintf(view->filter, sizeof(view->filter), "%.63s", view->input);
		if (view->mode == MODE_PICK)
			pick_move(view, 0);
		else
			table_sort(view, c);
		return TOP_REDRAW;
	case INPUT_METRIC:
		if (!*view->input)
			return TOP_REDRAW;
		names_add(&view->metrics, view->input);
		return TOP_RESTART;
	case INPUT_VIRTUAL:
		if (!*view->input)
			return TOP_REDRAW;
		names_add(&view->virtuals, view->input);
		return TOP_RESTART;
	case INPUT_DELAY:
		return take_delay(view);
	case INPUT_NONE:
		break;
	}
	return TOP_REDRAW;
}

static enum top_action input_key(struct top_view *view, struct thread_counting *c, int key)
{
	size_t len = strlen(view->input);

	if (key == KEY_OF_ENTER)
		return take_input(view, c);
	if (key == KEY_OF_ESCAPE)
		view->input_for = INPUT_NONE;
	if (key == KEY_OF_BACKSPACE && len)
		view->input[len - 1] = '\0';
	if (key >= ' ' && key <= '~' && len + 1 < sizeof(view->input)) {
		view->input[len] = key;
		view->input[len + 1] = '\0';
	}
	return TOP_REDRAW;
}

/* Rows that a key moves the selection by */
static int rows_of_key(const struct top_view *view, int key)
{
	switch (key) {
	case KEY_OF_UP:
		return -1;
	case KEY_OF_DOWN:
		return 1;
	case KEY_OF_PAGE_UP:
		return -view->page;
	case KEY_OF_PAGE_DOWN:
		return view->page;
	case KEY_OF_HOME:
		return -1000000;
	case KEY_OF_END:
		return 1000000;
	}
	return 0;
}

static void select_row(struct top_view *view, int by)
{
	int row;

	if (!view->nr_rows)
		return;
	for (row = view->nr_rows - 1; row > 0 && view->rows[row]->tid != view->selected; row--)
		;
	row += by;
	row = row < 0 ? 0 : row >= view->nr_rows ? view->nr_rows - 1 : row;
	view->selected = view->rows[row]->tid;
}

static void sort_by(struct top_view *view, struct thread_counting *c, int by)
{
	view->sort = table_column_beside(c, view->sort, by);
	table_sort(view, c);
}

static void scroll_values(struct top_view *view, struct thread_counting *c, int by)
{
	int first = view->first_value + by;

	/* There were more values before others were chosen. */
	if (first >= c->threads.nr_values)
		first = c->threads.nr_values - 1;
	view->first_value = first > 0 ? first : 0;
}

static enum top_action table_key(struct top_view *view, struct thread_counting *c, int key)
{
	int by = rows_of_key(view, key);

	if (by)
		select_row(view, by);
	switch (key) {
	case KEY_OF_ENTER:
		select_row(view, 0);
		if (view->nr_rows)
			view->mode = MODE_THREAD;
		break;
	case KEY_OF_LEFT:
	case KEY_OF_RIGHT:
		scroll_values(view, c, key == KEY_OF_LEFT ? -1 : 1);
		break;
	case '<':
	case '>':
		sort_by(view, c, key == '<' ? -1 : 1);
		break;
	case 'r':
		view->reverse = !view->reverse;
		table_sort(view, c);
		break;
	case '/':
		ask(view, INPUT_FILTER);
		break;
	case 'a':
		ask(view, INPUT_METRIC);
		break;
	case 'v':
		ask(view, INPUT_VIRTUAL);
		break;
	case 'd':
		ask(view, INPUT_DELAY);
		break;
	case 'm':
		pick_begin(view, c->machine);
		break;
	}
	return TOP_REDRAW;
}

static void back_to_table(struct top_view *view, struct thread_counting *c)
{
	/* The filter of metrics is none of threads. */
	if (view->mode == MODE_PICK)
		*view->filter = '\0';
	view->mode = MODE_TABLE;
	table_sort(view, c);
}

static enum top_action pick_key(struct top_view *view, struct thread_counting *c, int key)
{
	int by = rows_of_key(view, key), changed;

	if (by)
		pick_move(view, by);
	if (key == ' ')
		pick_toggle(view);
	if (key == '/')
		ask(view, INPUT_FILTER);
	if (key != KEY_OF_ENTER)
		return TOP_REDRAW;
	changed = pick_end(view);
	back_to_table(view, c);
	return changed ? TOP_RESTART : TOP_REDRAW;
}

enum top_action view_key(struct top_view *view, struct thread_counting *c, int key)
{
	*view->message = '\0';
	if (view->input_for)
		return input_key(view, c, key);
	switch (key) {
	case 'q':
		return TOP_QUIT;
	case 'p':
	case ' ':
		if (view->mode == MODE_PICK)
			break;
		view->paused = !view->paused;
		return TOP_REDRAW;
	case '?':
	case 'h':
		view->mode = MODE_HELP;
		return TOP_REDRAW;
	case KEY_OF_ESCAPE:
		back_to_table(view, c);
		return TOP_REDRAW;
	}
	if (view->mode == MODE_TABLE)
		return table_key(view, c, key);
	if (view->mode == MODE_PICK)
		return pick_key(view, c, key);
	return TOP_REDRAW;
}
