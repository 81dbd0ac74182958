// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counting of the calling thread by a caliper, of events whose values are sums: of one count of
 * each core type. The counters run from the first start on, until the EventSet changes or ends;
 * start, stop and reset only read them. A reading takes a few instructions for each counter
 * where the CPU lets user space read counters.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count_events.h"
#include "errors.h"
#include "library.h"

/**
 * struct by_caliper - the data of a caliper
 * @caliper: reads the values
 * @types: reads the counts of each core type; NULL: not opened yet
 * @last: the last reading
 * @rows: room for the counts of each core type
 */
struct by_caliper {
	pmc_caliper_t *caliper;
	pmc_caliper_t *types;
	uint64_t last[PMC_MAX_COUNTS];
	uint64_t (*rows)[PMC_MAX_COUNTS];
};

int counting_is_sums(const struct counting *c)
{
	int event, part;

	for (event = 0; event < c->nr_events; event++)
		for (part = 0; part < c->events[event].nr_parts; part++)
			if (c->events[event].parts[part].formula)
				return 0;
	return c->nr_events <= PMC_MAX_COUNTS;
}

static void close_caliper(struct counting *c)
{
	struct by_caliper *by = c->data;

	if (!by)
		return;
	pmc_caliper_close(by->caliper);
	pmc_caliper_close(by->types);
	free(by->rows);
	free(by);
	c->data = NULL;
}

static int nr_terms(const struct counting *c)
{
	int i, nr = 0;

	for (i = 0; i < c->nr_events; i++)
		nr += c->events[i].nr_parts;
	return nr;
}

static pmc_caliper_t *open_sums(const struct counting *c, const pmc_config_t *config)
{
	struct pmc_caliper_term *terms = calloc(nr_terms(c) + 1, sizeof(*terms)), *term = terms;
	pmc_caliper_t *caliper;
	int event, part;

	if (!terms) {
		errno = ENOMEM;
		return NULL;
	}
	for (event = 0; event < c->nr_events; event++)
		for (part = 0; part < c->events[event].nr_parts; part++)
			*term++ = (struct pmc_caliper_term){
				.value = event,
				.core_type = c->events[event].parts[part].core_type,
				.event = c->events[event].parts[part].place[0],
			};
	caliper = pmc_caliper_open_values(papi_machine(), config, c->nr_events, terms, term - terms);
	free(terms);
	return caliper;
}

static pmc_caliper_t *open_types(const struct counting *c, const pmc_config_t *config)
{
	(void)c;
	return pmc_caliper_open_config(papi_machine(), config);
}

/* PAPI_OK or PAPI_E* */
static int open_by(pmc_caliper_t *(*open)(const struct counting *, const pmc_config_t *),
		   const struct counting *c, pmc_caliper_t **caliper)
{
	pmc_config_t *config = pmc_config_new(papi_machine());
	int rc = config ? counting_configure(c, config) : PAPI_ENOMEM;

	if (rc == PAPI_OK) {
		*caliper = open(c, config);
		rc = *caliper ? PAPI_OK : papi_error_of(errno);
	}
	pmc_config_free(config);
	return rc;
}

static int open_caliper(struct counting *c)
{
	struct by_caliper *by = calloc(1, sizeof(*by));

	c->data = by;
	return by ? open_by(open_sums, c, &by->caliper) : PAPI_ENOMEM;
}

static int read_last(struct by_caliper *by)
{
	return pmc_caliper_read(by->caliper, by->last) < 0 ? papi_error_of(errno) : PAPI_OK;
}

static void restart_caliper(struct counting *c)
{
	struct by_caliper *by = c->data;

	pmc_caliper_restart(by->caliper, by->last);
	c->losses = pmc_caliper_losses(by->caliper);
}

static int start_caliper(struct counting *c)
{
	int rc = read_last(c->data);

	if (rc == PAPI_OK)
		restart_caliper(c);
	return rc;
}

static int read_caliper(struct counting *c, long long *values)
{
	struct by_caliper *by = c->data;
	int rc = read_last(by);

	if (rc != PAPI_OK)
		return rc;
	memcpy(values, by->last, c->nr_events * sizeof(*values));
	return counting_check(c, by->caliper);
}

static int read_types(struct counting *c, uint64_t **counts)
{
	struct by_caliper *by = c->data;
	int id, rc = PAPI_OK;

	if (!by->rows)
		by->rows = calloc(c->nr_types, sizeof(*by->rows));
	if (!by->rows)
		return PAPI_ENOMEM;
	if (!by->types)
		rc = open_by(open_types, c, &by->types);
	if (rc != PAPI_OK)
		return rc;
	if (pmc_caliper_read_types(by->types, by->rows) < 0)
		return papi_error_of(errno);
	for (id = 0; id < c->nr_types; id++)
		memcpy(counts[id], by->rows[id], c->types[id].nr * sizeof(*counts[id]));
	/* Both calipers read the counters of one session. */
	return counting_check(c, by->caliper);
}

pmc_caliper_t *counting_caliper(const struct counting *c)
{
	const struct by_caliper *by = c->data;

	return c->ops == &caliper_ops && by && !c->virtuals ? by->caliper : NULL;
}

const struct counter_ops caliper_ops = {
	.open = open_caliper,
	.start = start_caliper,
	.read = read_caliper,
	.read_types = read_types,
	.restart = restart_caliper,
	.stop = read_caliper,
	.close = close_caliper,
};
