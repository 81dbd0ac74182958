// SPDX-License-Identifier: GPL-2.0
/* Figures of runs, drawn by gnuplot. */
#include "common.h"
#include "gnuplot.h"
#include "node/figures.h"

/* Size of a panel in points */
#define WIDTH	900
#define HEIGHT	420

static const struct figure_kind *const kinds[FIGURES] = {
#define ROW(figure) &figure,
	FIGURE_KINDS(ROW)
#undef ROW
};

void figure_panel_title(const struct run_group *group, FILE *f)
{
	char title[256];

	snprintf(title, sizeof(title), "%s on cores %s, mean of %d run%s", group->name, group->cores,
		 group->nr, group->nr == 1 ? "" : "s");
	fputs("set title ", f);
	gnuplot_quote(title, f);
	fputc('\n', f);
}

struct figure {
	int number;
	const struct run_groups *groups;
};

static int panels_of(const struct figure *figure)
{
	return kinds[figure->number - 1]->by_group ? figure->groups->nr : 1;
}

static void write_figure(const void *arg, FILE *f)
{
	const struct figure *figure = arg;
	const struct figure_kind *kind = kinds[figure->number - 1];
	const struct run_groups *groups = figure->groups;
	int i, drawn = 0;

	for (i = 0; i < groups->nr; i++)
		drawn += kind->data(groups, i, f);
	if (drawn < groups->nr)
		bad("figure %d shows %s: %s has not sampled all of that", figure->number, kind->title,
		    drawn || groups->nr > 1 ? "a run" : groups->all[0].mean.path);
	fputs("set key outside right top\nset offsets 0, graph 0.03, graph 0.08, 0\n", f);
	fprintf(f, "set multiplot layout %d,1\n", panels_of(figure));
	for (i = 0; i < panels_of(figure); i++)
		kind->plot(groups, i, f);
	fputs("unset multiplot\n", f);
}

void figure_draw(int number, const struct run_groups *groups, const char *path)
{
	struct figure figure = { number, groups };
	struct picture picture = { WIDTH, HEIGHT * panels_of(&figure), write_figure, &figure };

	gnuplot_draw(&picture, path);
}
