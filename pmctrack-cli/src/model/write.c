// SPDX-License-Identifier: GPL-2.0
/* Write model files. */
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

void write_model(FILE *f, const struct shape *shape, const struct formula *formula,
		 const struct training *t, size_t nr_programs)
{
	double least = INFINITY, most = 0;
	size_t i, core;

	for (i = 0; i < t->nr_rows; i++) {
		least = fmin(least, t->truth[i]);
		most = fmax(most, t->truth[i]);
	}
	fprintf(f, "# Fitted by pmc-model to %zu windows of %zu programs, in which the truth is from\n",
		t->nr_rows, nr_programs);
	fprintf(f, "# %.3f to %.3f.", least, most);
	fprintf(f, " In brackets: of windows that were left out of the fit.\n");
	for (core = 0; core < 2; core++)
		fprintf(f, "# %s: correlation %.4f (%.4f), error %.2f %% (%.2f %%) on average, %.1f %% at most\n",
			shape->core[core].name, formula[core].correlation,
			formula[core].cv_correlation, formula[core].mean_error * 100,
			formula[core].cv_error * 100, formula[core].max_error * 100);
	for (i = 0; i < shape->nr_lines; i++)
		if (!idle(shape, formula, shape->line[i]))
			fprintf(f, "%s\n", shape->line[i]);
	for (core = 0; core < 2; core++) {
		const char *name = shape->core[core].name;

		/* Estimates are limited to the range of the truth and a little more. */
		fprintf(f, "%s.%s.range=", shape->module, name);
		print_number(f, floor(least * 95) / 100);
		fputc(',', f);
		print_number(f, ceil(most * 105) / 100);
		fprintf(f, "\n%s.%s.%s=", shape->module, name,
			formula[core].inverse ? "inverse" : "estimate");
		print_formula(f, &shape->core[core], &formula[core]);
	}
}
