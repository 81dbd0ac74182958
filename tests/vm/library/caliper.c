// SPDX-License-Identifier: GPL-2.0
/*
 * Calipers: the cost of a reading, its correctness on every CPU, regions, and threads that
 * share a CPU. QEMU's counters also count events of its other CPUs, so the least of several
 * rounds is the right one.
 */
#include <errno.h>
#include <pmctrack.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define EVENTS	"pmc@1=@I,@F,pmc@2=@I,pmc@3=@I"
#define N	100000
#define ROUNDS	20
/* As many as there may be sessions of the kernel's on one thread */
#define MANY	64
/* Documented limit of a reading, in instructions, with the call */
#define MAX_COST 60
/* The same for the call of a loop */
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
		/* The set has the same event three times. */
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
		/* Nested in itself */
		CHECK(!pmc_region_begin(c, "outer"), "%s", pmc_last_error());
		spin(N);
		CHECK(!pmc_region_end(c, "outer"), "%s", pmc_last_error());
		CHECK(pmc_region_end(c, "outer") && errno == EINVAL, "ends inside another");
		CHECK(!pmc_region_end(c, "inner"), "%s", pmc_last_error());
		CHECK(!pmc_region_end(c, "outer"), "%s", pmc_last_error());
	}
	CHECK(pmc_region_end(c, "outer") && errno == EINVAL, "ends without a beginning");
	CHECK(!pmc_region_read(c, "outer", &r), "%s", pmc_last_error());
	CHECK(!pmc_region_read(c, "inner", &inner), "%s", pmc_last_error());
	CHECK(r.calls == 6 && inner.calls == 3, "%lu and %lu calls", r.calls, inner.calls);
	/* A region that is nested in itself is counted once. */
	within(inner.counts[0], 12 * N, 14 * N, "inner");
	within(r.counts[0], inner.counts[0] + 6 * N, inner.counts[0] + 8 * N, "outer");
	CHECK(r.time > inner.time && inner.time, "outer %lu ns, inner %lu ns", r.time, inner.time);
	CHECK(pmc_region_read(c, "none", &r) && errno == ENOENT, "a region that is not there");
	CHECK(pmc_region_each(c, 1, &r) == 1 && !strcmp(r.name, "inner"), "second region");
	CHECK(pmc_region_each(c, 2, &r) == 0, "third region");
	for (i = 0; i < PMC_REGION_DEPTH; i++)
		CHECK(!pmc_region_begin(c, "deep"), "%s", pmc_last_error());
	CHECK(pmc_region_begin(c, "deep") && errno == E2BIG, "too deep");
}

/* Run long enough to be switched out several times. */
static void *among_many(void *arg)
{
	uint64_t a[PMC_MAX_COUNTS], b[PMC_MAX_COUNTS];
	pmc_caliper_t *c;

	(void)arg;
	pin(0, 0);
	c = open_caliper("instr");
	pmc_caliper_read(c, a);
	spin(200L * N);
	pmc_caliper_read(c, b);
	CHECK(b[0] - a[0] >= 400L * N && b[0] - a[0] < 410L * N, "among many threads: %lu instructions of %ld",
	      b[0] - a[0], 400L * N);
	pmc_caliper_close(c);
	return NULL;
}

static void test_many_threads(void)
{
	pthread_t threads[3];
	int i;

	for (i = 0; i < 3; i++)
		CHECK(!pthread_create(&threads[i], NULL, among_many, NULL), "no thread");
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

/* Each call has the same number of instructions. */
static __attribute__((noinline)) void read_many(pmc_caliper_t **c, int nr, uint64_t *first)
{
	uint64_t counts[PMC_MAX_COUNTS];
	int i;

	for (i = 0; i < nr; i++) {
		pmc_caliper_read(c[i], counts);
		first[i] = counts[0];
	}
}

/* Each caliper's least count of the loop and of all calipers' readings. */
static void measure_many(pmc_caliper_t **c, int nr, uint64_t *least)
{
	uint64_t before[MANY], after[MANY];
	int round, i;

	for (i = 0; i < nr; i++)
		least[i] = UINT64_MAX;
	for (round = 0; round < ROUNDS; round++) {
		read_many(c, nr, before);
		spin(N);
		read_many(c, nr, after);
		for (i = 0; i < nr; i++)
			if (after[i] - before[i] < least[i])
				least[i] = after[i] - before[i];
	}
}

static void check_many(pmc_caliper_t **c, int nr)
{
	uint64_t least[MANY];
	int cpu, i;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		pin(0, cpu);
		measure_many(c, nr, least);
		within(least[0], 2 * N, 2 * N + 4000 * nr, "CPU %d: caliper 0", cpu);
		for (i = 1; i < nr; i++)
			same(least[i], least[0], "CPU %d: caliper %d", cpu, i);
	}
	unpin(0);
}

