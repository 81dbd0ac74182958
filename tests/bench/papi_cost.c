// SPDX-License-Identifier: GPL-2.0
/*
 * papi_cost - what PAPI's calls cost, in guest instructions and in bytes
 *
 * usage: papi_cost calls | bytes
 *
 * The program is built twice: papi_cost is linked with libpmcpapi, and papi_cost_theirs needs
 * another PAPI by the name libpapi.so. `run papi` makes one table of what both print: a line
 * for each figure, with tabs between CALL, EVENTS and FIGURE. Without a figure there is "-",
 * and the reason. Lines that begin with # are remarks.
 *
 * The machine's clock counts the instructions (ruler.c), so neither library and no counter
 * takes part. Those of user and kernel mode are in the figures, and a few of the loop around
 * the calls.
 *
 * For bytes, glibc has to keep no freed memory for a thread
 * (GLIBC_TUNABLES=glibc.malloc.tcache_count=0): such memory does not count as free.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <papi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* Most events of an EventSet */
#define EVENTS	8
#define BATCHES	41
/* Calls of a batch, which is shorter than the time between two ticks of the scheduler */
#define ROUNDS	20
#define PERIOD	100000
#define SAMPLES	10
/* EventSets whose bytes are measured together */
#define SETS	16

static const int sizes[] = { 1, 4, EVENTS };
#define NR_SIZES	(int)(sizeof(sizes) / sizeof(sizes[0]))

/*
 * Instructions come first: their overflows are measured. The lists are longer than EVENTS, as
 * some events do not fit with the others. An event in another mode has a counter of its own.
 */
static const char *const intel[] = {
	"INST_RETIRED:ANY_P", "CPU_CLK_UNHALTED:THREAD_P", "BR_INST_RETIRED:ALL_BRANCHES",
	"BR_MISP_RETIRED:ALL_BRANCHES", "BR_INST_RETIRED:COND", "BR_INST_RETIRED:NEAR_CALL",
	"BR_INST_RETIRED:COND_TAKEN", "BR_MISP_RETIRED:COND", "BR_INST_RETIRED:NEAR_RETURN",
	"BR_INST_RETIRED:FAR_BRANCH", NULL
};

static const char *const amd[] = {
	"RETIRED_INSTRUCTIONS", "CYCLES_NOT_IN_HALT", "RETIRED_BRANCH_INSTRUCTIONS",
	"RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS",
	"RETIRED_NEAR_RETURNS", "RETIRED_INSTRUCTIONS:k", "CYCLES_NOT_IN_HALT:k", NULL
};

static const char *const arm[] = {
	"INST_RETIRED", "CPU_CYCLES", "INST_RETIRED:k", "CPU_CYCLES:k", "INST_RETIRED:u:k",
	"CPU_CYCLES:u:k", "SW_INCR", "SW_INCR:k", NULL
};

static const char *const generic[] = {
	"INSTRUCTIONS", "CYCLES", "BRANCH-MISSES", "BRANCHES", "CACHE-REFERENCES", "CACHE-MISSES",
	"INSTRUCTIONS:k", "CYCLES:k", "INSTRUCTIONS:u:k", "CYCLES:u:k", NULL
};

/* Names of PMUs: not every library knows all of them, and the first one that is known is used. */
static const struct source {
	const char *pmu;	/* of CPU 0 */
	const char *other;	/* of the other core type; NULL: there is none */
	const char *const *names;
} sources[] = {
	{ "adl_glc", "adl_grt", intel },
	{ "cpu_core", "cpu_atom", intel },
	{ "amd64_fam19h_zen4", NULL, amd },
	{ "cpu", NULL, amd },
	{ "arm_ac72", "arm_ac53", arm },
	{ "armv8_cortex_a72", "armv8_cortex_a53", arm },
	{ "arm_ac57", NULL, arm },
	{ "armv8_cortex_a57", NULL, arm },
	{ "perf", NULL, generic },
	{ NULL, NULL, NULL }
};

static const struct source *source;

/* @value: a figure, or a code of PAPI's */
static void report(const char *name, int nr, double value)
{
	if (value < 0)
		printf("%s\t%d\t-\t%s\n", name, nr, PAPI_strerror(value));
	else
		printf("%s\t%d\t%.2f\n", name, nr, value);
}

static void stop_here(const char *what, int rc)
{
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(rc));
	exit(1);
}

/* ---- EventSets ---- */

static int new_set(void)
{
	int set = PAPI_NULL, rc = PAPI_create_eventset(&set);

	if (rc != PAPI_OK)
		stop_here("PAPI_create_eventset", rc);
	return set;
}

static void end_set(int set)
{
	int rc = PAPI_cleanup_eventset(set);

	if (rc == PAPI_OK)
		rc = PAPI_destroy_eventset(&set);
	if (rc != PAPI_OK)
		stop_here("PAPI_destroy_eventset", rc);
}

