// SPDX-License-Identifier: GPL-2.0
/* pmc-additivity: runs of programs, whose session counts 1000 or near it. */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "additivity.h"
#include "additivity/collect.h"
#include "common.h"

static struct {
	int samples;		/* that are not read yet; they say that a counter was taken away */
	int incomplete;		/* one of them was read */
	int nr;			/* number of events */
	double noise;		/* counts are 1000 * (1 + noise) and 1000 * (1 - noise) in turn */
	int runs;
	const char *refused;	/* no counter takes events that are encoded so; NULL: none */
} session = { .nr = 1 };

/* A register of energy, which has these microjoules after each 10 s; it wraps twice */
static const char *const energies[] = { "900000", "400000", "999000", "300000" };
#define NR_ENERGIES 4
#define ENERGY_RANGE "999999"
#define ENERGY_SUM 2.3
static int nr_waits;

int __wrap_nanosleep(const struct timespec *t, struct timespec *left);
int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout);
int __real_poll(struct pollfd *fds, nfds_t nr, int timeout);

pmc_session_t *__wrap_pmc_session_open(void);
int __wrap_pmc_session_configure(pmc_session_t *s, pmc_config_t *config);
int __wrap_pmc_session_command(pmc_session_t *s, const char *fmt, ...);
int __wrap_pmc_session_next_sized(pmc_session_t *s, struct pmc_reading *r, size_t size);
int __wrap_pmc_session_totals(pmc_session_t *s, int core_type, int set, uint64_t *counts,
			      uint64_t *running, uint64_t *nr_threads);
int __wrap_pmc_session_accuracy(pmc_session_t *s, int core_type, int set, int event,
				uint64_t *available);
void __wrap_pmc_session_close(pmc_session_t *s);

pmc_session_t *__wrap_pmc_session_open(void)
{
	return (pmc_session_t *)&session;
}

int __wrap_pmc_session_configure(pmc_session_t *s, pmc_config_t *config)
{
	return session.refused && strstr(pmc_config_raw(config, 0), session.refused) ? -1 : 0;
}

int __wrap_pmc_session_command(pmc_session_t *s, const char *fmt, ...)
{
	return 0;
}

int __wrap_pmc_session_next_sized(pmc_session_t *s, struct pmc_reading *r, size_t size)
{
	if (!session.samples)
		return 0;
	session.samples--;
	session.incomplete = 1;
	memset(r, 0, size);
	return 1;
}

int __wrap_pmc_session_totals(pmc_session_t *s, int core_type, int set, uint64_t *counts,
			      uint64_t *running, uint64_t *nr_threads)
{
	int i;

	for (i = 0; i < session.nr; i++)
		counts[i] = 1000 * (1 + (session.runs % 2 ? -session.noise : session.noise)) + 0.5;
	session.runs++;
	return session.nr;
}

int __wrap_pmc_session_accuracy(pmc_session_t *s, int core_type, int set, int event,
				uint64_t *available)
{
	return session.incomplete ? PMC_PARTIAL : PMC_EXACT;
}

void __wrap_pmc_session_close(pmc_session_t *s)
{
}

#define ZONE "class/powercap/intel-rapl:0"

static void wait_10_s(void)
{
	put(ZONE "/energy_uj", energies[nr_waits++]);
}

int __wrap_nanosleep(const struct timespec *t, struct timespec *left)
{
	assert_in_range(t->tv_sec, 1, 10);
	wait_10_s();
	return 0;
}

int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	if (nr_waits == NR_ENERGIES)
		return __real_poll(fds, nr, timeout);
	assert_in_range(timeout, 1, 10000);
	wait_10_s();
	return 0;
}

static void make_energy_register(void)
{
	mkdir(path_of("class"), 0777);
	mkdir(path_of("class/powercap"), 0777);
	mkdir(path_of(ZONE), 0777);
	put(ZONE "/name", "package-0");
	put(ZONE "/max_energy_range_uj", ENERGY_RANGE);
	put(ZONE "/energy_uj", "0");
	nr_waits = 0;
}

static void open_bench(struct bench *bench)
{
	cpu_set_t cpus;

	nr_waits = NR_ENERGIES;

	sched_getaffinity(0, sizeof(cpus), &cpus);
	bench_open(bench, open_machine("biglittle"), 1, &cpus, "package", folder);
}

static void close_bench(struct bench *bench)
{
	pmc_machine_close((pmc_machine_t *)bench->machine);
	bench_close(bench);
}

static void run_line(struct bench *bench, char *line, struct measurement *m)
{
	struct program program = { .name = "a", .line = line, .parts = { -1, -1 } };
	struct programs programs = { 1, 1, &program };

	bench_run(bench, &programs, 0, "instr", m);
}

static void run_true(struct bench *bench, struct measurement *m)
{
	run_line(bench, "true", m);
}

