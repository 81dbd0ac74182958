// SPDX-License-Identifier: GPL-2.0
/* The list from which metrics are picked. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "top/view.h"

#define NAME_WIDTH 28

static int has_name(const struct top_names *names, const char *name)
{
	int i;

	for (i = 0; i < names->nr; i++)
		if (!strcmp(names->all[i], name))
			return 1;
	return 0;
}

static int add_choice(void *arg, const struct pmc_metric_info *info)
{
	struct top_view *view = arg;
	struct top_choice *choice;
	int i;

	/* Core types have the same metric, with formulas of their own. */
	for (i = 0; i < view->nr_choices; i++)
		if (!strcmp(view->choices[i].name, info->name))
			return 0;
	view->choices = must_have(realloc(view->choices, (view->nr_choices + 1) * sizeof(*view->choices)));
	choice = &view->choices[view->nr_choices++];
	choice->name = must_have(strdup(info->name));
	choice->desc = must_have(strdup(info->desc ? info->desc : ""));
	choice->chosen = has_name(&view->metrics, info->name);
	return 0;
}

void pick_free(struct top_view *view)
{
	int i;

	for (i = 0; i < view->nr_choices; i++) {
		free(view->choices[i].name);
		free(view->choices[i].desc);
	}
	free(view->choices);
	view->choices = NULL;
	view->nr_choices = 0;
}

static int is_shown(const struct top_view *view, int i)
{
	return !*view->filter || strcasestr(view->choices[i].name, view->filter) ||
	       strcasestr(view->choices[i].desc, view->filter);
}

void pick_begin(struct top_view *view, const pmc_machine_t *machine)
{
	int id;

	pick_free(view);
	*view->filter = '\0';
	view->chosen_row = 0;
	view->first_row = 0;
	for (id = 0; id < pmc_machine_nr_core_types(machine); id++)
		if (pmc_machine_each_metric(machine, id, add_choice, view) < 0)
			snprintf(view->message, sizeof(view->message), "%s", pmc_last_error());
	view->mode = MODE_PICK;
}

void pick_move(struct top_view *view, int by)
{
	int i = view->chosen_row, step = by < 0 ? -1 : 1, left = by < 0 ? -by : by;

	while (left && i + step >= 0 && i + step < view->nr_choices) {
		i += step;
		if (!is_shown(view, i))
			continue;
		view->chosen_row = i;
		left--;
	}
	/* The filter may have hidden the row. */
	for (i = 0; i < view->nr_choices && !is_shown(view, view->chosen_row); i++)
		view->chosen_row = (view->chosen_row + 1) % view->nr_choices;
}

void pick_toggle(struct top_view *view)
{
	if (view->nr_choices && is_shown(view, view->chosen_row))
		view->choices[view->chosen_row].chosen ^= 1;
}

int pick_end(struct top_view *view)
{
	struct top_names before = { 0 };
	int i, differs;

	names_copy(&before, &view->metrics);
	/* Formulas, groups and other names that are not in the list stay. */
	for (i = 0; i < view->nr_choices; i++) {
		if (view->choices[i].chosen && !has_name(&view->metrics, view->choices[i].name))
			names_add(&view->metrics, view->choices[i].name);
		if (!view->choices[i].chosen)
			names_remove(&view->metrics, view->choices[i].name);
	}
	differs = before.nr != view->metrics.nr;
	for (i = 0; i < before.nr && !differs; i++)
		differs = strcmp(before.all[i], view->metrics.all[i]);
	names_free(&before);
	return differs;
}

void pick_frame(struct top_view *view, struct top_frame *frame)
{
	struct top_line *line = frame_line(frame, STYLE_TITLE);
	int i, row = 0, at = 0, room;

	frame_put(frame, line, "Pick metrics");
	if (*view->filter)
		frame_put(frame, line, " [filter: %s]", view->filter);
	frame_put(frame, line, ": space chooses, Enter counts what is chosen");
	room = frame_lines_left(frame) - 1;
	view->page = room > 1 ? room : 1;
	for (i = 0; i < view->chosen_row; i++)
		at += is_shown(view, i);
	if (view->first_row > at)
		view->first_row = at;
	if (view->first_row + view->page <= at)
		view->first_row = at - view->page + 1;
	for (i = 0; i < view->nr_choices && row < view->first_row + view->page; i++) {
		if (!is_shown(view, i) || row++ < view->first_row)
			continue;
		line = frame_line(frame, i == view->chosen_row ? STYLE_SELECTED : STYLE_PLAIN);
		frame_put(frame, line, "[%c] ", view->choices[i].chosen ? 'x' : ' ');
		frame_text(frame, line, view->choices[i].name, NAME_WIDTH);
		frame_put(frame, line, " %s", view->choices[i].desc);
	}
	if (!row)
		frame_put(frame, frame_line(frame, STYLE_NOTE), "No metric has this text: / and Enter show all.");
}
