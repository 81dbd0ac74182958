// SPDX-License-Identifier: GPL-2.0
/* Forms of a report: which one --format, --plot and the name of the file ask for. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "format.h"
#include "gnuplot.h"
#include "page.h"

static void check_trace(const char *path)
{
	if (!path)
		bad("--format=perfetto writes a file for a viewer: name it with -o");
}

static void check_page(const char *path)
{
	(void)path;
	page_check();
}

/**
 * struct format_row - a form, or another ending of its files' names
 * @name: what --format calls it; NULL: the ending alone asks for it
 * @ending: of names of files that ask for it; NULL: none
 * @needs_samples: its name for people, if it shows samples; NULL: sums (-A) will do
 * @plots: it is what --plot draws, for a file with this ending
 * @check: bad() if it cannot be written to a file, or to none (NULL); NULL: it always can
 */
struct format_row {
	enum format format;
	const char *name;
	const char *ending;
	const char *needs_samples;
	int plots;
	void (*check)(const char *path);
};

static const struct format_row rows[] = {
	{ FORMAT_TABLE, "table", NULL, NULL, 0, NULL },
	{ FORMAT_CSV, "csv", ".csv", NULL, 0, NULL },
	{ FORMAT_JSON, "json", ".json", NULL, 0, NULL },
	{ FORMAT_PERFETTO, "perfetto", ".pftrace", "a trace", 0, check_trace },
	{ FORMAT_FIGURE, NULL, ".svg", "a figure", 1, gnuplot_check },
	{ FORMAT_FIGURE, NULL, ".png", "a figure", 1, gnuplot_check },
	{ FORMAT_FIGURE, NULL, ".gp", "a figure", 1, gnuplot_check },
	{ FORMAT_PAGE, NULL, ".html", "a page", 0, check_page },
};

#define NR_ROWS ((int)(sizeof(rows) / sizeof(rows[0])))

enum format format_by_name(const char *text)
{
	int i;

	for (i = 0; i < NR_ROWS; i++)
		if (rows[i].name && !strcmp(text, rows[i].name))
			return rows[i].format;
	bad("--format takes table, csv, json or perfetto, not '%s'", text);
}

static int ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len > n && !strcmp(text + len - n, end);
}

void format_choose(struct options *o)
{
	int i;

	if (o->format != FORMAT_OF_FILE)
		return;
	o->format = FORMAT_TABLE;
	for (i = 0; o->output && i < NR_ROWS; i++)
		if (rows[i].ending && ends_with(o->output, rows[i].ending) && (rows[i].plots || !o->plot))
			o->format = rows[i].format;
}

void format_check(const struct options *o)
{
	const struct format_row *row = rows;

	while (row->format != o->format)
		row++;
	if (o->plot && o->format != FORMAT_TABLE && !row->plots)
		bad("--plot draws on a terminal: leave out --format");
	if (o->plot && o->aggregate)
		bad("--plot needs the samples that -A leaves out: choose one");
	if (row->needs_samples && o->aggregate)
		bad("%s needs the samples that -A leaves out: choose one", row->needs_samples);
	if (row->check)
		row->check(o->output);
}