static void run_with_losses(void *bench)
{
	struct measurement m;

	session.samples = 2;
	run_true(bench, &m);
}

/* Only a session whose samples were read knows of counters that were taken away. */
static void test_counter_taken_away(void **state)
{
	struct measurement m;
	struct bench bench;

	open_bench(&bench);
	run_true(&bench, &m);
	assert_int_equal(m.counts[0], 1000);
	check_refused(run_with_losses, &bench, "a count is not exact");
	close_bench(&bench);
}

static void run_command(void *line)
{
	struct measurement m;
	struct bench bench;

	signal(SIGCHLD, SIG_IGN);
	open_bench(&bench);
	run_line(&bench, line, &m);
	bad("seen to the end");
}

/* A command that is started with SIGCHLD ignored sees how programs end. */
static void test_sigchld_ignored(void **state)
{
	check_refused(run_command, "true", "seen to the end");
	check_refused(run_command, "sh -c 'exit 7'", "failed with status 7");
}

/* The program of a command that is killed ends, too: it has the other end of a pipe meanwhile. */
static void test_killed(void **state)
{
	struct pollfd end = { .events = POLLIN };
	struct measurement m;
	struct bench bench;
	char line[64], c;
	int p[2];
	pid_t pid;

	assert_int_equal(pipe(p), 0);
	snprintf(line, sizeof(line), "sh -c 'echo >&%d; exec sleep 60'", p[1]);
	open_bench(&bench);
	pid = fork();
	if (!pid) {
		run_line(&bench, line, &m);
		_exit(0);
	}
	close(p[1]);
	assert_int_equal(read(p[0], &c, 1), 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	end.fd = p[0];
	assert_int_equal(__real_poll(&end, 1, 30000), 1);
	assert_int_equal(read(p[0], &c, 1), 0);
	close(p[0]);
	close_bench(&bench);
}

/* One run of one or two events, which the session counts */
static void make_events(struct events *events, const struct bench *bench, int nr)
{
	int i;

	*events = (struct events){
		.machine = bench->machine, .core_type = 1, .nr = nr, .names = calloc(nr, sizeof(char *)),
		.cover = calloc(nr, sizeof(struct cover_event)), .nr_runs = 1,
	};
	for (i = 0; i < nr; i++) {
		events->names[i] = strdup(i ? "instr" : "cycles");
		events->cover[i].counters = 6;
	}
	session.nr = nr;
}

/* A folder has one event of a run, and the other one is new: the run is measured. */
static void test_new_event(void **state)
{
	struct measurement m = { 1, NAN, 1, { 1000 } };
	struct repeats once = { 1, 1 };
	struct events events;
	struct bench bench;
	struct results r;
	int i, number;

	open_bench(&bench);
	make_events(&events, &bench, 2);
	begin(&r, "new-event", NAN);
	number = results_event(&r, "cycles");
	for (i = 0; i < 3; i++)
		results_add(&r, PHASE_SCAN, i, 0, &number, &m);
	collect(&r, &bench, &events, &once, PHASE_CORES, -1);
	session.nr = 1;
	assert_int_equal(events.nr, 2);
	assert_int_equal(results_nr(&r, PHASE_SCAN, 2, results_event(&r, "instr")), 1);
	results_free(&r);
	events_free(&events);
	close_bench(&bench);
}

/* Events that no counter takes are left out, and named. */
static void test_left_out(void **state)
{
	pmc_machine_t *machine = open_machine("biglittle");
	struct events events;

	session.refused = "=0x0c";
	events_find(&events, machine, 1, "instr,branches,cycles", "");
	session.refused = NULL;
	assert_int_equal(events.nr, 2);
	assert_string_equal(events.names[1], "cycles");
	assert_int_equal(events.nr_refused, 1);
	assert_string_equal(events.refused[0], "branches");
	events_free(&events);
	pmc_machine_close(machine);
}

/* A comma between the slashes of perf's form is part of an event; one beside a comma is missing. */
static void find_listed(void *list)
{
	pmc_machine_t *machine = open_machine("hybrid");
	struct events events;

	events_find(&events, machine, 1, list, ":u");
	assert_int_equal(events.nr, 2);
	assert_string_equal(events.names[0], "cpu_atom/event=0xc4,umask=0xeb/:u");
	assert_string_equal(events.names[1], "cycles:u");
	events_free(&events);
	pmc_machine_close(machine);
}

static void test_listed(void **state)
{
	find_listed("cpu_atom/event=0xc4,umask=0xeb/,cycles");
	check_refused(find_listed, "cycles,", "-e: ");
	check_refused(find_listed, "cycles,,instr", "-e: ");
}

static void check_repeats(const char *name, double noise, int least, int most, int expected)
{
	struct repeats repeats = { least, most };
	struct events events;
	struct bench bench;
	struct results r;
	int i;

	open_bench(&bench);
	make_events(&events, &bench, 1);
	begin(&r, name, NAN);
	session.noise = noise;
	collect(&r, &bench, &events, &repeats, PHASE_MEMORY, -1);
	session.noise = 0;
	for (i = 0; i < r.programs.nr; i++)
		assert_int_equal(results_nr(&r, PHASE_CORES, i, 0), expected);
	results_free(&r);
	events_free(&events);
	close_bench(&bench);
}

/*
 * Half the confidence interval of n counts m (1 + s), m (1 - s) in turn is t s / sqrt(n - 1) of m
 * for even n, and some 3 % more for odd ones. t has n - 1 degrees of freedom.
 *
 *   s      n         t     half      s       n         t     half
 *   2 %    3     4.303    5.7 %     10 %    18     2.110    5.1 %
 *          4     3.182    3.7 %             19     2.101    4.9 %
 */
static void test_repeats(void **state)
{
	check_repeats("equal", 0, 3, 30, 3);
	check_repeats("near", 0.02, 2, 30, 4);
	check_repeats("noisy", 0.1, 2, 30, 19);
	/* --max ends the repetitions. */
	check_repeats("capped", 0.1, 2, 8, 8);
}

/* What collect() prints: text for free() */
static char *collect_to_text(struct results *r, struct bench *bench, struct events *events,
			     const struct repeats *repeats)
{
	int saved = dup(2), n;
	char *text = calloc(1, 8192);
	FILE *f;

	f = fopen(path_of("printed"), "w+");
	dup2(fileno(f), 2);
	collect(r, bench, events, repeats, PHASE_MEMORY, -1);
	dup2(saved, 2);
	close(saved);
	rewind(f);
	n = fread(text, 1, 8191, f);
	assert_true(n > 0);
	fclose(f);
	return text;
}

/*
 * A program takes 10 s in each of two runs, and all three 60 s. With their three compounds they take
 * 180 s if each run is made once. Then the events are in one run.
 */
static void test_time(void **state)
{
	static const char *const lines[] = {
		"pmc-additivity: 2 events are counted in 2 runs, the fewest possible\n",
		"pmc-additivity: that takes 60 s; then all programs and compounds take 360 to 1440 s, less ",
		"x 1 runs, 2 to 8 times each: 12 to 48 runs, 180 to 720 s\n",
	};
	struct measurement m = { 10, NAN, 1, { 1000 } };
	struct repeats repeats = { 2, 8 };
	struct events events;
	struct bench bench;
	struct results r;
	char *text;
	int i, number;

	open_bench(&bench);
	make_events(&events, &bench, 2);
	events.cover[1].run = 1;
	events.nr_runs = 2;
	begin(&r, "time", NAN);
	for (i = 0; i < 6; i++) {
		number = results_event(&r, events.names[i / 3]);
		results_add(&r, PHASE_SCAN, i % 3, i / 3, &number, &m);
	}
	text = collect_to_text(&r, &bench, &events, &repeats);
	session.nr = 1;
	for (i = 0; i < 3; i++)
		if (!strstr(text, lines[i]))
			fail_msg("no '%s' in:\n%s", lines[i], text);
	free(text);
	results_free(&r);
	events_free(&events);
	close_bench(&bench);
}

/* A folder with nothing has the first run of each program before the second one of any. */
static void test_first_runs(void **state)
{
	struct repeats once = { 1, 1 };
	struct events events;
	struct bench bench;
	struct results r;
	int i;

	open_bench(&bench);
	make_events(&events, &bench, 2);
	session.nr = 1;
	events.cover[1].run = 1;
	events.nr_runs = 2;
	begin(&r, "first-runs", NAN);
	collect(&r, &bench, &events, &once, PHASE_CORES, -1);
	assert_int_equal(r.nr, 6);
	for (i = 0; i < 6; i++) {
		assert_int_equal(r.all[i].program, i % 3);
		assert_int_equal(r.all[i].run, i / 3);
	}
	results_free(&r);
	events_free(&events);
	close_bench(&bench);
}

/* A register may wrap more than once while a program runs, or the idle machine is measured. */
static void test_energy_wraps(void **state)
{
	struct measurement m;
	struct bench bench;

	make_energy_register();
	open_bench(&bench);
	assert_true(bench_has_energy(&bench));
	nr_waits = 0;
	run_true(&bench, &m);
	assert_int_equal(nr_waits, NR_ENERGIES);
	assert_float_equal(m.joules, ENERGY_SUM, 1e-5);
	put(ZONE "/energy_uj", "0");
	nr_waits = 0;
	assert_float_equal(bench_idle_joules(&bench, 35), ENERGY_SUM, 1e-5);
	assert_int_equal(nr_waits, NR_ENERGIES);
	close_bench(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counter_taken_away),
		cmocka_unit_test(test_sigchld_ignored),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_new_event),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_listed),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_first_runs),
		cmocka_unit_test(test_energy_wraps),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
