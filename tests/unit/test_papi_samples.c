// SPDX-License-Identifier: GPL-2.0
/* Counts that are estimated from samples, with a session that is part of the test. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "count_events.h"
#include "errors.h"
#include "library.h"

#define PERIOD	1000
#define NR_RUNS	1000

/* ---- a session: one event that a thread has on two core types ---- */

static struct {
	int is_common;		/* a period goes on when the core type changes */
	int is_open, is_attached, nr_sets;
	uint64_t count[2];	/* since the session began */
	uint64_t pending[2];	/* samples that were not read */
	uint64_t lost;
	uint64_t losses;
	char words[64];
} fake;

pmc_session_t *pmc_session_open(void)
{
	memset(fake.count, 0, sizeof(fake.count));
	fake.lost = 0;
	fake.losses = 0;
	fake.is_open = 1;
	return (pmc_session_t *)&fake;
}

void pmc_session_close(pmc_session_t *session)
{
	fake.is_open &= !session;
}

int pmc_session_command(pmc_session_t *session, const char *fmt, ...)
{
	assert_ptr_equal(session, &fake);
	fake.is_attached |= !strncmp(fmt, "attach", 6);
	return 0;
}

int pmc_session_configure(pmc_session_t *session, const pmc_config_t *config)
{
	return 0;
}

int pmc_session_next_sized(pmc_session_t *session, struct pmc_reading *reading, size_t size)
{
	int id = fake.pending[0] ? 0 : 1;

	memset(reading, 0, size);
	if (!fake.pending[id])
		return 0;
	fake.pending[id]--;
	reading->type = PMC_EBS_SAMPLE;
	reading->core_type = id;
	return 1;
}

int pmc_session_totals(pmc_session_t *session, int core_type, int set, uint64_t *counts,
		       uint64_t *running, uint64_t *nr_threads)
{
	*running = fake.count[core_type];
	*nr_threads = 1;
	return 1;
}

uint64_t pmc_session_lost(const pmc_session_t *session)
{
	return fake.lost;
}

uint64_t pmc_session_losses(const pmc_session_t *session)
{
	return fake.losses;
}

uint64_t pmc_session_throttled(const pmc_session_t *session)
{
	return 0;
}

pmc_config_t *pmc_config_new(const pmc_machine_t *machine)
{
	return malloc(1);
}

void pmc_config_free(pmc_config_t *config)
{
	free(config);
}

int pmc_config_add(pmc_config_t *config, const char *spec, int core_type, unsigned int flags)
{
	snprintf(fake.words, sizeof(fake.words), "%s", spec);
	fake.nr_sets++;
	return 0;
}

const pmc_machine_t *papi_machine(void)
{
	return (const pmc_machine_t *)&fake;
}

int papi_error_of(int err)
{
	return PAPI_ESYS;
}

/* The thread runs on a core type. */
static void run(int core_type, uint64_t events)
{
	uint64_t *before = &fake.count[core_type], sum = *before;

	if (fake.is_common)
		sum = fake.count[0] + fake.count[1];
	fake.pending[core_type] += (sum + events) / PERIOD - sum / PERIOD;
	*before += events;
}

/* ---- what count_events.c has ---- */

uint64_t **counting_alloc_rows(const struct counting *c)
{
	uint64_t **rows = calloc(1, c->nr_types * (sizeof(*rows) + 2 * sizeof(**rows)));
	int id;

	for (id = 0; id < c->nr_types; id++)
		rows[id] = (uint64_t *)(rows + c->nr_types) + 2 * id;
	return rows;
}

void counting_copy_rows(const struct counting *c, uint64_t **to, uint64_t *const *from)
{
	int id;

	for (id = 0; id < c->nr_types; id++)
		memcpy(to[id], from[id], c->types[id].nr * sizeof(*to[id]));
}

long long counting_value(const struct counting *c, int event, uint64_t *const *counts)
{
	return counts[0][0] + counts[1][0];
}

/* ---- tests ---- */

static char *word = "instr:u";
static char *words[2] = { "instr:u", "cycles:u" };

static struct counted_type types[2] = { { .nr = 1, .words = &word }, { .nr = 1, .words = &word } };

static void make(struct counting *c, int is_common)
{
	memset(c, 0, sizeof(*c));
	memset(&fake, 0, sizeof(fake));
	c->ops = &samples_ops;
	c->target.sample_period = PERIOD;
	c->target.cpu = -1;
	c->nr_events = 1;
	c->nr_types = 2;
	c->types = types;
	fake.is_common = is_common;
	/* Other positions: the periods are not the same. */
	types[1] = is_common ? types[0] : (struct counted_type){ .nr = 2, .words = words };
	assert_int_equal(c->ops->open(c), PAPI_OK);
}

/* Standard error of the sum of both core types, as multiplex_error.c computes it */
static double claimed(const struct counting *c)
{
	return hypot(c->ops->error(c, 0, 0), c->ops->error(c, 1, 0));
}

