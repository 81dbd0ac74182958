/* SPDX-License-Identifier: GPL-2.0 */
/* A chart in characters. */
#ifndef PMCTRACK_TEXT_CHART_H
#define PMCTRACK_TEXT_CHART_H

#include <stdio.h>

/* Columns of a chart that fits 80 characters, labels included. */
#define CHART_WIDTH	70
#define CHART_HEIGHT	4

/**
 * struct chart - a curve over time
 * @title: quantity, and thread or core type
 * @values: CHART_WIDTH values; NAN where there is none
 * @seconds: time that the values cover
 * @utf8: draw with block elements
 */
struct chart {
	const char *title;
	double values[CHART_WIDTH];
	double seconds;
	int utf8;
};

void chart_draw(const struct chart *chart, FILE *f);

/* The least round number not below @value. */
double chart_round_up(double value);

/* "1.25M": @value in at most 6 characters. */
void chart_number(char *buf, size_t size, double value);

/* 1 if the environment names a UTF-8 locale. */
int chart_utf8(void);

#endif
