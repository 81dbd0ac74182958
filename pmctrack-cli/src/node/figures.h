/* SPDX-License-Identifier: GPL-2.0 */
/* Figures of runs, drawn by gnuplot. */
#ifndef PMCTRACK_NODE_FIGURES_H
#define PMCTRACK_NODE_FIGURES_H

#include <stdio.h>

#include "node/average.h"

/**
 * struct figure_kind - a figure
 * @title: what it shows
 * @by_group: each group has a panel of its own; else all have one
 * @data: write gnuplot's data blocks of a group with this number; 0: it has nothing to draw
 * @plot: write the commands of a panel
 */
struct figure_kind {
	const char *title;
	int by_group;
	int (*data)(const struct run_groups *groups, int number, FILE *f);
	void (*plot)(const struct run_groups *groups, int number, FILE *f);
};

/*
 * All figures, in the order of their numbers: frequency over time; power and temperature, with
 * limits; frequency against temperature; performance against the number of cores
 */
#define FIGURE_KINDS(FIGURE)	\
	FIGURE(figure_frequency)	\
	FIGURE(figure_power)	\
	FIGURE(figure_throttling)	\
	FIGURE(figure_cores)

#define DECLARE_FIGURE(figure) extern const struct figure_kind figure;
FIGURE_KINDS(DECLARE_FIGURE)
#undef DECLARE_FIGURE

#define COUNT_FIGURE(figure) + 1
enum { FIGURES = 0 FIGURE_KINDS(COUNT_FIGURE) };
#undef COUNT_FIGURE

/*
 * Draw figure @number, from 1, to @path: NAME.png, NAME.svg, or NAME.gp, gnuplot's commands.
 * bad() if the runs lack what it shows, or if gnuplot fails.
 */
void figure_draw(int number, const struct run_groups *groups, const char *path);

/* The title of a panel, as "xhpl on P" */
void figure_panel_title(const struct run_group *group, FILE *f);

#endif
