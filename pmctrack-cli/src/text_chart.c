// SPDX-License-Identifier: GPL-2.0
/* Draw a chart in characters: block elements, or ASCII. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text_chart.h"

static const char *const blocks[] = {
	" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█",
};

static const char *const ascii[] = { " ", ".", ":", "|", "#" };

int chart_utf8(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *value;
	size_t i;

	for (i = 0; i < 3; i++) {
		value = getenv(variables[i]);
		if (value && *value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return 0;
}

double chart_round_up(double value)
{
	static const double steps[] = { 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 };
	double scale;
	size_t i;

	if (!(value > 0))
		return 1;
	scale = pow(10, floor(log10(value)));
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]) - 1; i++)
		if (value <= steps[i] * scale * 1.01)
			break;
	return steps[i] * scale;
}

void chart_number(char *buf, size_t size, double value)
{
	static const char *const units[] = { "", "k", "M", "G", "T", "P" };
	size_t unit = 0;
	double amount;

	while (fabs(value) >= 999.5 && unit < sizeof(units) / sizeof(units[0]) - 1) {
		value /= 1000;
		unit++;
	}
	amount = fabs(value);
	if (amount > 0 && amount < 0.00995)
		snprintf(buf, size, "%.0e", value);
	else
		snprintf(buf, size, amount < 9.995 ? "%.2f%s" : amount < 99.95 ? "%.1f%s" : "%.0f%s",
			 value, units[unit]);
}

static void print_title(const struct chart *chart, FILE *f, double mean, double max)
{
	char a[16], b[16], numbers[48];
	int len = strlen(chart->title);

	chart_number(a, sizeof(a), mean);
	chart_number(b, sizeof(b), max);
	snprintf(numbers, sizeof(numbers), "mean %s  max %s", a, b);
	fprintf(f, "%s%*s\n", chart->title, len < 50 ? 79 - len : 29, numbers);
}

/* The character in row @row from below for a value, where the axis is from @base to @top. */
static const char *cell(const struct chart *chart, double value, double base, double top, int row)
{
	double level = (value - base) / (top - base) * CHART_HEIGHT;
	int steps = chart->utf8 ? 8 : 4, n;

	if (isnan(value))
		return " ";
	n = (int)(level * steps + 0.5) - row * steps;
	/* A small value above 0 must be visible, and each value where the axis begins below 0. */
	if (row == 0 && (level > 0 || base < 0) && n < 1)
		n = 1;
	if (n < 0)
		n = 0;
	if (n > steps)
		n = steps;
	return chart->utf8 ? blocks[n] : ascii[n];
}

static void print_axis(const struct chart *chart, double base, FILE *f)
{
	char label[16] = "0", end[32];
	int i;

	if (base < 0)
		chart_number(label, sizeof(label), base);
	fprintf(f, "%7s %s", label, chart->utf8 ? "└" : "+");
	for (i = 0; i < CHART_WIDTH; i++)
		fputs(chart->utf8 ? "─" : "-", f);
	snprintf(end, sizeof(end), "%.3g s", chart->seconds);
	fprintf(f, "\n%9s0 s%*s\n", "", CHART_WIDTH - 3, end);
}

void chart_draw(const struct chart *chart, FILE *f)
{
	double min = NAN, max = NAN, sum = 0, base, top;
	char label[16];
	int i, row, n = 0;

	for (i = 0; i < CHART_WIDTH; i++) {
		if (isnan(chart->values[i]))
			continue;
		sum += chart->values[i];
		n++;
		min = fmin(min, chart->values[i]);
		max = fmax(max, chart->values[i]);
	}
	base = min < 0 ? -chart_round_up(-min) : 0;
	top = max > 0 || base >= 0 ? chart_round_up(max) : 0;
	print_title(chart, f, n ? sum / n : 0, n ? max : 0);
	for (row = CHART_HEIGHT - 1; row >= 0; row--) {
		label[0] = '\0';
		if (row == CHART_HEIGHT - 1)
			chart_number(label, sizeof(label), top);
		fprintf(f, "%7s %s", label,
			chart->utf8 ? (*label ? "┤" : "│") : (*label ? "+" : "|"));
		for (i = 0; i < CHART_WIDTH; i++)
			fputs(cell(chart, chart->values[i], base, top, row), f);
		fputc('\n', f);
	}
	print_axis(chart, base, f);
}
