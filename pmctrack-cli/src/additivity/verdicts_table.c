// SPDX-License-Identifier: GPL-2.0
/* The verdicts as tables */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "additivity/collect.h"
#include "additivity/verdicts.h"
#include "columns.h"

static void put_percent(struct columns *c, int column, double share)
{
	char text[CELL_MAX];

	snprintf(text, sizeof(text), isfinite(share) ? "%.2f" : "-", 100 * share);
	columns_text(c, column, text);
}

static const char *program_name(const struct verdicts *v, int program)
{
	return v->results->programs.all[program].name;
}

static int longest_name(const struct verdicts *v)
{
	int i, len, longest = strlen("dynamic energy");

	for (i = 0; i < v->nr; i++) {
		len = strlen(judge_name(v->results, v->events[i]->variable));
		longest = len > longest ? len : longest;
	}
	return longest < CELL_MAX ? longest : CELL_MAX - 1;
}

static void set_columns(struct columns *c, const struct verdicts *v)
{
	columns_must_add(c, "event", -longest_name(v));
	columns_must_add(c, "verdict", -(int)strlen(verdict_names[POTENTIALLY_ADDITIVE]));
	columns_must_add(c, "error %", 8);
	columns_must_add(c, "+- %", 6);
	columns_must_add(c, "above", 7);
	columns_must_add(c, "spread %", 8);
	columns_must_add(c, "runs", 5);
	columns_must_add(c, "worst compound", -14);
	if (v->memory) {
		columns_must_add(c, "error %, memory", 15);
		columns_must_add(c, "verdict, memory", -(int)strlen(verdict_names[POTENTIALLY_ADDITIVE]));
	}
	columns_fit(c, 0, NUMBERS_RAW);
}

static void print_row(struct columns *c, const struct verdicts *v, const struct judgement *j,
		      const struct judgement *memory, FILE *f)
{
	char text[CELL_MAX];

	if (!j)
		return;
	columns_text(c, 0, judge_name(v->results, j->variable));
	columns_text(c, 1, verdict_names[j->verdict]);
	put_percent(c, 2, j->worst < 0 ? NAN : judge_error(j));
	put_percent(c, 3, j->worst < 0 ? NAN : j->pairs[j->worst].half);
	snprintf(text, sizeof(text), "%d/%d", judge_pairs_above(j, v->tolerance), j->nr_pairs);
	columns_text(c, 4, text);
	put_percent(c, 5, j->spread);
	snprintf(text, sizeof(text), j->least_runs == j->most_runs ? "%d" : "%d-%d", j->least_runs,
		 j->most_runs);
	columns_text(c, 6, text);
	columns_text(c, 7, j->worst < 0 ? "-" : program_name(v, j->pairs[j->worst].program));
	if (v->memory && memory) {
		put_percent(c, 8, judge_error(memory));
		columns_text(c, 9, verdict_names[memory->verdict]);
	}
	columns_print_row(c, f);
}

static void print_sweep(const struct verdicts *v, FILE *f)
{
	struct columns c = { 0 };
	char text[CELL_MAX];
	int verdict, i;

	columns_must_add(&c, "tolerance", 9);
	for (verdict = 0; verdict < VERDICTS; verdict++)
		columns_must_add(&c, verdict_names[verdict], strlen(verdict_names[verdict]));
	columns_fit(&c, 0, NUMBERS_RAW);
	fputc('\n', f);
	columns_print_heading(&c, f);
	for (i = 0; i < SWEEP; i++) {
		snprintf(text, sizeof(text), "%.0f %%", 100 * verdicts_sweep[i]);
		columns_text(&c, 0, text);
		for (verdict = 0; verdict < VERDICTS; verdict++) {
			snprintf(text, sizeof(text), "%d", verdicts_count(v, verdict, verdicts_sweep[i]));
			columns_text(&c, 1 + verdict, text);
		}
		columns_print_row(&c, f);
	}
	columns_free(&c);
}

static void print_pairs(const struct verdicts *v, FILE *f)
{
	struct columns c = { 0 };
	const struct pair_error *p;
	int i, n;

	columns_must_add(&c, "event", -longest_name(v));
	columns_must_add(&c, "compound", -14);
	columns_must_add(&c, "sum", 14);
	columns_must_add(&c, "counted", 14);
	columns_must_add(&c, "error %", 8);
	columns_must_add(&c, "+- %", 6);
	columns_fit(&c, 0, NUMBERS_RAW);
	fputc('\n', f);
	columns_print_heading(&c, f);
	for (i = 0; i < v->nr; i++)
		for (n = 0; n < v->events[i]->nr_pairs; n++) {
			p = &v->events[i]->pairs[n];
			columns_text(&c, 0, judge_name(v->results, v->events[i]->variable));
			columns_text(&c, 1, program_name(v, p->program));
			columns_value(&c, 2, "%.1f", p->sum);
			columns_value(&c, 3, "%.1f", p->compound);
			put_percent(&c, 4, p->error);
			put_percent(&c, 5, p->half);
			columns_print_row(&c, f);
		}
	columns_free(&c);
}

