/* SPDX-License-Identifier: GPL-2.0 */
/* Pictures that gnuplot draws. */
#ifndef PMCTRACK_GNUPLOT_H
#define PMCTRACK_GNUPLOT_H

#include <stdio.h>

/**
 * struct picture - a picture
 * @width: in points; likewise @height
 * @write: write gnuplot's commands, which draw it; terminal and output are set
 * @arg: its argument
 */
struct picture {
	int width;
	int height;
	void (*write)(const void *arg, FILE *f);
	const void *arg;
};

/* bad() if a picture cannot be drawn to @path: for what would be lost later. */
void gnuplot_check(const char *path);

/*
 * Draw to @path: NAME.png, NAME.svg, or NAME.gp, gnuplot's commands. bad() if the name has
 * another end, or if gnuplot fails or is not installed.
 */
void gnuplot_draw(const struct picture *picture, const char *path);

/* The colours of Okabe and Ito's palette, which colour-blind readers can distinguish */
const char *gnuplot_colour(int n);
/* A text in quotes, with what gnuplot would take for its own escaped */
void gnuplot_quote(const char *text, FILE *f);
/* A value, or NaN, where gnuplot interrupts the line */
void gnuplot_value(double value, FILE *f);

#endif
