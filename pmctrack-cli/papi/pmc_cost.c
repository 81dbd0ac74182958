// SPDX-License-Identifier: GPL-2.0
/* pmc-cost: what calls of PAPI cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <papi.h>

#include "../src/common.h"
#include "cost_calls.h"
#include "cost_report.h"
#include "format.h"
#include "library.h"
#include "parse_events.h"

#define SAMPLES_MAX	100000000
#define SAMPLES		10000
#define BATCH_MAX	1000000
#define BINS		10
/* Calls before the first that is measured, so that caches and pages are there */
#define WARM_UP		100
/* How long the clock is compared with nanoseconds */
#define COMPARE_NS	20000000
/* How often the clock is read to find its steps */
#define STEP_READINGS	1000
#define EVENTS		"PAPI_TOT_CYC,PAPI_TOT_INS"

static const char help[] =
"Usage: pmc-cost [OPTION]...\n"
"Measure what calls of PAPI cost: least, mean and greatest value, percentiles and standard\n"
"deviation, in cycles of PAPI_get_real_cyc and in nanoseconds. The cost of measuring is taken\n"
"off.\n"
"\n"
"  -e, --event=EVENTS        the events of the EventSet (default: " EVENTS ")\n"
"  -c, --calls=CALLS         measure these, as read,accum (default: all):\n"
"                            read, read_ts, accum, reset, start_stop, real_cyc, real_nsec,\n"
"                            real_usec, virt_cyc, virt_nsec, virt_usec\n"
"  -n, --samples=N           measure each call N times (default: 10000)\n"
"  -b, --batch=N             a sample is the mean of N calls. Default: so many that a step of\n"
"                            the clock is at most 1 ns a call\n"
"  -m, --multiplex           multiplex the EventSet\n"
"  -H, --histogram           add a histogram to each call\n"
"      --bins=N              number of its bars (default: 10). The last has the values above the\n"
"                            99th percentile\n"
FORMAT_HELP
"\n"
"On a machine whose cores differ, each core type has its own cost: choose one by taskset.\n"
"\n"
"Example: taskset -c 0 pmc-cost -c read,start_stop -H\n";

struct cost {
	struct options o;	/* first, for the table */
	struct event_names events;
	const char *calls;
	uint64_t samples;
	uint64_t batch;
	uint64_t bins;
	int multiplex;
	int histogram;
	double nothing;		/* cost of a call that does nothing, in cycles */
	double *values;
	struct call_state state;
};

static struct cost *of(struct options *o)
{
	return (struct cost *)o;
}

static void take_events(struct options *o, const char *text)
{
	event_names_add(&of(o)->events, text);
}

static void take_samples(struct options *o, const char *text)
{
	of(o)->samples = option_number("-n", text, 1, SAMPLES_MAX);
}

static void take_batch(struct options *o, const char *text)
{
	of(o)->batch = option_number("-b", text, 1, BATCH_MAX);
}

static void take_bins(struct options *o, const char *text)
{
	of(o)->bins = option_number("--bins", text, 2, BINS_MAX);
	of(o)->histogram = 1;
}

static const struct option_row rows[] = {
	OPTION_TAKE('e', "event", take_events),
	OPTION_TEXT('c', "calls", struct cost, calls),
	OPTION_TAKE('n', "samples", take_samples),
	OPTION_TAKE('b', "batch", take_batch),
	OPTION_FLAG('m', "multiplex", struct cost, multiplex),
	OPTION_FLAG('H', "histogram", struct cost, histogram),
	OPTION_TAKE(LONG_ONLY(1), "bins", take_bins),
	FORMAT_ROW,
	{ 0 }
};

/* Is @name in the list of -c? */
static int is_in(const char *list, const char *name)
{
	size_t len;

	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		if (len == strlen(name) && !strncmp(list, name, len))
			return 1;
	}
	return 0;
}

static int is_wanted(const struct cost *c, const struct call *call)
{
	return !c->calls || is_in(c->calls, call->option);
}

static void check_calls(const struct cost *c)
{
	const char *text = c->calls;
	size_t len, i;

	for (; text && *text; text += len + (text[len] == ',')) {
		len = strcspn(text, ",");
		for (i = 0; i < calls_nr; i++)
			if (strlen(calls[i].option) == len && !strncmp(calls[i].option, text, len))
				break;
		if (i == calls_nr)
			bad("-c: there is no call '%.*s': pmc-cost --help lists them", (int)len, text);
	}
	if (c->calls && !*c->calls)
		bad("-c: name a call, as read: pmc-cost --help lists them");
}

static void parse(struct cost *c, int argc, char **argv)
{
	char **words = option_table_parse(rows, help, &c->o, argc, argv);

	if (words)
		bad("'%s' is no option: pmc-cost measures calls of its own, and pmc-run a program",
		    words[0]);
	if (c->histogram && format_taken() == FORM_CSV)
		bad("-H has no form in CSV: take --format=json");
	check_calls(c);
	if (!c->events.nr)
		event_names_add(&c->events, EVENTS);
}

static int needs_set(const struct cost *c)
{
	size_t i;

	for (i = 0; i < calls_nr; i++)
		if (is_wanted(c, &calls[i]) && !calls[i].is_timer)
			return 1;
	return 0;
}

