// SPDX-License-Identifier: GPL-2.0
/* The verdicts as JSON */
#include <math.h>

#include "additivity/verdicts.h"
#include "quote.h"

static void print_value(FILE *f, const char *key, double value)
{
	if (isfinite(value))
		fprintf(f, ", \"%s\": %.9g", key, value);
	else
		fprintf(f, ", \"%s\": null", key);
}

static void print_pair(const struct verdicts *v, const struct pair_error *p, FILE *f)
{
	fputs("{\"compound\": ", f);
	print_json_string(f, v->results->programs.all[p->program].name);
	print_value(f, "sum", p->sum);
	print_value(f, "counted", p->compound);
	print_value(f, "error", p->error);
	print_value(f, "half_width", p->half);
	fputc('}', f);
}

static void print_judgement(const struct verdicts *v, enum phase phase, const struct judgement *j,
			    int pairs, FILE *f)
{
	int i;

	fprintf(f, "{\"setup\": \"%s\", \"event\": ", phase_names[phase]);
	print_json_string(f, judge_name(v->results, j->variable));
	fprintf(f, ", \"verdict\": \"%s\"", verdict_names[j->verdict]);
	print_value(f, "error", j->worst < 0 ? NAN : judge_error(j));
	print_value(f, "spread", j->spread);
	print_value(f, "precision", j->precision);
	print_value(f, "normal_p", j->normal);
	print_value(f, "independent_p", j->independent);
	fprintf(f, ", \"least_runs\": %d, \"most_runs\": %d", j->least_runs, j->most_runs);
	fprintf(f, ", \"compounds_above\": %d, \"compounds\": %d", judge_pairs_above(j, v->tolerance),
		j->nr_pairs);
	if (j->worst >= 0) {
		fputs(", \"worst\": ", f);
		print_pair(v, &j->pairs[j->worst], f);
	}
	for (i = 0; i < j->nr_pairs && pairs; i++) {
		fputs(i ? ", " : ", \"pairs\": [", f);
		print_pair(v, &j->pairs[i], f);
	}
	fputs(pairs && j->nr_pairs ? "]}" : "}", f);
}

static void print_response(const struct verdicts *v, const char *key, const struct judgement *j,
			   int pairs, FILE *f)
{
	if (!j)
		return;
	fprintf(f, ",\n \"%s\": ", key);
	print_judgement(v, PHASE_CORES, j, pairs, f);
}

/* Numbers of events with each verdict */
static void print_sweep(const struct verdicts *v, FILE *f)
{
	int i, verdict;

	fputs(",\n \"sweep\": [", f);
	for (i = 0; i < SWEEP; i++) {
		fprintf(f, "%s{\"tolerance\": %.9g", i ? ", " : "", verdicts_sweep[i]);
		for (verdict = 0; verdict < VERDICTS; verdict++)
			fprintf(f, ", \"%s\": %d", verdict_names[verdict],
				verdicts_count(v, verdict, verdicts_sweep[i]));
		fputc('}', f);
	}
	fputc(']', f);
}

void verdicts_print_json(const struct verdicts *v, int pairs, FILE *f)
{
	const char *core_type = about_get(&v->results->about, CORE_TYPE_FACT);
	int i;

	fputs("{\"core_type\": ", f);
	print_json_string(f, core_type ? core_type : "?");
	fprintf(f, ", \"tolerance\": %.9g, \"base_programs\": %d, \"compounds\": %d", v->tolerance,
		v->results->programs.nr_bases, v->results->programs.nr - v->results->programs.nr_bases);
	print_response(v, "time", v->time, pairs, f);
	print_response(v, "dynamic_energy", v->energy, pairs, f);
	print_sweep(v, f);
	fputs(",\n \"events\": [", f);
	for (i = 0; i < v->nr; i++) {
		fputs(i ? ",\n  " : "\n  ", f);
		print_judgement(v, PHASE_CORES, v->events[i], pairs, f);
		if (v->memory && v->memory[i]) {
			fputs(",\n  ", f);
			print_judgement(v, PHASE_MEMORY, v->memory[i], pairs, f);
		}
	}
	fputs("],\n \"set_aside\": [", f);
	for (i = 0; i < v->nr_aside; i++) {
		fputs(i ? ", " : "", f);
		print_json_string(f, v->results->events[v->aside[i]]);
	}
	fputs("],\n \"left_out\": [", f);
	for (i = 0; i < v->nr_left_out; i++) {
		fputs(i ? ", " : "", f);
		print_json_string(f, v->left_out[i]);
	}
	fputs("]}\n", f);
}
