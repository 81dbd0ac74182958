// SPDX-License-Identifier: GPL-2.0
/*
 * Calipers: what a reading costs, that it is right on every CPU, regions, and
 * threads that share a CPU. QEMU's counters also count what its other CPUs do
 * meanwhile, so of several rounds the least is the true one.
 */
#include <errno.h>
#include <pmctrack.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"
#include "perf.h"

#define EVENTS	"pmc@1=@I,@F,pmc@2=@I,pmc@3=@I"
#define N	100000
#define ROUNDS	20
/* Instructions of a reading, with the call: what was promised */
#define MAX_COST 60
/* and of the call of a loop */
#define CALL	10

static pmc_caliper_t *open_caliper(const char *events)
{
	pmc_caliper_t *c = pmc_caliper_open(events);

	if (c)
		return c;
	die("%s: %s", events, pmc_last_error());
}

/* The least of several measurements of n rounds of the loop. */
static uint64_t measure(pmc_caliper_t *c, long n)
{
	uint64_t a[PMC_MAX_COUNTS], b[PMC_MAX_COUNTS], least = UINT64_MAX;
	int round, i;

	for (round = 0; round < ROUNDS; round++) {
		CHECK(pmc_caliper_read(c, a) == 4, "not 4 counts");
		if (n)
			spin(n);
		CHECK(pmc_caliper_read(c, b) == 4, "not 4 counts");
		/* The same event is in the set three times. */
		for (i = 2; i < 4; i++)
			CHECK(b[i] - a[i] == b[0] - a[0], "count %d: %lu, not %lu", i,
			      b[i] - a[i], b[0] - a[0]);
		if (b[0] - a[0] < least)
			least = b[0] - a[0];
	}
	return least;
}

static void test_reading(pmc_caliper_t *c, int direct)
{
	uint64_t cost, count;
	int cpu;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		pin(0, cpu);
		cost = measure(c, 0);
		CHECK(cost <= MAX_COST || !direct, "CPU %d: a reading takes %lu instructions",
		      cpu, cost);
		count = measure(c, N);
		CHECK(count >= cost + 2 * N && count <= cost + 2 * N + CALL,
		      "CPU %d: %lu instructions of %d", cpu, count - cost, 2 * N);
		if (!cpu)
			printf("a reading of 4 counters: %lu instructions\n", cost);
	}
}

static void test_regions(pmc_caliper_t *c)
{
	struct pmc_region r, inner;
	int i;

	for (i = 0; i < 3; i++) {
		CHECK(!pmc_region_begin(c, "outer"), "%s", pmc_last_error());
		spin(N);
		CHECK(!pmc_region_begin(c, "inner"), "%s", pmc_last_error());
		spin(N);
		/* In itself */
		CHECK(!pmc_region_begin(c, "outer"), "%s", pmc_last_error());
		CHECK(!pmc_region_end(c, "outer"), "%s", pmc_last_error());
		CHECK(pmc_region_end(c, "outer") && errno == EINVAL, "ends inside another");
		CHECK(!pmc_region_end(c, "inner"), "%s", pmc_last_error());
		CHECK(!pmc_region_end(c, "outer"), "%s", pmc_last_error());
	}
	CHECK(pmc_region_end(c, "outer") && errno == EINVAL, "ends without a beginning");
	CHECK(!pmc_region_read(c, "outer", &r), "%s", pmc_last_error());
	CHECK(!pmc_region_read(c, "inner", &inner), "%s", pmc_last_error());
	CHECK(r.calls == 6 && inner.calls == 3, "%lu and %lu calls", r.calls, inner.calls);
	CHECK(inner.counts[0] >= 6 * N && r.counts[0] >= inner.counts[0] + 6 * N,
	      "outer %lu, inner %lu", r.counts[0], inner.counts[0]);
	CHECK(r.time > inner.time && inner.time, "outer %lu ns, inner %lu ns", r.time, inner.time);
	CHECK(pmc_region_read(c, "none", &r) && errno == ENOENT, "a region that is not there");
	CHECK(pmc_region_each(c, 1, &r) == 1 && !strcmp(r.name, "inner"), "second region");
	CHECK(pmc_region_each(c, 2, &r) == 0, "third region");
	for (i = 0; i < PMC_REGION_DEPTH; i++)
		CHECK(!pmc_region_begin(c, "deep"), "%s", pmc_last_error());
	CHECK(pmc_region_begin(c, "deep") && errno == E2BIG, "too deep");
}

/* Long enough to be switched out several times. */
static void *crowded(void *arg)
{
	uint64_t a[PMC_MAX_COUNTS], b[PMC_MAX_COUNTS];
	pmc_caliper_t *c;

	(void)arg;
	pin(0, 0);
	c = open_caliper("instr");
	pmc_caliper_read(c, a);
	spin(200L * N);
	pmc_caliper_read(c, b);
	CHECK(b[0] - a[0] >= 400L * N && b[0] - a[0] < 410L * N, "in a crowd: %lu instructions of %ld",
	      b[0] - a[0], 400L * N);
	pmc_caliper_close(c);
	return NULL;
}

static void test_crowd(void)
{
	pthread_t threads[3];
	int i;

	for (i = 0; i < 3; i++)
		CHECK(!pthread_create(&threads[i], NULL, crowded, NULL), "no thread");
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

/* What is closed counts no more, and holds nothing, though a child has the file, too. */
static void test_child(void)
{
	pmc_caliper_t *c = open_caliper("instr");
	uint64_t counts[PMC_MAX_COUNTS];
	pid_t child = fork();
	int event, status;

	if (!child) {
		CHECK(pmc_caliper_read(c, counts) < 0 && errno == ESRCH, "a child reads its parent's");
		pmc_caliper_close(c);
		_exit(result());
	}
	waitpid(child, &status, 0);
	same(status, 0, "status of the child that closed it");
	CHECK(pmc_caliper_read(c, counts) == 1, "the child's end was the parent's");
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	same(proc_value("stats", "threads"), 1, "threads counted");
	pmc_caliper_close(c);
	same(proc_value("stats", "sessions"), 1, "sessions that the child has");
	same(proc_value("stats", "threads"), 0, "threads counted after the close");
	event = perf_own(event_codes()->instructions, true, -1);
	close(event);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void test_refused(void)
{
	static const char *const bad[] = {
		"", "nonsense", "instr:ebs=1000", "instr,coretype=0,coretype=7", "instr:ebs=0",
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!pmc_caliper_open(bad[i]) && *pmc_last_error(), "'%s' was accepted", bad[i]);
}

int main(void)
{
	pmc_machine_t *machine = pmc_machine_open();
	pmc_caliper_t *c;

	need_counters();
	c = open_caliper(expanded(EVENTS));
	test_reading(c, pmc_machine_direct(machine));
	test_regions(c);
	pmc_caliper_close(c);
	unpin(0);
	test_crowd();
	test_child();
	test_refused();
	pmc_machine_close(machine);
	return result();
}