/*
 * Steps that PAPI_get_real_cyc() advances by, in cycles: some processors and virtual machines have
 * a clock that is slower than its unit. How long two successive readings took differs by multiples
 * of a step; the lower quartile is not disturbed by interrupts and by rounding.
 */
static double clock_step(void)
{
	double apart[STEP_READINGS];
	struct distribution d;
	long long last = PAPI_get_real_cyc(), now, before = 0;
	size_t nr = 0, i;

	for (i = 0; i < STEP_READINGS; i++) {
		now = PAPI_get_real_cyc();
		if (i && now - last != before)
			apart[nr++] = llabs(now - last - before);
		before = now - last;
		last = now;
	}
	if (!nr)
		return 1;
	distribution_make(&d, apart, nr);
	return distribution_percentile(&d, 25);
}

/* Length of a cycle of PAPI_get_real_cyc() in ns */
static double cycle_length(void)
{
	long long cycles = PAPI_get_real_cyc(), start = PAPI_get_real_nsec(), ns;

	do {
		ns = PAPI_get_real_nsec() - start;
	} while (ns < COMPARE_NS);
	cycles = PAPI_get_real_cyc() - cycles;
	if (cycles <= 0)
		bad("PAPI_get_real_cyc does not advance: nothing can be measured with it");
	return (double)ns / cycles;
}

static double sample(const struct call *call, struct call_state *s, uint64_t batch)
{
	long long start = PAPI_get_real_cyc();
	uint64_t i;

	for (i = 0; i < batch; i++)
		call->run(s);
	return (double)(PAPI_get_real_cyc() - start) / batch;
}

/* Measure a call, with the EventSet as the call needs it. Return: PAPI's code */
static int measure(struct cost *c, const struct call *call, struct distribution *d)
{
	struct call_state *s = &c->state;
	uint64_t i;

	s->error = call->is_running ? PAPI_start(s->set) : 0;
	for (i = 0; i < WARM_UP && !s->error; i++)
		call->run(s);
	for (i = 0; i < c->samples && !s->error; i++)
		c->values[i] = fmax(sample(call, s, c->batch) - c->nothing, 0);
	if (call->is_running)
		PAPI_stop(s->set, s->values);
	if (!s->error)
		distribution_make(d, c->values, c->samples);
	return s->error;
}

/* A call that the library does not serve is an error only if the user named it. */
static void refuse_call(const struct cost *c, const struct call *call, int code)
{
	if (c->calls)
		library_bad(code, "%s", call->name);
	fflush(stdout);
	fprintf(stderr, "pmc-cost: %s is not measured: %s\n", call->name, PAPI_strerror(code));
}

static void print_head(const struct cost *c, const struct cost_report *r)
{
	int i;

	if (r->format != FORM_TABLE)
		return;
	printf("%llu samples of %llu call%s", (unsigned long long)c->samples,
	       (unsigned long long)c->batch, c->batch == 1 ? "" : "s each");
	if (r->nr_events)
		printf("; %d event%s:", r->nr_events, r->nr_events == 1 ? "" : "s");
	for (i = 0; i < r->nr_events; i++)
		printf(" %s", c->events.all[i]);
	printf("\nA cycle is %.3f ns. Measuring costs %.1f cycles a call, which are taken off.\n\n",
	       r->ns, c->nothing);
}

static void measure_all(struct cost *c, const struct cost_report *r)
{
	struct distribution d;
	size_t i;
	int rc;

	for (i = 0; i < calls_nr; i++) {
		if (!is_wanted(c, &calls[i]))
			continue;
		rc = measure(c, &calls[i], &d);
		if (rc)
			refuse_call(c, &calls[i], rc);
		else
			cost_report_call(r, calls[i].name, &d);
	}
}

/* What measuring costs is the median, as a few samples contain interrupts. */
static void measure_nothing(struct cost *c)
{
	struct distribution d;

	measure(c, &call_nothing, &d);
	c->nothing = distribution_percentile(&d, 50);
}

int main(int argc, char **argv)
{
	struct cost c = { .samples = SAMPLES, .bins = BINS, .state = { .set = PAPI_NULL } };
	struct cost_report r = { 0 };

	parse(&c, argc, argv);
	library_begin();
	c.values = new_array(c.samples, sizeof(*c.values));
	r.format = format_taken();
	r.ns = cycle_length();
	r.bins = c.histogram ? c.bins : 0;
	if (!c.batch)
		c.batch = fmin(ceil(fmax(r.ns * clock_step(), 1)), BATCH_MAX);
	r.batch = c.batch;
	if (needs_set(&c)) {
		c.state.set = event_names_new_set(&c.events, c.multiplex);
		c.state.values = new_array(c.events.nr, sizeof(*c.state.values));
		r.nr_events = c.events.nr;
	}
	measure_nothing(&c);
	print_head(&c, &r);
	cost_report_begin(&r);
	measure_all(&c, &r);
	written(stdout, "the report");
	free(c.state.values);
	free(c.values);
	event_names_free(&c.events);
	PAPI_shutdown();
	return 0;
}
