// SPDX-License-Identifier: GPL-2.0
/* The calls of PAPI that pmc-cost measures. */
#include <papi.h>

#include "cost_calls.h"

/* Results of timers, which the compiler must not leave out */
static volatile long long sink;

/* Keep the first error: those after it are often its consequences. */
static void check(struct call_state *s, int code)
{
	if (code < 0 && !s->error)
		s->error = code;
}

static void call_read(struct call_state *s)
{
	check(s, PAPI_read(s->set, s->values));
}

static void call_read_ts(struct call_state *s)
{
	long long cycles;

	check(s, PAPI_read_ts(s->set, s->values, &cycles));
}

static void call_accum(struct call_state *s)
{
	check(s, PAPI_accum(s->set, s->values));
}

static void call_reset(struct call_state *s)
{
	check(s, PAPI_reset(s->set));
}

static void call_start_stop(struct call_state *s)
{
	check(s, PAPI_start(s->set));
	check(s, PAPI_stop(s->set, s->values));
}

static void call_real_cyc(struct call_state *s)
{
	(void)s;
	sink = PAPI_get_real_cyc();
}

static void call_real_nsec(struct call_state *s)
{
	(void)s;
	sink = PAPI_get_real_nsec();
}

static void call_real_usec(struct call_state *s)
{
	(void)s;
	sink = PAPI_get_real_usec();
}

static void call_virt_cyc(struct call_state *s)
{
	(void)s;
	sink = PAPI_get_virt_cyc();
}

static void call_virt_nsec(struct call_state *s)
{
	(void)s;
	sink = PAPI_get_virt_nsec();
}

static void call_virt_usec(struct call_state *s)
{
	(void)s;
	sink = PAPI_get_virt_usec();
}

static void nothing(struct call_state *s)
{
	(void)s;
}

const struct call calls[] = {
	{ "read", "PAPI_read", call_read, 1, 0 },
	{ "read_ts", "PAPI_read_ts", call_read_ts, 1, 0 },
	{ "accum", "PAPI_accum", call_accum, 1, 0 },
	{ "reset", "PAPI_reset", call_reset, 1, 0 },
	{ "start_stop", "PAPI_start+PAPI_stop", call_start_stop, 0, 0 },
	{ "real_cyc", "PAPI_get_real_cyc", call_real_cyc, 0, 1 },
	{ "real_nsec", "PAPI_get_real_nsec", call_real_nsec, 0, 1 },
	{ "real_usec", "PAPI_get_real_usec", call_real_usec, 0, 1 },
	{ "virt_cyc", "PAPI_get_virt_cyc", call_virt_cyc, 0, 1 },
	{ "virt_nsec", "PAPI_get_virt_nsec", call_virt_nsec, 0, 1 },
	{ "virt_usec", "PAPI_get_virt_usec", call_virt_usec, 0, 1 },
};

const size_t calls_nr = sizeof(calls) / sizeof(calls[0]);

const struct call call_nothing = { "nothing", "nothing", nothing, 0, 1 };