/* A list of names; @at: the length of its last line */
static void print_name(const char *name, int *at, FILE *f)
{
	if (*at && *at + 2 + strlen(name) > 98)
		*at = fputc('\n', f) * 0;
	*at += fprintf(f, *at ? ", %s" : "  %s", name);
}

static void print_aside(const struct verdicts *v, FILE *f)
{
	int i, at = 0;

	if (!v->nr_aside)
		return;
	fprintf(f, "\n%d events set aside, with counts below %d in each program:\n", v->nr_aside, COUNT_LEAST);
	for (i = 0; i < v->nr_aside; i++)
		print_name(v->results->events[v->aside[i]], &at, f);
	fputc('\n', f);
}

static void print_left_out(const struct verdicts *v, FILE *f)
{
	int i, at = 0;

	if (!v->nr_left_out)
		return;
	fprintf(f, "\n%d events left out, as this machine does not count them:\n", v->nr_left_out);
	for (i = 0; i < v->nr_left_out; i++)
		print_name(v->left_out[i], &at, f);
	fputc('\n', f);
}

/* Repetitions end by the precision of events, whatever that of time and energy is. */
static void print_imprecise(const struct verdicts *v, const struct judgement *j, FILE *f)
{
	if (j && j->precision > PRECISION)
		fprintf(f, "%s has a mean with a confidence interval of +-%.1f %%, wider than +-%.0f %%: more repetitions are needed (--min)\n",
			judge_name(v->results, j->variable), 100 * j->precision, 100 * PRECISION);
}

/* What statistics assume, and whether these measurements are so */
static void print_assumptions(const struct verdicts *v, FILE *f)
{
	int i, few = 0, known = 0, skewed = 0, dependent = 0, imprecise = 0;
	const struct judgement *j;

	for (i = 0; i < v->nr; i++) {
		j = v->events[i];
		few += j->most_runs < DISTRIBUTION_LEAST;
		known += !isnan(j->normal);
		skewed += j->normal < (1 - CONFIDENCE) / v->results->programs.nr;
		dependent += j->independent < (1 - CONFIDENCE) / v->results->programs.nr;
		imprecise += j->precision > PRECISION;
	}
	if (imprecise)
		fprintf(f, "%d events have a mean with a confidence interval wider than +-%.0f %%, as --max ended the repetitions\n",
			imprecise, 100 * PRECISION);
	print_imprecise(v, v->time, f);
	print_imprecise(v, v->energy, f);
	if (known)
		fprintf(f, "%d events have enough measurements to look at their distribution: %d are not normal in some program, %d not independent\n",
			known, skewed, dependent);
	if (few)
		fprintf(f, "%d events have too few measurements to check their distribution: it takes %d of a program (--min)\n",
			few, DISTRIBUTION_LEAST);
}

static void print_counts(const struct verdicts *v, FILE *f)
{
	int verdict, n, first = 1;

	fprintf(f, "\n%d events: ", v->nr);
	for (verdict = 0; verdict < VERDICTS; verdict++) {
		n = verdicts_count(v, verdict, v->tolerance);
		if (n || verdict == NON_ADDITIVE || verdict == POTENTIALLY_ADDITIVE)
			fprintf(f, "%s%d %s", first ? "" : ", ", n, verdict_names[verdict]);
		first = 0;
	}
	fputc('\n', f);
	if (v->memory)
		fprintf(f, "with memory bound, too: %d verdicts are other ones\n", verdicts_changed(v));
	print_assumptions(v, f);
}

/* Time and energy that are not additive say that the experiment is not good. */
static void print_response(const struct verdicts *v, const struct judgement *j, FILE *f)
{
	if (j && j->verdict != POTENTIALLY_ADDITIVE)
		fprintf(f, "%s is %s: other programs, or a quieter machine, are needed\n",
			judge_name(v->results, j->variable), verdict_names[j->verdict]);
}

void verdicts_print_table(const struct verdicts *v, int pairs, FILE *f)
{
	const struct programs *programs = &v->results->programs;
	const char *core_type = about_get(&v->results->about, CORE_TYPE_FACT);
	struct columns c = { 0 };
	int i;

	fprintf(f, "core type %s, %d base programs, %d compounds, tolerance %.4g %%\n",
		core_type ? core_type : "?", programs->nr_bases, programs->nr - programs->nr_bases,
		100 * v->tolerance);
	print_response(v, v->time, f);
	print_response(v, v->energy, f);
	fputc('\n', f);
	set_columns(&c, v);
	columns_print_heading(&c, f);
	print_row(&c, v, v->time, NULL, f);
	print_row(&c, v, v->energy, NULL, f);
	for (i = 0; i < v->nr; i++)
		print_row(&c, v, v->events[i], v->memory ? v->memory[i] : NULL, f);
	columns_free(&c);
	print_counts(v, f);
	print_sweep(v, f);
	print_aside(v, f);
	print_left_out(v, f);
	if (pairs)
		print_pairs(v, f);
}
