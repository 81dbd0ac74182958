/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The view of pmctrack top, which keys change: the table of threads, one thread, the list of
 * metrics to pick from, help. Nothing here knows the terminal.
 */
#ifndef PMCTRACK_TOP_VIEW_H
#define PMCTRACK_TOP_VIEW_H

#include "threads/counting.h"
#include "top/frame.h"

enum top_mode {
	MODE_TABLE,
	MODE_THREAD,
	MODE_PICK,
	MODE_HELP,
};

/* The purpose of a line of input */
enum top_input {
	INPUT_NONE,
	INPUT_FILTER,
	INPUT_METRIC,
	INPUT_VIRTUAL,
	INPUT_DELAY,
};

/* Keys that are no characters */
enum top_key {
	KEY_OF_UP = 0x110000,
	KEY_OF_DOWN,
	KEY_OF_LEFT,
	KEY_OF_RIGHT,
	KEY_OF_PAGE_UP,
	KEY_OF_PAGE_DOWN,
	KEY_OF_HOME,
	KEY_OF_END,
	KEY_OF_ENTER,
	KEY_OF_ESCAPE,
	KEY_OF_BACKSPACE,
};

/* The caller's next step after a key */
enum top_action {
	TOP_REDRAW,
	TOP_QUIT,
	TOP_RESTART,	/* other metrics or virtual counters */
};

/* A metric to pick; @filtered: shown with the filter */
struct top_choice {
	char *name;
	char *desc;
	int chosen;
};

/* Lists of names, as of -m and -V; each for free() */
struct top_names {
	char **all;
	int nr;
};

/**
 * struct top_view - the state of the view
 * @metrics, @virtuals: what the user wants to see, besides the usual
 * @delay_us: time between two frames
 * @sort: column by which the table is sorted; @reverse: least first
 * @first_value: the first of the columns of values that is shown
 * @filter: text that names, users or numbers have to have
 * @selected: number of the selected thread, or 0 for the first row
 * @first_row: the first row that is shown
 * @rows, @nr_rows: threads in the order of the table
 * @page: rows that the last frame had room for
 * @input_for, @input: a line that is being typed
 * @message: shown until the next key
 * @choices, @nr_choices, @chosen_row: metrics to pick, and the selected one
 */
struct top_view {
	enum top_mode mode;
	struct top_names metrics;
	struct top_names virtuals;
	uint64_t delay_us;
	int paused;
	int sort;
	int reverse;
	int first_value;
	char filter[64];
	pid_t selected;
	int first_row;
	struct counted_thread **rows;
	int nr_rows;
	int page;
	enum top_input input_for;
	char input[128];
	char message[256];
	struct top_choice *choices;
	int nr_choices;
	int chosen_row;
};

void view_init(struct top_view *view);
void view_free(struct top_view *view);

/* Make the frame anew. @interactive: with the keys, and the selected row */
void view_frame(struct top_view *view, struct thread_counting *c, struct top_frame *frame, int interactive);

/* A key was pressed: a character, or one of enum top_key. */
enum top_action view_key(struct top_view *view, struct thread_counting *c, int key);

/* The column with this heading, or -1. */
int table_column(const struct thread_counting *c, const char *heading);

void names_add(struct top_names *names, const char *text);
void names_remove(struct top_names *names, const char *text);
void names_free(struct top_names *names);
/* Copies of all names of @from */
void names_copy(struct top_names *to, const struct top_names *from);

/* table.c: the table of threads */
void table_frame(struct top_view *view, struct thread_counting *c, struct top_frame *frame, int interactive);
/* Filter and sort the threads anew. */
void table_sort(struct top_view *view, struct thread_counting *c);
/* The column that is shown @by places to the right of this one; the first is beside the last. */
int table_column_beside(const struct thread_counting *c, int column, int by);
const char *table_user(struct counted_thread *thread);

/* detail.c: one thread */
void detail_frame(struct top_view *view, struct thread_counting *c, struct top_frame *frame);

/* pick_metric.c: the list of metrics */
void pick_begin(struct top_view *view, const pmc_machine_t *machine);
void pick_frame(struct top_view *view, struct top_frame *frame);
/* Have the chosen metrics in the view's. Return: 1 if others are chosen than before */
int pick_end(struct top_view *view);
/* Choose the selected metric, or do not any more; nothing is selected if the filter shows none. */
void pick_toggle(struct top_view *view);
void pick_free(struct top_view *view);
/* Select the row that is @by rows further on, among those that the filter shows. */
void pick_move(struct top_view *view, int by);

/* help.c: the keys, and what is not counted */
void help_frame(const struct thread_counting *c, struct top_frame *frame);

#endif
