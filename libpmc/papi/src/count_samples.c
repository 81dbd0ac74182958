// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counting by samples: each event has a sampling period P and is counted as n * P, where n is
 * the number of samples at the end of its periods. The part of a period that was counted at
 * the time of a reading is not known. As the part may be anything from 0 to P, P / 2 is added for it, and the
 * standard error is P / sqrt(12), that of the uniform distribution. It does not grow with the
 * length of a run, so the relative error falls as 1 / n. Each thread has a period of its own.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count_events.h"
#include "errors.h"
#include "library.h"

/* Samples that are kept from one reading to the next; 4 events: about half a megabyte */
#define NR_SAMPLES 4096

/**
 * struct by_samples - the data of a session with sampling periods
 * @now: number of samples so far, by core type and event
 * @start: the same at the start
 * @since: the counts that are estimated from their differences
 * @is_used: by core type: has anything run there?
 * @nr_used: number of such core types
 * @nr_threads: that were counted
 * @from_zero: the periods began with the start
 * @is_complete: no sample was lost or left out
 * @now_losses: losses of the session at the last reading
 */
struct by_samples {
	pmc_session_t *session;
	pmc_config_t *config;
	uint64_t **now;
	uint64_t **start;
	uint64_t **since;
	int *is_used;
	int nr_used;
	uint64_t nr_threads;
	int from_zero;
	int is_complete;
	uint64_t now_losses;
};

static void close_samples(struct counting *c)
{
	struct by_samples *by = c->data;

	if (!by)
		return;
	close_session_once(&by->session);
	pmc_config_free(by->config);
	free(by->now);
	free(by->start);
	free(by->since);
	free(by->is_used);
	free(by);
	c->data = NULL;
}

static int alloc(struct counting *c)
{
	struct by_samples *by = calloc(1, sizeof(*by));

	c->data = by;
	if (!by)
		return PAPI_ENOMEM;
	by->config = pmc_config_new(papi_machine());
	by->now = counting_alloc_rows(c);
	by->start = counting_alloc_rows(c);
	by->since = counting_alloc_rows(c);
	by->is_used = calloc(c->nr_types, sizeof(*by->is_used));
	return by->config && by->now && by->start && by->since && by->is_used ?
	       PAPI_OK : PAPI_ENOMEM;
}

/* The events of a core type, each with the period */
static int add_type(pmc_config_t *config, const struct counted_type *type, int id,
		    long long period)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int i, rc;

	if (!f)
		return PAPI_ENOMEM;
	for (i = 0; i < type->nr; i++)
		fprintf(f, "%s%s:ebs=%lld", i ? "," : "", type->words[i], period);
	if (fclose(f)) {
		free(text);
		return PAPI_ENOMEM;
	}
	rc = pmc_config_add(config, text, id, 0);
	free(text);
	if (!rc)
		return PAPI_OK;
	return errno == ENOMEM ? PAPI_ENOMEM : PAPI_ECNFLCT;
}

/* A core type that has none of the events needs no event set. */
static int open_samples(struct counting *c)
{
	struct by_samples *by;
	int id, rc = alloc(c);

	by = c->data;
	for (id = 0; id < c->nr_types && rc == PAPI_OK; id++)
		if (c->types[id].nr)
			rc = add_type(by->config, &c->types[id], id, c->target.sample_period);
	return rc;
}

static int begin(const struct counting *c, struct by_samples *by)
{
	const struct target *target = &c->target;

	if (pmc_session_command(by->session, "ring %d", NR_SAMPLES) ||
	    pmc_session_configure(by->session, by->config))
		return -1;
	if (target->cpu >= 0)
		return pmc_session_command(by->session, "syswide %d", target->cpu);
	if (target->inherit && pmc_session_command(by->session, "follow children"))
		return -1;
	return pmc_session_command(by->session, "attach-thread %d",
				   target->tid ? target->tid : gettid());
}

static void count_sample(const struct counting *c, struct by_samples *by,
			 const struct pmc_reading *r)
{
	if (r->type == PMC_EBS_SAMPLE && r->core_type >= 0 && r->core_type < c->nr_types &&
	    r->ebs_event >= 0 && r->ebs_event < c->types[r->core_type].nr)
		by->now[r->core_type][r->ebs_event]++;
}

static int note_threads(const struct counting *c, struct by_samples *by)
{
	uint64_t counts[PMC_MAX_COUNTS], running;
	int id;

	by->nr_used = 0;
	for (id = 0; id < c->nr_types; id++) {
		if (!c->types[id].nr)
			continue;
		if (pmc_session_totals(by->session, id, 0, counts, &running, &by->nr_threads) < 0)
			return papi_error_of(errno);
		by->is_used[id] = running > 0;
		by->nr_used += by->is_used[id];
	}
	return PAPI_OK;
}

