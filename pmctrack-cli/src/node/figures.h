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

extern const struct figure_kind figure_frequency;	/* 1: frequency over time */
extern const struct figure_kind figure_power;		/* 2: power and temperature, limits */
extern const struct figure_kind figure_throttling;	/* 3: frequency against temperature */
extern const struct figure_kind figure_cores;		/* 4: performance against cores */

#define FIGURES 4

/*
 * Draw figure @number, from 1, to @path: NAME.png, NAME.svg, or NAME.gp, gnuplot's commands.
 * bad() if the runs lack what it shows, or if gnuplot fails.
 */
void figure_draw(int number, const struct run_groups *groups, const char *path);

/* The title of a panel, as "xhpl on P" */
void figure_panel_title(const struct run_group *group, FILE *f);

#endif
