// SPDX-License-Identifier: GPL-2.0
/* The verdicts as CSV: a line for each event and set-up, or for each of its compounds */
#include <math.h>

#include "additivity/verdicts.h"
#include "quote.h"

static void print_value(FILE *f, const char *format, double value)
{
	fputc(',', f);
	if (isfinite(value))
		fprintf(f, format, value);
}

static void print_begin(const struct verdicts *v, enum phase phase, const struct judgement *j, FILE *f)
{
	fprintf(f, "%s,", phase_names[phase]);
	print_csv_string(f, judge_name(v->results, j->variable));
	fprintf(f, ",%s", verdict_names[j->verdict]);
}

static void print_event(const struct verdicts *v, enum phase phase, const struct judgement *j, FILE *f)
{
	const struct pair_error *worst = j && j->worst >= 0 ? &j->pairs[j->worst] : NULL;
	int i;

	if (!j)
		return;
	print_begin(v, phase, j, f);
	print_value(f, "%.6f", worst ? worst->error : NAN);
	print_value(f, "%.6f", worst ? worst->half : NAN);
	fprintf(f, ",%s,%d,%d", worst ? v->results->programs.all[worst->program].name : "",
		judge_pairs_above(j, v->tolerance), j->nr_pairs);
	print_value(f, "%.6f", j->spread);
	print_value(f, "%.6f", j->precision);
	print_value(f, "%.4f", j->normal);
	print_value(f, "%.4f", j->independent);
	fprintf(f, ",%d,%d", j->least_runs, j->most_runs);
	for (i = 0; i < SWEEP; i++)
		fprintf(f, ",%s", verdict_names[judge_again(j, verdicts_sweep[i])]);
	fputc('\n', f);
}

static void print_event_pairs(const struct verdicts *v, enum phase phase, const struct judgement *j, FILE *f)
{
	const struct pair_error *p;

	for (p = j ? j->pairs : NULL; j && p < j->pairs + j->nr_pairs; p++) {
		print_begin(v, phase, j, f);
		fprintf(f, ",%s", v->results->programs.all[p->program].name);
		print_value(f, "%.9g", p->sum);
		print_value(f, "%.9g", p->compound);
		print_value(f, "%.6f", p->error);
		print_value(f, "%.6f", p->half);
		fputc('\n', f);
	}
}

static void print_untested(const char *name, const char *why, FILE *f)
{
	fprintf(f, "%s,", phase_names[PHASE_SCAN]);
	print_csv_string(f, name);
	fprintf(f, ",%s,,,,,,,,,,,,,,,\n", why);
}

static void print_heading(int pairs, FILE *f)
{
	int i;

	fputs(pairs ? "setup,event,verdict,compound,sum,counted,error,half_width" :
	      "setup,event,verdict,error,half_width,worst_compound,compounds_above,compounds,spread,precision,normal_p,independent_p,least_runs,most_runs", f);
	for (i = 0; i < SWEEP && !pairs; i++)
		fprintf(f, ",verdict_at_%.0f", 100 * verdicts_sweep[i]);
	fputc('\n', f);
}

void verdicts_print_csv(const struct verdicts *v, int pairs, FILE *f)
{
	void (*print)(const struct verdicts *v, enum phase phase, const struct judgement *j, FILE *f) =
		pairs ? print_event_pairs : print_event;
	int i;

	print_heading(pairs, f);
	print(v, PHASE_CORES, v->time, f);
	print(v, PHASE_CORES, v->energy, f);
	for (i = 0; i < v->nr; i++)
		print(v, PHASE_CORES, v->events[i], f);
	for (i = 0; v->memory && i < v->nr; i++)
		print(v, PHASE_MEMORY, v->memory[i], f);
	for (i = 0; i < v->nr_aside && !pairs; i++)
		print_untested(v->results->events[v->aside[i]], "set aside", f);
	for (i = 0; i < v->nr_left_out && !pairs; i++)
		print_untested(v->left_out[i], "left out", f);
}
