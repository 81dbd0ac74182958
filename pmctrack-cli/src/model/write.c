// SPDX-License-Identifier: GPL-2.0
/* Write model files, and what a model is worth. */
#include <math.h>
#include <string.h>

#include "write.h"

/* Resolution of numbers in the kernel */
#define SMALLEST	1e-12

/* Print at most 12 digits after the point, without trailing zeros. */
static void print_number(FILE *f, double number)
{
	char text[64];
	size_t len;

	len = snprintf(text, sizeof(text), "%.12f", number);
	while (text[len - 1] == '0')
		len--;
	if (text[len - 1] == '.')
		len--;
	fprintf(f, "%.*s", (int)len, text);
}

static void print_formula(FILE *f, const struct shape_core *c, const struct formula *formula)
{
	size_t i;

	print_number(f, formula->constant);
	for (i = 0; i < formula->nr_terms; i++) {
		const struct fit_term *term = &formula->term[i];

		if (fabs(term->a) < SMALLEST)
			continue;
		fputc(term->a < 0 ? '-' : '+', f);
		print_number(f, fabs(term->a));
		if (!term->bend) {
			fprintf(f, "*%s", c->metric[term->metric].name);
			continue;
		}
		fprintf(f, "*above(%s,", c->metric[term->metric].name);
		print_number(f, term->at);
		fputc(')', f);
	}
	fputc('\n', f);
}

static bool used(const struct formula *formula, size_t metric)
{
	size_t i;

	for (i = 0; i < formula->nr_terms; i++)
		if (formula->term[i].metric == metric)
			return true;
	return false;
}

/* Is this a line of a metric that the formula of its core type does not use? */
static bool idle(const struct shape *shape, const struct formula *formula, const char *line)
{
	char start[128];
	size_t core, i;

	for (core = 0; core < 2; core++) {
		const struct shape_core *c = &shape->core[core];

		for (i = 0; i < c->nr_metrics; i++) {
			snprintf(start, sizeof(start), "%s.%s.metric.%s=", shape->module, c->name,
				 c->metric[i].name);
			if (!strncmp(line, start, strlen(start)))
				return !used(&formula[core], i);
		}
	}
	return false;
}

static void print_comments(FILE *f, const struct shape *shape, const struct formula *formula,
			   const struct validation *v, const struct runs *runs,
			   const struct training *t)
{
	double least = INFINITY, most = 0;
	size_t i, core;

	for (i = 0; i < t->nr_rows; i++) {
		least = fmin(least, t->truth[i]);
		most = fmax(most, t->truth[i]);
	}
	fprintf(f, "# Fitted by pmc-model to %zu windows of %zu programs, in which the truth is from\n",
		t->nr_rows, runs->nr);
	fprintf(f, "# %.3f to %.3f. Errors are those for programs that were left out of the fit; in brackets,\n",
		least, most);
	fprintf(f, "# for the programs of the fit.\n");
	for (core = 0; core < 2; core++) {
		const struct errors *out = &v[core].left_out, *in = &v[core].fitted;

		fprintf(f, "# %s: %zu terms, correlation %.4f (%.4f), error %.2f %% (%.2f %%) on average,\n",
			shape->core[core].name, formula[core].nr_terms, out->all_correlation,
			in->all_correlation, out->all_mean * 100, in->all_mean * 100);
		fprintf(f, "#   %.2f %% (%.2f %%) for the worst program, %s (%s); a constant has %.2f %%\n",
			out->mean[out->worst] * 100, in->mean[in->worst] * 100,
			runs->run[out->worst].program, runs->run[in->worst].program,
			v[core].constant.all_mean * 100);
	}
}

void write_model(FILE *f, const struct shape *shape, const struct formula *formula,
		 const struct validation *v, const struct runs *runs, const struct training *t)
{
	size_t i, core;

	print_comments(f, shape, formula, v, runs, t);
	for (i = 0; i < shape->nr_lines; i++)
		if (!idle(shape, formula, shape->line[i]))
			fprintf(f, "%s\n", shape->line[i]);
	for (core = 0; core < 2; core++) {
		const char *name = shape->core[core].name;

		fprintf(f, "%s.%s.range=", shape->module, name);
		print_number(f, formula[core].least);
		fputc(',', f);
		print_number(f, formula[core].most);
		fprintf(f, "\n%s.%s.%s=", shape->module, name,
			formula[core].inverse ? "inverse" : "estimate");
		print_formula(f, &shape->core[core], &formula[core]);
	}
}

static void print_correlation(FILE *f, double correlation)
{
	if (isnan(correlation))
		fprintf(f, "  %11s", "-");
	else
		fprintf(f, "  %11.4f", correlation);
}

static void print_line(FILE *f, const char *name, const struct validation *v, size_t program)
{
	size_t core;

	fprintf(f, "%-24s", name);
	for (core = 0; core < 2; core++) {
		fprintf(f, "  %8.2f  %8.2f", v[core].left_out.mean[program] * 100,
			v[core].constant.mean[program] * 100);
		print_correlation(f, v[core].left_out.correlation[program]);
	}
	fputc('\n', f);
}

void print_errors(FILE *f, const struct shape *shape, const struct validation *v,
		  const struct runs *runs)
{
	size_t core, i;

	fprintf(f, "Errors (%%) of estimates, and of a constant, for programs that were left out of the fit:\n%-24s",
		"");
	for (core = 0; core < 2; core++)
		fprintf(f, "  %-31s", shape->core[core].name);
	fprintf(f, "\n%-24s", "program");
	for (core = 0; core < 2; core++)
		fprintf(f, "  %8s  %8s  %11s", "estimate", "constant", "correlation");
	fputc('\n', f);
	for (i = 0; i < runs->nr; i++)
		print_line(f, runs->run[i].program, v, i);
	fprintf(f, "all %-20zu", runs->nr);
	for (core = 0; core < 2; core++) {
		fprintf(f, "  %8.2f  %8.2f", v[core].left_out.all_mean * 100,
			v[core].constant.all_mean * 100);
		print_correlation(f, v[core].left_out.all_correlation);
	}
	fputc('\n', f);
	for (core = 0; core < 2; core++)
		fprintf(f, "%s: the worst program is %s, %.2f %%; the worst window has %.1f %%\n",
			shape->core[core].name, runs->run[v[core].left_out.worst].program,
			v[core].left_out.mean[v[core].left_out.worst] * 100,
			v[core].left_out.all_max * 100);
}
