// SPDX-License-Identifier: GPL-2.0
/* Measure all programs of a folder, as often as it takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "additivity/collect.h"
#include "additivity/means.h"
#include "common.h"

struct collection {
	struct results *r;
	struct bench *bench;
	struct events *events;
	int *numbers;		/* of the events, in the folder */
	struct repeats repeats;
	enum phase phase;
	double done;		/* seconds of measured runs of this phase */
	double expected;	/* and of all of them, at least */
	time_t shown;
};

static void number_events(struct collection *c)
{
	int i;

	c->numbers = new_array(c->events->nr, sizeof(*c->numbers));
	for (i = 0; i < c->events->nr; i++)
		c->numbers[i] = results_event(c->r, c->events->names[i]);
}

static void show_progress(struct collection *c, int program)
{
	int tty = isatty(STDERR_FILENO);
	time_t t = time(NULL);

	if (t < c->shown + (tty ? 1 : 10))
		return;
	c->shown = t;
	fprintf(stderr, "%spmc-additivity: %s: %s, %.0f %%, at least %.0f s left%s", tty ? "\r\033[K" : "",
		phase_names[c->phase], c->r->programs.all[program].name,
		c->expected > 0 ? fmin(100, 100 * c->done / c->expected) : 0,
		fmax(0, c->expected - c->done), tty ? "" : "\n");
}