/* An event's name; @pmu NULL: of any PMU */
static const char *full_name(char *text, size_t size, const char *pmu, const char *name)
{
	snprintf(text, size, "%s%s%s", pmu ? pmu : "", pmu ? "::" : "", name);
	return text;
}

/*
 * Add up to @nr events of a PMU.
 *
 * Return: the number of those that fit; if none, @rc has the reason.
 */
static int fill(int set, const char *pmu, int nr, int *rc)
{
	const char *const *name;
	char text[128];
	int n = 0;

	for (name = source->names; *name && n < nr; name++) {
		int added = PAPI_add_named_event(set, full_name(text, sizeof(text), pmu, *name));

		if (added == PAPI_OK)
			n++;
		else
			*rc = added;
	}
	return n;
}

static bool is_usable(int set, int *rc)
{
	if (!fill(set, source->pmu, 1, rc))
		return false;
	*rc = PAPI_start(set);
	return *rc == PAPI_OK && PAPI_stop(set, NULL) == PAPI_OK;
}

static void choose_source(void)
{
	bool usable;
	int rc, set;

	source = sources;
	do {
		set = new_set();
		usable = is_usable(set, &rc);
		end_set(set);
	} while (!usable && (++source)->pmu);
	if (!usable)
		stop_here("no event can be counted", rc);
	printf("# %s::, such as %s\n", source->pmu, source->names[0]);
}

/* ---- instructions of calls ---- */

/**
 * struct job - a batch of calls
 * @rc: what the last call has returned that has failed
 */
struct job {
	int set;
	int rc;
	long long values[2 * EVENTS];
};

#define BATCH(function, call)						\
static void function(struct job *job)					\
{									\
	int i, rc;							\
									\
	for (i = 0; i < ROUNDS; i++) {					\
		rc = call;						\
		if (rc != PAPI_OK)					\
			job->rc = rc;					\
	}								\
}

static long long cycles;

BATCH(reads, PAPI_read(job->set, job->values))
BATCH(reads_ts, PAPI_read_ts(job->set, job->values, &cycles))
BATCH(accums, PAPI_accum(job->set, job->values))
BATCH(resets, PAPI_reset(job->set))
BATCH(starts_stops, PAPI_start(job->set) ?: PAPI_stop(job->set, job->values))

static const struct call {
	const char *name;
	void (*batch)(struct job *job);
	bool running;	/* the EventSet counts meanwhile */
} calls[] = {
	{ "PAPI_read", reads, true },
	{ "PAPI_start + PAPI_stop", starts_stops, false },
	{ "PAPI_accum", accums, true },
	{ "PAPI_reset", resets, true },
	{ "PAPI_read_ts", reads_ts, true },
};

#define NR_CALLS	(int)(sizeof(calls) / sizeof(calls[0]))

/* The least of several batches: the kernel's other work falls into some of them. */
static double least(void (*batch)(struct job *job), struct job *job)
{
	uint64_t best = UINT64_MAX, start, took;
	int i;

	settle();
	batch(job);
	for (i = 0; i < BATCHES; i++) {
		start = ruler();
		batch(job);
		took = ruler() - start;
		if (took < best)
			best = took;
	}
	return (double)best / ROUNDS;
}

/* Return: instructions of a call, or a code of PAPI's. */
static double cost(const struct call *call, int set)
{
	struct job job = { .set = set, .rc = PAPI_OK };
	double instructions;

	if (call->running)
		job.rc = PAPI_start(set);
	if (job.rc != PAPI_OK)
		return job.rc;
	instructions = least(call->batch, &job);
	if (call->running)
		PAPI_stop(set, NULL);
	return job.rc != PAPI_OK ? job.rc : instructions;
}

/* ---- overflows ---- */

static volatile int handled;

static void handler(int set, void *address, long long vector, void *context)
{
	handled++;
}

/* The least cost of an overflow, beyond @bare for a batch; without @bare, that of a batch */
static double least_spin(double bare)
{
	double best = -1, took;
	uint64_t start;
	int i;

	settle();
	for (i = 0; i < BATCHES; i++) {
		handled = 0;
		start = ruler();
		spin((uint64_t)PERIOD * SAMPLES);
		took = ruler() - start;
		if (bare > 0 && !handled)
			continue;
		if (bare > 0)
			took = (took - bare) / handled;
		if (best < 0 || took < best)
			best = took;
	}
	return best;
}

static double spin_counted(int set, double bare)
{
	int rc = PAPI_start(set);
	double result;

	if (rc != PAPI_OK)
		return rc;
	result = least_spin(bare);
	PAPI_stop(set, NULL);
	/* Nothing has overflowed. */
	return result < 0 ? PAPI_ENOSUPP : result;
}

static double overflow_cost(int set)
{
	double bare = spin_counted(set, 0), result;
	char text[128];
	int code, rc;

	full_name(text, sizeof(text), source->pmu, source->names[0]);
	rc = PAPI_event_name_to_code(text, &code);
	if (rc == PAPI_OK)
		rc = PAPI_overflow(set, code, PERIOD, 0, handler);
	if (rc != PAPI_OK || bare < 0)
		return rc != PAPI_OK ? rc : bare;
	result = spin_counted(set, bare);
	PAPI_overflow(set, code, 0, 0, handler);
	return result;
}

