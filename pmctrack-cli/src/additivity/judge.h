/* SPDX-License-Identifier: GPL-2.0 */
/* Which events are additive: the test of Shahid and others (2017) on the measurements of a folder. */
#ifndef PMCTRACK_ADDITIVITY_JUDGE_H
#define PMCTRACK_ADDITIVITY_JUDGE_H

#include "additivity/means.h"
#include "additivity/results.h"

/* Response variables are judged by the same rule, in place of an event's number. */
#define VARIABLE_TIME	-1
#define VARIABLE_ENERGY	-2	/* dynamic: without the power of the idle machine */

/**
 * enum verdict - what the measurements say about an event
 * @NON_ADDITIVE: the error of a compound is above the tolerance
 * @NOT_REPRODUCIBLE: the measurements of a program differ by more than the tolerance
 * @UNDECIDED: an error is above the tolerance, but so uncertain that it may be below
 * @POTENTIALLY_ADDITIVE: no error of these compounds is above the tolerance
 */
enum verdict { NON_ADDITIVE, NOT_REPRODUCIBLE, UNDECIDED, POTENTIALLY_ADDITIVE, VERDICTS };
extern const char *const verdict_names[VERDICTS];

/**
 * struct pair_error - an event in a compound and in its two base programs
 * @program: number of the compound
 * @sum: of the means of the base programs
 * @compound: mean of the compound
 * @error: |@sum - @compound| / @sum; of events, if @sum is below COUNT_LEAST, that instead of it
 * @half: half the width of the confidence interval of @error. All pairs of an event together are
 *	outside of theirs with a probability of 1 - CONFIDENCE (Bonferroni).
 */
struct pair_error {
	int program;
	double sum;
	double compound;
	double error;
	double half;
};

/**
 * struct judgement - an event, or a response variable
 * @variable: number of the event, or VARIABLE_*
 * @verdict: at the tolerance of judge()
 * @pairs: all compounds but those in which counts are below COUNT_LEAST
 * @worst: index of the pair that decides: the one with the largest error of those that are above the
 *	tolerance with confidence, if there are any, else of all; -1: there is no pair
 * @spread: largest distance of a measurement from its program's mean, as a share of it
 * @spread_program: the program that has it
 * @least_runs: least number of measurements of a program
 * @most_runs: largest
 * @precision: half of the widest confidence interval of a program's mean, as a share of it
 * @normal: least probability of struct mean's; likewise @independent; NAN: not known
 */
struct judgement {
	int variable;
	enum verdict verdict;
	int nr_pairs;
	struct pair_error *pairs;
	int worst;
	double spread;
	int spread_program;
	int least_runs;
	int most_runs;
	double precision;
	double normal;
	double independent;
};

/* Judge a variable by the measurements of a phase. NULL if it has none; else for judgement_free(). */
struct judgement *judge(const struct results *r, enum phase phase, int variable, double tolerance);
void judgement_free(struct judgement *j);

/* The verdict at another tolerance */
enum verdict judge_again(const struct judgement *j, double tolerance);
/* Number of pairs with errors above a tolerance */
int judge_pairs_above(const struct judgement *j, double tolerance);
/* Error of the pair that decides; 0 without any pair */
double judge_error(const struct judgement *j);

/* Name of an event or a response variable */
const char *judge_name(const struct results *r, int variable);
/* Watts of the idle machine; NAN: not known */
double judge_idle_power(const struct results *r);
/* Values of a variable, one for each run of the program, in @values, for free(). Return: their number. */
int judge_values(const struct results *r, enum phase phase, int program, int variable, double **values);

#endif