static void end_progress(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

/* Measure one run of a program, and write it into the folder. */
static void measure(struct collection *c, int program, int run)
{
	int own[PMC_MAX_COUNTS], numbers[PMC_MAX_COUNTS], nr, i;
	struct measurement m;
	char *set;

	nr = events_of_run(c->events, run, &set, own);
	for (i = 0; i < nr; i++)
		numbers[i] = c->numbers[own[i]];
	bench_run(c->bench, &c->r->programs, program, set, &m);
	results_add(c->r, c->phase, program, run, numbers, &m);
	free(set);
	c->done += m.seconds;
	show_progress(c, program);
}

/* How often the program has each event of this run: the folder may have some of them more often. */
static int times_measured(const struct collection *c, int program, int run)
{
	int i, nr, least = -1;

	for (i = 0; i < c->events->nr; i++) {
		if (c->events->cover[i].run != run)
			continue;
		nr = results_nr(c->r, c->phase, program, c->numbers[i]);
		if (least < 0 || nr < least)
			least = nr;
	}
	return least;
}

static int is_precise(const double *values, int nr)
{
	struct mean mean = mean_of(values, nr);

	return mean.mean < COUNT_LEAST || mean_precision(&mean) <= PRECISION;
}

/* Are the means of all events of the run known well enough? */
static int are_precise(const struct collection *c, int program, int run)
{
	int i, nr, precise = 1;
	double *values;

	for (i = 0; i < c->events->nr && precise; i++) {
		if (c->events->cover[i].run != run)
			continue;
		nr = results_counts(c->r, c->phase, program, c->numbers[i], &values);
		precise = is_precise(values, nr);
		free(values);
	}
	return precise;
}

static void repeat(struct collection *c, int program, int run)
{
	int done = times_measured(c, program, run);

	while (done < c->repeats.most && (done < c->repeats.least || !are_precise(c, program, run))) {
		measure(c, program, run);
		done++;
	}
}

static double seconds_of(const struct collection *c, int program)
{
	double *values, mean;
	int nr = results_cost(c->r, PHASE_SCAN, program, 0, &values);

	mean = mean_of(values, nr).mean;
	free(values);
	return mean;
}

/* Seconds of a phase, if each run is made once */
static double expected_time(const struct collection *c, enum phase phase)
{
	const struct programs *programs = &c->r->programs;
	int nr = phase == PHASE_SCAN ? programs->nr_bases : programs->nr, i;
	double seconds = 0;

	for (i = 0; i < nr; i++)
		seconds += programs->all[i].parts[0] < 0 ? seconds_of(c, i) :
			   seconds_of(c, programs->all[i].parts[0]) + seconds_of(c, programs->all[i].parts[1]);
	return seconds * c->events->nr_runs;
}

static double measured_time(const struct collection *c)
{
	double seconds = 0;
	size_t i;

	for (i = 0; i < c->r->nr; i++)
		if (c->r->all[i].phase == c->phase && !isnan(c->r->all[i].seconds))
			seconds += c->r->all[i].seconds;
	return seconds;
}

static void print_time(struct collection *c, int nr_phases)
{
	double once = expected_time(c, PHASE_CORES) * (nr_phases - PHASE_CORES);

	c->expected = expected_time(c, PHASE_SCAN);
	c->done = measured_time(c);
	fprintf(stderr, "pmc-additivity: that takes %.0f s; then all programs and compounds take %.0f to %.0f s, less without what is set aside\n",
		c->expected, once * c->repeats.least, once * c->repeats.most);
}

/*
 * Each base program once, with each event. All programs have the first run before the second one:
 * then it is known how long everything takes.
 */
static void scan(struct collection *c, int nr_phases)
{
	int i, run, nr = c->r->programs.nr_bases;

	events_print_runs(c->events);
	fprintf(stderr, "pmc-additivity: first each of %d base programs has all of them once: %d runs\n",
		nr, c->events->nr_runs * nr);
	for (run = 0; run < c->events->nr_runs; run++) {
		for (i = 0; i < nr; i++)
			if (!times_measured(c, i, run))
				measure(c, i, run);
		if (!run)
			print_time(c, nr_phases);
	}
	end_progress();
}

static int is_counted(const struct collection *c, int event)
{
	size_t i;

	for (i = 0; i < c->r->nr; i++)
		if (c->r->all[i].phase == PHASE_SCAN && c->r->all[i].event == event &&
		    c->r->all[i].count >= COUNT_LEAST)
			return 1;
	return 0;
}

static void set_aside(struct collection *c)
{
	char *keep = new_array(c->events->nr, 1);
	int i, n = 0;

	for (i = 0; i < c->events->nr; i++) {
		keep[i] = is_counted(c, c->numbers[i]);
		n += !keep[i];
	}
	events_keep(c->events, keep);
	free(keep);
	free(c->numbers);
	number_events(c);
	fprintf(stderr, "pmc-additivity: %d events with counts below %d are set aside; %d are left, in %d runs\n",
		n, COUNT_LEAST, c->events->nr, c->events->nr_runs);
	if (!c->events->nr)
		bad("nothing to test: each event has counts below %d in each program", COUNT_LEAST);
}

static void measure_all(struct collection *c)
{
	double once = expected_time(c, c->phase);
	int nr = c->r->programs.nr, i, run;

	c->expected = once * c->repeats.least;
	c->done = measured_time(c);
	fprintf(stderr, "pmc-additivity: %s: %d programs and compounds x %d runs, %d to %d times each: %d to %d runs, %.0f to %.0f s\n",
		phase_names[c->phase], nr, c->events->nr_runs, c->repeats.least, c->repeats.most,
		nr * c->events->nr_runs * c->repeats.least, nr * c->events->nr_runs * c->repeats.most,
		c->expected, once * c->repeats.most);
	for (i = 0; i < nr; i++)
		for (run = 0; run < c->events->nr_runs; run++)
			repeat(c, i, run);
	end_progress();
}

void collect(struct results *r, struct bench *bench, struct events *events,
	     const struct repeats *repeats, int nr_phases, int memory_node)
{
	struct collection c = { .r = r, .bench = bench, .events = events, .repeats = *repeats };
	int phase;

	number_events(&c);
	scan(&c, nr_phases);
	set_aside(&c);
	for (phase = PHASE_CORES; phase < nr_phases; phase++) {
		c.phase = phase;
		bench->memory_node = phase == PHASE_MEMORY ? memory_node : -1;
		measure_all(&c);
	}
	free(c.numbers);
}
