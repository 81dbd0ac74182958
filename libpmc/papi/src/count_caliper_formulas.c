// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counting of the calling thread by a caliper, of events whose values are computed by formulas.
 * The caliper reads the counts of each core type. The counters run from the first start on, as
 * in count_caliper.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count_events.h"
#include "errors.h"
#include "library.h"

/**
 * struct by_formulas - the data of a caliper
 * @now: the last reading: counts of each core type
 * @start: the counts at the start likewise
 * @since: their differences
 */
struct by_formulas {
	pmc_caliper_t *caliper;
	uint64_t (*now)[PMC_MAX_COUNTS];
	uint64_t (*start)[PMC_MAX_COUNTS];
	uint64_t **since;
};

static void free_data(struct by_formulas *by)
{
	free(by->now);
	free(by->start);
	free(by->since);
	free(by);
}

static struct by_formulas *alloc(const struct counting *c)
{
	struct by_formulas *by = calloc(1, sizeof(*by));

	if (!by)
		return NULL;
	by->now = calloc(c->nr_types, sizeof(*by->now));
	by->start = calloc(c->nr_types, sizeof(*by->start));
	by->since = counting_alloc_rows(c);
	if (by->now && by->start && by->since)
		return by;
	free_data(by);
	return NULL;
}

static void close_caliper(struct counting *c)
{
	struct by_formulas *by = c->data;

	if (!by)
		return;
	pmc_caliper_close(by->caliper);
	free_data(by);
	c->data = NULL;
}

static int open_caliper(struct counting *c)
{
	struct by_formulas *by = alloc(c);
	pmc_config_t *config = by ? pmc_config_new(papi_machine()) : NULL;
	int rc;

	c->data = by;
	if (!config)
		return PAPI_ENOMEM;
	rc = counting_configure(c, config);
	if (rc == PAPI_OK) {
		by->caliper = pmc_caliper_open_config(papi_machine(), config);
		rc = by->caliper ? PAPI_OK : papi_error_of(errno);
	}
	pmc_config_free(config);
	return rc;
}

static int read_into(const struct by_formulas *by, uint64_t (*counts)[PMC_MAX_COUNTS])
{
	return pmc_caliper_read_types(by->caliper, counts) < 0 ? papi_error_of(errno) : PAPI_OK;
}

static int start_caliper(struct counting *c)
{
	struct by_formulas *by = c->data;
	int rc = read_into(by, by->start);

	c->losses = pmc_caliper_losses(by->caliper);
	return rc;
}

static int read_types(struct counting *c, uint64_t **counts)
{
	struct by_formulas *by = c->data;
	int id, rc;

	rc = read_into(by, by->now);
	for (id = 0; id < c->nr_types; id++)
		memcpy(counts[id], by->now[id], c->types[id].nr * sizeof(*counts[id]));
	return rc == PAPI_OK ? counting_check(c, by->caliper) : rc;
}

/* A copy, because a handler may call this in the middle of a reading. */
static void restart_caliper(struct counting *c)
{
	struct by_formulas *by = c->data;

	memcpy(by->start, by->now, c->nr_types * sizeof(*by->start));
	c->losses = pmc_caliper_losses(by->caliper);
}

static void subtract(const struct counting *c, const struct by_formulas *by)
{
	int id, i;

	for (id = 0; id < c->nr_types; id++)
		for (i = 0; i < c->types[id].nr; i++)
			by->since[id][i] = by->now[id][i] - by->start[id][i];
}

static int read_caliper(struct counting *c, long long *values)
{
	struct by_formulas *by = c->data;
	int i, rc = read_into(by, by->now);

	if (rc != PAPI_OK)
		return rc;
	subtract(c, by);
	for (i = 0; i < c->nr_events; i++)
		values[i] = counting_value(c, i, by->since);
	return counting_check(c, by->caliper);
}

const struct counter_ops formula_ops = {
	.open = open_caliper,
	.start = start_caliper,
	.read = read_caliper,
	.read_types = read_types,
	.restart = restart_caliper,
	.stop = read_caliper,
	.close = close_caliper,
};
