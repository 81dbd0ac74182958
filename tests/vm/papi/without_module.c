// SPDX-License-Identifier: GPL-2.0
/*
 * EventSets without the kernel module: perf_event_open() counts. The counts are those of the
 * calling thread, on each core type, also by an ordinary user; calls that need the module
 * fail by PAPI's codes, and nothing is counted wrong.
 */
#include <dirent.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "papi_calls.h"
#include "perf.h"

#define N	500000
#define WORK	(2 * N)
/* Instructions of the library and of libpmctrack around the loop */
#define LIMIT	30000

#define MAX_EVENTS	16
#define MAX_COUNTERS	32
#define PHASE_US	60000

static void test_counts(void)
{
	int set = new_set("instr"), i;
	long long value, first;

	for (i = 0; i < 2; i++) {
		OK(PAPI_start(set));
		spin(N);
		OK(PAPI_read(set, &first));
		within(first, WORK, WORK + LIMIT, "read");
		OK(PAPI_reset(set));
		spin(N);
		OK(PAPI_stop(set, &value));
		within(value, WORK, WORK + LIMIT, "after a reset");
	}
	value = 0;
	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_accum(set, &value));
	spin(N);
	OK(PAPI_accum(set, &value));
	within(value, 2 * WORK, 2 * WORK + 2 * LIMIT, "accumulated");
	OK(PAPI_stop(set, NULL));
	end_set(set);
}

/* The sum of all core types' instructions, and each one's own */
static void test_core_types(void)
{
	const PAPI_component_info_t *cpu = PAPI_get_component_info(0);
	char names[512] = "instr", *end = names + strlen(names);
	long long values[PAPI_PMU_MAX + 1], sum = 0;
	int nr, set, i, c;

	for (nr = 0; cpu->pmu_names[nr]; nr++)
		end += sprintf(end, ",%s::instr", cpu->pmu_names[nr]);
	if (nr < 2 || !strcmp(cpu->pmu_names[0], cpu->pmu_names[1]))
		return;
	set = new_set(names);
	OK(PAPI_start(set));
	for (c = 0; c < sysconf(_SC_NPROCESSORS_ONLN); c++) {
		pin(0, c);
		spin(N);
	}
	OK(PAPI_stop(set, values));
	for (i = 1; i <= nr; i++)
		sum += values[i];
	within(values[0], c * WORK, c * WORK + 10 * LIMIT, "on all CPUs");
	within(sum, values[0] - LIMIT, values[0] + LIMIT, "sum of the core types");
	unpin(0);
	end_set(set);
}

static void test_attach(void)
{
	int set = new_set("instr"), fds[2];
	long long value;
	pid_t pid;
	char c;

	if (pipe(fds))
		die("no pipe");
	pid = fork();
	if (!pid) {
		if (read(fds[0], &c, 1) == 1)
			spin(N);
		_exit(0);
	}
	OK(PAPI_attach(set, pid));
	OK(PAPI_start(set));
	if (write(fds[1], "x", 1) != 1)
		die("no byte");
	waitpid(pid, NULL, 0);
	OK(PAPI_stop(set, &value));
	within(value, WORK, WORK + LIMIT, "the child");
	end_set(set);
}

/* Instructions of the caller while it sleeps, as a multiplexed EventSet counts them */
static long long count_sleep(int inherit)
{
	PAPI_option_t multiplex = { .multiplex = { .ns = 10000000 } }, opt = { .inherit = { 0 } };
	int set = new_set("instr");
	long long value;

	multiplex.multiplex.eventset = set;
	OK(PAPI_set_opt(PAPI_MULTIPLEX, &multiplex));
	opt.inherit.eventset = set;
	opt.inherit.inherit = inherit;
	OK(PAPI_set_opt(PAPI_INHERIT, &opt));
	OK(PAPI_start(set));
	usleep(500000);
	OK(PAPI_stop(set, &value));
	end_set(set);
	return value;
}

/* The library has a thread of its own, which is not among the caller's threads. */
static void test_inherit(void)
{
	long long alone, all;

	count_sleep(PAPI_INHERIT_NONE);
	alone = count_sleep(PAPI_INHERIT_NONE);
	all = count_sleep(PAPI_INHERIT_ALL);
	within(all, alone - 1000, alone + 1000, "instructions with those of children, of which there are none");
}

static void test_presets(void)
{
	int set = PAPI_NULL;
	long long values[2];

	OK(PAPI_create_eventset(&set));
	OK(PAPI_add_event(set, PAPI_TOT_INS));
	OK(PAPI_add_event(set, PAPI_TOT_CYC));
	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_stop(set, values));
	within(values[0], WORK, WORK + LIMIT, "PAPI_TOT_INS");
	CHECK(values[1] > 0, "no cycles");
	end_set(set);
}

