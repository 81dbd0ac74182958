// SPDX-License-Identifier: GPL-2.0
/* Performance of each program (columns) on each set of cores (rows), in Gflops */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "common.h"
#include "node/tables.h"

/* The distinct names and sets of cores, in the order of the groups */
struct axes {
	int nr_names;
	const char **names;
	int nr_cores;
	const char **cores;
};

static void add(const char **all, int *nr, const char *text)
{
	int i;

	for (i = 0; i < *nr; i++)
		if (!strcmp(all[i], text))
			return;
	all[(*nr)++] = text;
}

static const struct run_group *find(const struct run_groups *groups, const char *name,
				    const char *cores)
{
	int i;

	for (i = 0; i < groups->nr; i++)
		if (!strcmp(groups->all[i].name, name) && !strcmp(groups->all[i].cores, cores))
			return &groups->all[i];
	return NULL;
}

static double gflops(const struct run_groups *groups, const char *name, const char *cores)
{
	const struct run_group *group = find(groups, name, cores);

	return group ? about_number(&group->mean.about, "gflops") : NAN;
}

static void print_rows(struct columns *c, const struct run_groups *groups, const struct axes *a,
		       FILE *f)
{
	double first, second;
	int i, j;

	for (i = 0; i < a->nr_cores; i++) {
		columns_text(c, 0, a->cores[i]);
		for (j = 0; j < a->nr_names; j++)
			columns_value(c, 1 + j, "%.3f", gflops(groups, a->names[j], a->cores[i]));
		first = gflops(groups, a->names[0], a->cores[i]);
		second = gflops(groups, a->names[a->nr_names - 1], a->cores[i]);
		if (a->nr_names == 2)
			columns_value(c, 3, "%+.1f %%", 100 * (second / first - 1));
		columns_print_row(c, f);
	}
}

/* The program's group on most cores; with @most, the best of those on fewer */
static const struct run_group *choose(const struct run_groups *groups, const char *name,
				      const struct run_group *most)
{
	const struct run_group *g, *best = NULL;
	double threads, limit = most ? about_number(&most->mean.about, "threads") : INFINITY;
	const char *key = most ? "gflops" : "threads";
	int i;

	for (i = 0; i < groups->nr; i++) {
		g = &groups->all[i];
		threads = about_number(&g->mean.about, "threads");
		if (strcmp(g->name, name) || !(threads < limit) ||
		    isnan(about_number(&g->mean.about, "gflops")))
			continue;
		if (!best || about_number(&g->mean.about, key) > about_number(&best->mean.about, key))
			best = g;
	}
	return best;
}

/* Do more cores help? "hpl: all is 18.5 % slower than P" */
static void print_verdicts(const struct run_groups *groups, const struct axes *a, FILE *f)
{
	const struct run_group *most, *other;
	double change;
	int i;

	for (i = 0; i < a->nr_names; i++) {
		most = choose(groups, a->names[i], NULL);
		other = most ? choose(groups, a->names[i], most) : NULL;
		if (!other)
			continue;
		change = 100 * (about_number(&most->mean.about, "gflops") /
				about_number(&other->mean.about, "gflops") - 1);
		fprintf(f, "%s: cores %s are %.1f %% %s than cores %s\n", a->names[i], most->cores,
			fabs(change), change < 0 ? "slower" : "faster", other->cores);
	}
}

static void print(const struct run_groups *groups, const struct axes *a, FILE *f)
{
	struct columns c = { 0 };
	int i, failed = columns_add(&c, "cores", -12) < 0;

	c.nr_fixed = 1;
	for (i = 0; i < a->nr_names; i++)
		failed |= columns_add(&c, a->names[i], 12) < 0;
	if (a->nr_names == 2)
		failed |= columns_add(&c, "change", 10) < 0;
	if (failed)
		bad("out of memory");
	columns_fit(&c, 0, NUMBERS_RAW);
	fprintf(f, "Performance in Gflops\n");
	columns_print_heading(&c, f);
	print_rows(&c, groups, a, f);
	print_verdicts(groups, a, f);
	columns_free(&c);
}

void table_performance(const struct run_groups *groups, FILE *f)
{
	struct axes a = {
		.names = new_array(groups->nr, sizeof(char *)),
		.cores = new_array(groups->nr, sizeof(char *)),
	};
	int i, known = 0;

	for (i = 0; i < groups->nr; i++) {
		add(a.names, &a.nr_names, groups->all[i].name);
		add(a.cores, &a.nr_cores, groups->all[i].cores);
		known |= !isnan(about_number(&groups->all[i].mean.about, "gflops"));
	}
	if (!known)
		bad("no run has a performance: no program printed a number beside `Gflops`");
	print(groups, &a, f);
	free(a.names);
	free(a.cores);
}