/* Calipers with the same events are one session of the kernel's. */
static void test_many_calipers(void)
{
	pmc_caliper_t *c[MANY], *other = open_caliper("instr,cycles");
	uint64_t first[PMC_MAX_COUNTS], last[PMC_MAX_COUNTS];
	int i;

	for (i = 0; i < MANY; i++)
		c[i] = open_caliper("instr");
	same(proc_value("stats", "sessions"), 2, "sessions of %d calipers", MANY + 1);
	same(proc_value("stats", "threads"), 2, "threads counted, once for each session");
	pmc_caliper_read(c[MANY - 1], last);
	pmc_caliper_read(c[0], first);
	CHECK(first[0] > last[0] + MANY, "the last caliper has counts of the time before it: %lu of %lu",
	      last[0], first[0]);
	check_many(c, MANY);
	/* Those that remain count on, whichever are closed. */
	for (i = 0; i < MANY / 2; i++)
		pmc_caliper_close(c[i]);
	check_many(c + MANY / 2, MANY / 2);
	pmc_caliper_close(other);
	same(proc_value("stats", "sessions"), 1, "sessions of %d calipers", MANY / 2);
	for (i = MANY - 1; i >= MANY / 2; i--)
		pmc_caliper_close(c[i]);
	same(proc_value("stats", "sessions"), 0, "sessions after the last close");
}

/* A closed caliper does not count or hold counters, even if a child has the file open. */
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

static struct pmc_caliper_page *map_page(int fd, int prot)
{
	return mmap(NULL, 4096, prot, MAP_SHARED, fd, PMC_MMAP_CALIPER);
}

/* The page is read-only for user space. */
static void test_page(void)
{
	struct pmc_caliper_page *page;
	int fd = open_session();

	command(fd, "events " INSTRUCTIONS);
	start(fd);
	CHECK(map_page(fd, PROT_READ | PROT_WRITE) == MAP_FAILED, "the page can be mapped to be written");
	page = map_page(fd, PROT_READ);
	if (page == MAP_FAILED)
		die("mmap of the page: %s", strerror(errno));
	CHECK(mprotect(page, 4096, PROT_READ | PROT_WRITE) && errno == EACCES,
	      "the page can be made writable");
	munmap(page, 4096);
	close(fd);
}

/*
 * A process that mapped the page while reading by instruction was forbidden has to use
 * system calls even after it is allowed again.
 */
static void test_access_off_and_on(void)
{
	struct pmc_caliper_page *page, *again;
	int fd = open_session(), i;

	command(fd, "events " INSTRUCTIONS);
	set_config("user_access=0");
	start(fd);
	page = map_page(fd, PROT_READ);
	set_config("user_access=1");
	again = map_page(fd, PROT_READ);
	if (page == MAP_FAILED || again == MAP_FAILED)
		die("mmap of the page: %s", strerror(errno));
	for (i = 0; i < 20; i++) {
		usleep(1000);
		CHECK(!*(volatile __u8 *)&again->direct, "counters can be read, as of another page");
	}
	munmap(again, 4096);
	munmap(page, 4096);
	close(fd);
}

#ifdef __aarch64__
/* Event counter @n; user mode may read all of them, or none. */
static uint64_t event_counter(int n)
{
	uint64_t value;

	switch (n) {
	case 0:
		asm volatile("mrs %0, pmevcntr0_el0" : "=r"(value));
		break;
	case 1:
		asm volatile("mrs %0, pmevcntr1_el0" : "=r"(value));
		break;
	case 2:
		asm volatile("mrs %0, pmevcntr2_el0" : "=r"(value));
		break;
	case 3:
		asm volatile("mrs %0, pmevcntr3_el0" : "=r"(value));
		break;
	case 4:
		asm volatile("mrs %0, pmevcntr4_el0" : "=r"(value));
		break;
	default:
		asm volatile("mrs %0, pmevcntr5_el0" : "=r"(value));
		break;
	}
	return value;
}

/* Unused counters do not contain counts of other processes' perf events. */
static void test_unused_counters(void)
{
	const volatile struct pmc_caliper_page *page;
	int fd, perf[6], i, patience;
	uint64_t value;
	uint32_t seq;

	pin(0, 0);
	for (i = 0; i < 6; i++)
		perf[i] = perf_own(event_codes()->instructions, false, i ? perf[0] : -1);
	if (ioctl(perf[0], PERF_EVENT_IOC_ENABLE, 0))
		die("perf: %s", strerror(errno));
	spin(N);
	for (i = 5; i >= 0; i--)
		close(perf[i]);
	fd = open_session();
	command(fd, "events pmc@1=@I");
	start(fd);
	page = map_page(fd, PROT_READ);
	if (page == MAP_FAILED)
		die("mmap of the page: %s", strerror(errno));
	for (i = 0; i < 6; i++) {
		for (patience = 0; patience < 1000; patience++) {
			seq = page->seq;
			value = 0;
			if (page->direct && page->hw[0] != i)
				value = event_counter(i);
			if (page->direct && page->seq == seq)
				break;
			usleep(1000);
		}
		CHECK(patience < 1000, "the page does not say that counters may be read");
		same(value, 0, "event counter %d, which is unused", i);
	}
	munmap((void *)page, 4096);
	close(fd);
	unpin(0);
}
#endif

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
	test_many_threads();
	test_many_calipers();
	test_child();
	test_page();
	test_access_off_and_on();
#ifdef __aarch64__
	if (pmc_machine_direct(machine))
		test_unused_counters();
#endif
	test_refused();
	pmc_machine_close(machine);
	return result();
}
