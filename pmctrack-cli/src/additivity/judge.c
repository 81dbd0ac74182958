// SPDX-License-Identifier: GPL-2.0
/*
 * Which events are additive. An event that counts work has in a compound the sum of what it has
 * in the two base programs, so that one that has not counts something else besides: it cannot be
 * part of a linear model. (Shahid, Fahad, Reddy, Lastovetsky: "Additivity: a selection criterion
 * for performance events for reliable energy predictive modeling", 2017.)
 */
#include <math.h>
#include <stdlib.h>

#include "additivity/collect.h"
#include "additivity/judge.h"
#include "common.h"

const char *const verdict_names[VERDICTS] = {
	"non-additive", "not reproducible", "undecided", "potentially additive",
};

const char *judge_name(const struct results *r, int variable)
{
	return variable == VARIABLE_TIME ? "time" : variable == VARIABLE_ENERGY ? "dynamic energy" :
	       r->events[variable];
}

double judge_idle_power(const struct results *r)
{
	return about_number(&r->about, IDLE_POWER_FACT);
}

/* Energy of each run, without what the idle machine takes in the same time */
static int dynamic_energy(const struct results *r, enum phase phase, int program, double **values)
{
	double *seconds, idle = judge_idle_power(r);
	int n = results_cost(r, phase, program, 1, values), i;

	if (results_cost(r, phase, program, 0, &seconds) != n || isnan(idle))
		n = 0;
	for (i = 0; i < n; i++)
		(*values)[i] -= idle * seconds[i];
	free(seconds);
	return n;
}

int judge_values(const struct results *r, enum phase phase, int program, int variable, double **values)
{
	if (variable == VARIABLE_ENERGY)
		return dynamic_energy(r, phase, program, values);
	if (variable == VARIABLE_TIME)
		return results_cost(r, phase, program, 0, values);
	return results_counts(r, phase, program, variable, values);
}

static struct mean *means_of(const struct results *r, enum phase phase, int variable)
{
	struct mean *means = new_array(r->programs.nr, sizeof(*means));
	double *values;
	int i, nr;

	for (i = 0; i < r->programs.nr; i++) {
		nr = judge_values(r, phase, i, variable, &values);
		means[i] = mean_of(values, nr);
		free(values);
	}
	return means;
}

static double count_least(int variable)
{
	return variable < 0 ? 0 : COUNT_LEAST;
}

/* NAN is above nothing. */
static double least(double a, double b)
{
	return isnan(b) || a < b ? a : b;
}

/* Stage 1, and how sure the means are. Small counts are not reproducible, and decide nothing. */
static void judge_programs(struct judgement *j, const struct mean *means, int nr)
{
	int i;

	j->normal = j->independent = NAN;
	for (i = 0; i < nr; i++) {
		if (!means[i].nr)
			continue;
		if (!j->least_runs || means[i].nr < j->least_runs)
			j->least_runs = means[i].nr;
		j->most_runs = means[i].nr > j->most_runs ? means[i].nr : j->most_runs;
		if (means[i].mean < count_least(j->variable))
			continue;
		if (means[i].spread > j->spread) {
			j->spread = means[i].spread;
			j->spread_program = i;
		}
		j->precision = fmax(j->precision, mean_precision(&means[i]));
		j->normal = least(j->normal, means[i].normal);
		j->independent = least(j->independent, means[i].independent);
	}
}

/*
 * Half the width of the confidence interval of |s - c| / base, where s is the sum of two means. If
 * s is the base, that is the interval of c / s, to first order that of (c - q * s) / s with
 * q = c / s (the delta method). Another base is a constant.
 */
static double half_width(const struct mean *c, const struct mean *a, const struct mean *b,
			 double base, double alpha)
{
	double sum = a->mean + b->mean, q = base == sum && sum > 0 ? c->mean / sum : 1;
	const struct mean *means[] = { c, a, b };
	const double factors[] = { 1, a == b ? 2 * q : q, q };

	/* A compound of a program with itself has one mean twice, whose errors are the same. */
	return sum_half_width(means, factors, a == b ? 2 : 3, alpha) / base;
}

static int judge_pair(const struct mean *means, const struct program *p, int number, double least_sum,
		      double alpha, struct pair_error *pair)
{
	const struct mean *of[] = { &means[p->parts[0]], &means[p->parts[1]], &means[number] };
	double sum, base;

	if (!of[0]->nr || !of[1]->nr || !of[2]->nr)
		return 0;
	sum = of[0]->mean + of[1]->mean;
	if (sum < least_sum && of[2]->mean < least_sum)
		return 0;
	base = fmax(sum, least_sum);
	*pair = (struct pair_error){ number, sum, of[2]->mean, fabs(sum - of[2]->mean) / base,
				     half_width(of[2], of[0], of[1], base, alpha) };
	return 1;
}

/* Stage 2 */
static void judge_pairs(struct judgement *j, const struct programs *programs, const struct mean *means)
{
	double alpha = (1 - CONFIDENCE) / (programs->nr - programs->nr_bases);
	int i;

	j->pairs = new_array(programs->nr, sizeof(*j->pairs));
	for (i = programs->nr_bases; i < programs->nr; i++) {
		if (!judge_pair(means, &programs->all[i], i, count_least(j->variable), alpha,
				&j->pairs[j->nr_pairs]))
			continue;
		j->nr_pairs++;
	}
}

static int is_sure(const struct pair_error *p, double tolerance)
{
	return p->error - p->half > tolerance;
}

static int find_worst(const struct judgement *j, double tolerance)
{
	int i, worst = -1, sure = 0;

	for (i = 0; i < j->nr_pairs; i++) {
		if (is_sure(&j->pairs[i], tolerance) < sure)
			continue;
		if (is_sure(&j->pairs[i], tolerance) > sure || worst < 0 ||
		    j->pairs[i].error > j->pairs[worst].error)
			worst = i;
		sure = is_sure(&j->pairs[worst], tolerance);
	}
	return worst;
}

double judge_error(const struct judgement *j)
{
	return j->worst < 0 ? 0 : j->pairs[j->worst].error;
}

int judge_pairs_above(const struct judgement *j, double tolerance)
{
	int i, n = 0;

	for (i = 0; i < j->nr_pairs; i++)
		n += j->pairs[i].error > tolerance;
	return n;
}

enum verdict judge_again(const struct judgement *j, double tolerance)
{
	int worst = find_worst(j, tolerance);

	if (worst >= 0 && is_sure(&j->pairs[worst], tolerance))
		return NON_ADDITIVE;
	if (j->spread > tolerance)
		return NOT_REPRODUCIBLE;
	if (worst < 0 || j->pairs[worst].error > tolerance)
		return UNDECIDED;
	return POTENTIALLY_ADDITIVE;
}

struct judgement *judge(const struct results *r, enum phase phase, int variable, double tolerance)
{
	struct mean *means = means_of(r, phase, variable);
	struct judgement *j = new_array(1, sizeof(*j));

	j->variable = variable;
	judge_programs(j, means, r->programs.nr);
	judge_pairs(j, &r->programs, means);
	free(means);
	if (!j->least_runs) {
		judgement_free(j);
		return NULL;
	}
	j->worst = find_worst(j, tolerance);
	j->verdict = judge_again(j, tolerance);
	return j;
}

void judgement_free(struct judgement *j)
{
	if (!j)
		return;
	free(j->pairs);
	free(j);
}