static int take_samples(const struct counting *c, struct by_samples *by)
{
	struct pmc_reading r;

	/* A thread that has ended takes none any more. */
	pmc_session_command(by->session, "sample");
	while (pmc_session_next(by->session, &r) > 0)
		count_sample(c, by, &r);
	if (pmc_session_lost(by->session) || pmc_session_throttled(by->session))
		by->is_complete = 0;
	by->now_losses = pmc_session_losses(by->session);
	return note_threads(c, by);
}

/*
 * A period goes on when the thread moves to a core type with the same periods, that is as many
 * events. The unknown part is then one for all core types, and each has a share of it.
 */
static double parts_on(const struct counting *c, const struct by_samples *by, int core_type)
{
	int id;

	if (!by->is_used[core_type])
		return 0;
	for (id = 0; id < c->nr_types; id++)
		if (c->types[id].nr != c->types[core_type].nr)
			return by->nr_threads;
	return (double)by->nr_threads / by->nr_used;
}

static void restart_samples(struct counting *c)
{
	struct by_samples *by = c->data;

	counting_copy_rows(c, by->start, by->now);
	by->from_zero = 0;
	c->losses = by->now_losses;
}

static int start_samples(struct counting *c)
{
	struct by_samples *by = c->data;
	int id, rc;

	if (by->session) {
		rc = take_samples(c, by);
		restart_samples(c);
		return rc;
	}
	for (id = 0; id < c->nr_types; id++) {
		memset(by->now[id], 0, c->types[id].nr * sizeof(*by->now[id]));
		memset(by->start[id], 0, c->types[id].nr * sizeof(*by->start[id]));
	}
	by->from_zero = 1;
	by->is_complete = 1;
	c->losses = 0;
	by->session = pmc_session_open();
	if (by->session && !begin(c, by))
		return PAPI_OK;
	rc = papi_error_of(errno);
	close_session_once(&by->session);
	return rc;
}

static void estimate(const struct counting *c, struct by_samples *by)
{
	long long period = c->target.sample_period;
	uint64_t rest;
	int id, i;

	for (id = 0; id < c->nr_types; id++) {
		/* Else the begin is as little known as the end, and as much too early. */
		rest = by->from_zero ? parts_on(c, by, id) * period / 2 : 0;
		for (i = 0; i < c->types[id].nr; i++)
			by->since[id][i] = (by->now[id][i] - by->start[id][i]) * period + rest;
	}
}

static int read_samples(struct counting *c, long long *values)
{
	struct by_samples *by = c->data;
	int i, rc = take_samples(c, by);

	estimate(c, by);
	for (i = 0; i < c->nr_events; i++)
		values[i] = counting_value(c, i, by->since);
	return rc == PAPI_OK ? counting_check_losses(c, by->now_losses) : rc;
}

static int read_types(struct counting *c, uint64_t **counts)
{
	struct by_samples *by = c->data;
	int id, i, rc = take_samples(c, by);

	for (id = 0; id < c->nr_types; id++)
		for (i = 0; i < c->types[id].nr; i++)
			counts[id][i] = by->now[id][i] * c->target.sample_period;
	return rc == PAPI_OK ? counting_check_losses(c, by->now_losses) : rc;
}

static int stop_samples(struct counting *c, long long *values)
{
	struct by_samples *by = c->data;
	int rc;

	if (pmc_session_command(by->session, "stop") && errno != ESRCH)
		return papi_error_of(errno);
	rc = read_samples(c, values);
	close_session_once(&by->session);
	return rc;
}

static uint64_t **counts_of(const struct counting *c)
{
	const struct by_samples *by = c->data;

	return by->since;
}

/* See the head of this file. Two unknown parts are subtracted if the periods began earlier. */
static double error_of(const struct counting *c, int core_type, int place)
{
	const struct by_samples *by = c->data;
	double parts = parts_on(c, by, core_type) * (by->from_zero ? 1 : 2);

	(void)place;
	return by->is_complete ? c->target.sample_period * sqrt(parts / 12) : NAN;
}

const struct counter_ops samples_ops = {
	.open = open_samples,
	.start = start_samples,
	.read = read_samples,
	.read_types = read_types,
	.restart = restart_samples,
	.stop = stop_samples,
	.close = close_samples,
	.counts = counts_of,
	.error = error_of,
};