/* Mean, and mean square in units of the claimed error, of the errors of many runs */
static void try_runs(int is_common, int restart, double *mean, double *square)
{
	struct counting c;
	long long value, truth;
	double error;
	int i;

	*mean = *square = 0;
	make(&c, is_common);
	for (i = 0; i < NR_RUNS; i++) {
		assert_int_equal(c.ops->start(&c), PAPI_OK);
		run(0, 5000 + random() % 20000);
		run(1, 5000 + random() % 20000);
		if (restart) {
			assert_int_equal(c.ops->read(&c, &value), PAPI_OK);
			c.ops->restart(&c);
		}
		truth = restart ? fake.count[0] + fake.count[1] : 0;
		run(1, random() % 20000);
		run(0, 5000 + random() % 20000);
		truth = fake.count[0] + fake.count[1] - truth;
		assert_int_equal(c.ops->stop(&c, &value), PAPI_OK);
		error = value - truth;
		assert_true(claimed(&c) > 0);
		*mean += error / NR_RUNS;
		*square += error * error / claimed(&c) / claimed(&c) / NR_RUNS;
	}
	c.ops->close(&c);
	assert_false(fake.is_open);
}

static void check(int is_common, int restart)
{
	double mean, square;

	try_runs(is_common, restart, &mean, &square);
	assert_true(fabs(mean) < 0.1 * PERIOD);
	assert_true(square > 0.85 && square < 1.15);
}

static void test_errors(void **state)
{
	check(1, 0);
	check(0, 0);
	check(1, 1);
	check(0, 1);
}

/* The error stays, so the relative error falls as the run gets longer. */
static void test_length(void **state)
{
	double before = INFINITY, relative;
	struct counting c;
	long long value;
	int length;

	for (length = 10000; length < 100000000; length *= 10) {
		make(&c, 1);
		assert_int_equal(c.ops->start(&c), PAPI_OK);
		run(0, length);
		assert_int_equal(c.ops->stop(&c, &value), PAPI_OK);
		relative = c.ops->error(&c, 0, 0) / value;
		assert_true(relative < before / 9 && relative > 0);
		assert_true(llabs(value - length) <= PERIOD);
		before = relative;
		/* The thread was never there. */
		assert_true(c.ops->error(&c, 1, 0) == 0);
		assert_int_equal(c.ops->counts(&c)[1][0], 0);
		c.ops->close(&c);
	}
}

static void test_lost(void **state)
{
	struct counting c;
	long long value;

	make(&c, 1);
	assert_int_equal(c.ops->start(&c), PAPI_OK);
	run(0, 50000);
	fake.lost = 1;
	assert_int_equal(c.ops->read(&c, &value), PAPI_OK);
	assert_true(isnan(c.ops->error(&c, 0, 0)));
	assert_int_equal(c.ops->stop(&c, &value), PAPI_OK);
	/* The next run is another session. */
	assert_int_equal(c.ops->start(&c), PAPI_OK);
	run(0, 50000);
	assert_int_equal(c.ops->stop(&c, &value), PAPI_OK);
	assert_false(isnan(c.ops->error(&c, 0, 0)));
	assert_true(llabs(value - 50000) <= PERIOD);
	c.ops->close(&c);
}

/* A counter was taken away: what was counted before a restart does not matter. */
static void test_lost_counter(void **state)
{
	struct counting c;
	long long value = 0;
	uint64_t **counts;

	make(&c, 1);
	counts = counting_alloc_rows(&c);
	assert_int_equal(c.ops->start(&c), PAPI_OK);
	run(0, 50000);
	assert_int_equal(c.ops->read_types(&c, counts), PAPI_OK);
	fake.losses = 1;
	assert_int_equal(c.ops->read_types(&c, counts), PAPI_ECLOST);
	assert_int_equal(counts[0][0], 50000);
	free(counts);
	assert_int_equal(c.ops->read(&c, &value), PAPI_ECLOST);
	assert_true(llabs(value - 50000) <= PERIOD);
	assert_int_equal(c.ops->start(&c), PAPI_OK);
	assert_int_equal(c.ops->read(&c, &value), PAPI_OK);
	fake.losses = 2;
	assert_int_equal(c.ops->stop(&c, &value), PAPI_ECLOST);
	assert_int_equal(c.ops->start(&c), PAPI_OK);
	assert_int_equal(c.ops->stop(&c, &value), PAPI_OK);
	c.ops->close(&c);
}

/* Each event has the period, and the calling thread is counted. */
static void test_configuration(void **state)
{
	struct counting c;
	long long value;

	make(&c, 0);
	assert_string_equal(fake.words, "instr:u:ebs=1000,cycles:u:ebs=1000");
	assert_int_equal(fake.nr_sets, 2);
	c.ops->close(&c);
	c.ops->close(&c);
	make(&c, 1);
	assert_string_equal(fake.words, "instr:u:ebs=1000");
	assert_int_equal(c.ops->start(&c), PAPI_OK);
	assert_true(fake.is_attached);
	assert_int_equal(c.ops->read(&c, &value), PAPI_OK);
	assert_int_equal(value, 0);
	c.ops->close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_lost_counter),
		cmocka_unit_test(test_configuration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