/* More events than there are counters, so that perf's groups take turns; branches are the first. */
static int multiplexed_set(void)
{
	static const char *const names[] = {
		"instr", "branch_misses", "loads", "stores", "l1d_misses", "llc_misses",
		"llc_references", "dtlb_misses", "itlb_misses", "l1i_misses", "stall_backend",
		"stall_frontend",
	};
	int set = new_set("branches");
	size_t i;

	OK(PAPI_set_multiplex(set));
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		PAPI_add_named_event(set, names[i]);
	return set;
}

/* Work of one branch in many instructions */
static void spin_straight(long loops)
{
	while (loops--)
		asm volatile(".rept 4000\n\tnop\n\t.endr");
}

/* Count branches for some time. */
static long long branches_of(int set, void (*work)(long loops), long loops)
{
	long long values[MAX_EVENTS] = { 0 }, end = PAPI_get_real_usec() + PHASE_US;

	while (PAPI_get_real_usec() < end)
		work(loops);
	OK(PAPI_accum(set, values));
	return values[0];
}

/* An estimate is that of its own time, not of what was before. */
static void test_multiplex_phases(void)
{
	long long busy, quiet, values[MAX_EVENTS];
	int set = multiplexed_set(), i;

	CHECK(PAPI_num_events(set) >= 6, "only %d events", PAPI_num_events(set));
	/* The time on other core types is not known where sets leave no counter for it. */
	pin(0, 0);
	OK(PAPI_start(set));
	for (i = 0; i < 10; i++) {
		busy = branches_of(set, spin, 10000);
		quiet = branches_of(set, spin_straight, 100);
		CHECK(busy > 0, "%lld branches in a busy phase", busy);
		within(quiet, 0, busy / 20, "branches in a quiet phase after %lld", busy);
	}
	OK(PAPI_stop(set, values));
	unpin(0);
	end_set(set);
}

/* Samples of turns are in pipes, of whose memory a user may have used up all. */
static void test_full_pipes(void)
{
	int set = multiplexed_set();
	long long values[MAX_EVENTS];

	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_stop(set, values));
	end_set(set);
}

/* perf's counters on CPU 0 go first. More of them than there are find none. */
static void take_counters(int *fds)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS, .exclude_kernel = 1, .pinned = 1,
	};
	int i;

	for (i = 0; i < MAX_COUNTERS; i++)
		fds[i] = perf_open(&attr, -1, 0, -1);
}

static void give_back(const int *fds)
{
	int i;

	for (i = 0; i < MAX_COUNTERS; i++)
		close(fds[i]);
}

/* Values that are too small are no result, and are not scaled. A reset forgets the loss. */
static void test_lost_counter(int set)
{
	int fds[MAX_COUNTERS], patience = 0, rc;
	long long value = 0;

	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_read(set, &value));
	take_counters(fds);
	spin(10 * N);
	RETURNS(PAPI_ECLOST, PAPI_read(set, &value));
	CHECK(value >= WORK && value < 6 * WORK, "%lld instructions, after a loss", value);
	value = 0;
	RETURNS(PAPI_ECLOST, PAPI_accum(set, &value));
	same(value, 0, "what accum adds of incomplete values");
	give_back(fds);
	do {
		RETURNS(PAPI_ECLOST, PAPI_read(set, &value));
		usleep(10000);
		OK(PAPI_reset(set));
		spin(N);
		rc = PAPI_read(set, &value);
	} while (rc == PAPI_ECLOST && ++patience < 100);
	same(rc, PAPI_OK, "read after a reset");
	CHECK(value >= WORK, "%lld instructions after a reset", value);
	OK(PAPI_stop(set, &value));
	OK(PAPI_start(set));
	take_counters(fds);
	spin(10 * N);
	RETURNS(PAPI_ECLOST, PAPI_stop(set, &value));
	give_back(fds);
	end_set(set);
}

static void test_lost_counters(void)
{
	PAPI_option_t opt = { .cpu = { .cpu_num = 0 } };
	int set = new_set("instr");

	pin(0, 0);
	test_lost_counter(set);
	set = new_set("instr");
	opt.cpu.eventset = set;
	OK(PAPI_set_opt(PAPI_CPU_ATTACH, &opt));
	test_lost_counter(set);
	unpin(0);
}

static void all(void)
{
	test_counts();
	test_core_types();
	test_attach();
	test_inherit();
	test_presets();
	test_multiplex_phases();
}

int main(void)
{
	int pages, status;
	pid_t pid;

	if (opendir("/proc/pmc"))
		die("the module is loaded");
	begin_papi();
	all();
	test_lost_counters();
	PAPI_shutdown();
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid cannot be set");
	pages = change_number("/proc/sys/fs/pipe-user-pages-soft", 16);
	pid = fork();
	if (!pid) {
		change_user(1000);
		begin_papi();
		all();
		test_full_pipes();
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of a user's process");
	change_number("/proc/sys/fs/pipe-user-pages-soft", pages);
	return result();
}