/* ---- what is measured ---- */

static void measure_calls(int set, int nr)
{
	int i;

	for (i = 0; i < NR_CALLS; i++)
		report(calls[i].name, nr, cost(&calls[i], set));
	report("one overflow", nr, overflow_cost(set));
}

/* A reading of @nr events of @pmu; with @other half of them are of @other. */
static double read_cost(const char *pmu, const char *other, int nr)
{
	int set = new_set(), half = other ? nr / 2 : nr, rc = PAPI_ENOEVNT;
	double result = PAPI_OK;

	if (fill(set, pmu, half, &rc) < half || (other && fill(set, other, half, &rc) < half))
		result = rc;
	else
		result = cost(&calls[0], set);
	end_set(set);
	return result;
}

static void measure_core_types(int nr)
{
	double one = read_cost(source->pmu, NULL, nr);
	double every = read_cost(NULL, NULL, nr);
	double two = read_cost(source->pmu, source->other, nr);

	report("PAPI_read, events without a PMU's name", nr, every);
	report("PAPI_read, events of two core types", nr, two);
	if (one > 0 && two > 0)
		report("the same, times that of one core type", nr, two / one);
	if (every > 0 && two > 0)
		report("the same, times that without a name", nr, two / every);
}

static void measure_instructions(void)
{
	int i, set, nr, last = 0, rc = PAPI_OK;

	for (i = 0; i < NR_SIZES; i++) {
		set = new_set();
		nr = fill(set, source->pmu, sizes[i], &rc);
		if (nr < sizes[i])
			printf("# %d of %d events fit: %s\n", nr, sizes[i], PAPI_strerror(rc));
		if (nr > last)
			measure_calls(set, nr);
		last = nr;
		end_set(set);
	}
	for (i = 1; source->other && i < NR_SIZES; i++)
		measure_core_types(sizes[i]);
}

/* ---- bytes ---- */

static double used(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* What all EventSets share, such as names of events, is made before by one of them. */
static void measure_set(int size)
{
	int sets[SETS], i, nr = 0, rc = PAPI_OK, first = new_set();
	double before, filled;

	fill(first, source->pmu, size, &rc);
	rc = PAPI_start(first);
	if (rc == PAPI_OK)
		PAPI_stop(first, NULL);
	end_set(first);
	before = used();
	for (i = 0; i < SETS; i++) {
		sets[i] = new_set();
		nr = fill(sets[i], source->pmu, size, &rc);
	}
	filled = used();
	report("bytes: an EventSet", nr, (filled - before) / SETS);
	rc = PAPI_start(sets[0]);
	if (rc == PAPI_OK)
		rc = PAPI_stop(sets[0], NULL);
	report("bytes: more since its first start", nr, rc == PAPI_OK ? used() - filled : rc);
	for (i = 0; i < SETS; i++)
		end_set(sets[i]);
}

static void *register_thread(void *bytes)
{
	double before;
	int rc;

	/* Makes what malloc() has for a thread. */
	free(malloc(1));
	before = used();
	rc = PAPI_register_thread();
	if (rc != PAPI_OK)
		stop_here("PAPI_register_thread", rc);
	*(double *)bytes = used() - before;
	PAPI_unregister_thread();
	return NULL;
}

static void measure_thread(void)
{
	int rc = PAPI_thread_init((unsigned long (*)(void))pthread_self);
	pthread_t thread;
	double bytes;

	if (rc != PAPI_OK || pthread_create(&thread, NULL, register_thread, &bytes))
		stop_here("thread", rc);
	pthread_join(thread, NULL);
	report("bytes: a thread", 0, bytes);
}

static void measure_bytes(void)
{
	int i;

	for (i = 0; i < NR_SIZES; i++)
		measure_set(sizes[i]);
	measure_thread();
}

static void pin(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
}

/* PAPI refuses programs that were built for another version. */
static void init(void)
{
	int version = PAPI_get_opt(PAPI_LIB_VERSION, NULL), rc;

	version = version > 0 ? version & 0xffff0000 : PAPI_VER_CURRENT;
	rc = PAPI_library_init(version);
	if (rc != version)
		stop_here("PAPI_library_init", rc);
	printf("# PAPI %d.%d\n", PAPI_VERSION_MAJOR(version), PAPI_VERSION_MINOR(version));
}

int main(int argc, char **argv)
{
	bool bytes = argc == 2 && !strcmp(argv[1], "bytes");

	if (!bytes && (argc != 2 || strcmp(argv[1], "calls")))
		return fprintf(stderr, "usage: papi_cost calls | bytes\n"), 2;
	/* The console's work for a line goes on for a while. */
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	pin();
	init();
	choose_source();
	if (bytes) {
		measure_bytes();
	} else {
		check_ruler();
		measure_instructions();
	}
	return 0;
}
