// SPDX-License-Identifier: GPL-2.0
/* pmctrack node: sample the machine while a program runs, several times; and show the runs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "node/figures.h"
#include "node/folder.h"
#include "node/node_options.h"
#include "node/runs.h"
#include "node/summary.h"
#include "node/tables.h"
#include "output.h"
#include "verb.h"

static void print_table(const struct node_options *n, const struct run_groups *groups)
{
	FILE *f = n->o.output ? fopen(n->o.output, "we") : stdout;

	if (!f)
		bad("cannot write %s: %s", n->o.output, strerror(errno));
	if (n->table == 2)
		table_performance(groups, f);
	else
		table_core_types(groups, f);
	written(f, n->o.output ? n->o.output : "standard output");
	if (n->o.output)
		fclose(f);
}

static void draw_figure(const struct node_options *n, const struct run_groups *groups)
{
	char name[32];

	snprintf(name, sizeof(name), "figure-%d.png", n->figure);
	figure_draw(n->figure, groups, n->o.output ? n->o.output : name);
}

static void show(const struct node_options *n)
{
	struct run_groups groups;
	struct run_list list;

	runs_load(&list, n->o.command);
	if (n->summary) {
		summary_print(&list, stdout, output_width(stdout));
		written(stdout, "standard output");
		runs_free(&list);
		return;
	}
	groups_make(&groups, &list);
	if (n->table)
		print_table(n, &groups);
	else
		draw_figure(n, &groups);
	groups_free(&groups);
	runs_free(&list);
}

int node_main(int argc, char **argv)
{
	struct node_options n;

	node_options_parse(&n, argc, argv);
	if (n.average)
		average_write(n.o.command, n.o.output);
	else if (n.summary || n.table || n.figure)
		show(&n);
	else
		return runs_make(&n);
	return 0;
}
