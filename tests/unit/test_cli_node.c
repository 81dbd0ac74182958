// SPDX-License-Identifier: GPL-2.0
/* pmctrack node: sources of a sysfs that is made here, records, averages, what they say. */
#include <math.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lib.h"
#include "made_files.h"
#include "node/average.h"
#include "node/counters.h"
#include "node/cpu_affinity.h"
#include "node/figures.h"
#include "node/performance.h"
#include "node/runs.h"
#include "node/settle.h"
#include "node/sources.h"
#include "node/stats.h"
#include "node/summary.h"
#include "node/sysfs_text.h"
#include "node/tables.h"
#include "options.h"

static char sys[] = "/tmp/pmctrack-node-XXXXXX";

/* Write a file of a sysfs. */
static void put_in(const char *top, const char *name, const char *text)
{
	made_write(top, name, "w", text, strlen(text));
}

static void put(const char *name, const char *text)
{
	put_in(sys, name, text);
}

#define ZONE	"class/thermal/thermal_zone"
#define RAPL	"class/powercap/intel-rapl:"
#define CPU	"devices/system/cpu/cpu"
#define PMU	"bus/event_source/devices/power/"

static int make_sysfs(void **state)
{
	if (!mkdtemp(sys))
		return -1;
	put(CPU "0/cpufreq/scaling_cur_freq", "2940000\n");
	put(CPU "1/cpufreq/scaling_cur_freq", "2260000\n");
	put(CPU "0/thermal_throttle/core_throttle_count", "5\n");
	put(CPU "0/thermal_throttle/package_throttle_count", "7\n");
	put(CPU "0/topology/physical_package_id", "0\n");
	put(ZONE "2/type", "acpitz\n");
	put(ZONE "2/temp", "27800\n");
	put(ZONE "10/type", "acpitz\n");
	put(ZONE "10/temp", "16800\n");
	put("class/hwmon/hwmon3/name", "coretemp\n");
	put("class/hwmon/hwmon3/temp2_label", "Core 0, left\n");
	put("class/hwmon/hwmon3/temp2_input", "48000\n");
	put("class/hwmon/hwmon4/name", "nvme\n");
	put("class/hwmon/hwmon4/temp1_input", "99000\n");
	put(RAPL "0/name", "package-0\n");
	put(RAPL "0/energy_uj", "900\n");
	put(RAPL "0/max_energy_range_uj", "999\n");
	put(RAPL "0/constraint_0_name", "long_term\n");
	put(RAPL "0/constraint_0_power_limit_uw", "65000000\n");
	put(RAPL "0/constraint_1_name", "short_term\n");
	put(RAPL "0/constraint_1_power_limit_uw", "219000000\n");
	put(RAPL "0:0/name", "core\n");
	put(RAPL "0:0/energy_uj", "400\n");
	return 0;
}

static int remove_sysfs(void **state)
{
	return made_remove(sys);
}

static void open_files(struct sources *s, struct record *record)
{
	memset(s, 0, sizeof(*s));
	record_init(record);
	s->sys = sys;
	s->record = record;
	CPU_SET(0, &s->cpus);
	CPU_SET(1, &s->cpus);
	source_frequency(s);
	source_temperature(s);
	source_energy(s);
	source_limits(s);
	source_throttling(s);
}

static double value(const struct record *record, size_t row, const char *name)
{
	int column = record_find(record, name);

	assert_true(column > 0);
	return record_row(record, row)[column];
}

/* Each file has its column, with its unit; counts are increases, and may wrap. */
static void test_sources(void **state)
{
	struct record record;
	struct sources s;

	open_files(&s, &record);
	gauges_start(&s.gauges);
	put(RAPL "0/energy_uj", "100\n");
	put(RAPL "0:0/energy_uj", "450\n");
	put(CPU "0/thermal_throttle/core_throttle_count", "6\n");
	gauges_read(&s.gauges, record_new_row(&record));
	gauges_read(&s.gauges, record_new_row(&record));
	assert_int_equal(record.nr_columns, 12);
	assert_true(value(&record, 0, "frequency/cpu0[MHz]") == 2940);
	assert_true(value(&record, 0, "frequency/cpu1[MHz]") == 2260);
	assert_true(value(&record, 0, "temperature/acpitz[degC]") == 27.8);
	assert_true(value(&record, 0, "temperature/acpitz-thermal_zone10[degC]") == 16.8);
	assert_true(value(&record, 0, "temperature/Core 0_ left[degC]") == 48);
	assert_true(value(&record, 0, "energy/package-0[uJ]") == 200);
	assert_true(value(&record, 0, "energy/package-0/core[uJ]") == 50);
	assert_true(value(&record, 1, "energy/package-0/core[uJ]") == 0);
	assert_true(value(&record, 0, "limit/package-0/long_term[W]") == 65);
	assert_true(value(&record, 0, "limit/package-0/short_term[W]") == 219);
	assert_true(value(&record, 0, "throttles/cpu0") == 1);
	assert_true(value(&record, 0, "throttles/package-0") == 0);
	gauges_free(&s.gauges);
	record_free(&record);
}

/* ---- perf's PMU `power` ---- */

long __real_syscall(long number, ...);
long __wrap_syscall(long number, void *attr, long pid, long cpu, long group, long flags);

/* Every CPU has perf's events. */
long __wrap_syscall(long number, void *attr, long pid, long cpu, long group, long flags)
{
	if (number == SYS_perf_event_open)
		return dup(0);
	return __real_syscall(number, attr, pid, cpu, group, flags);
}

/* The mask is a list: the CPUs of two packages may be neighbours. */
static void test_packages(void **state)
{
	char own[] = "/tmp/pmctrack-node-XXXXXX";
	struct record record;
	struct sources s;

	assert_non_null(mkdtemp(own));
	put_in(own, PMU "type", "22\n");
	put_in(own, PMU "cpumask", "0-1,64\n");
	put_in(own, PMU "events/energy-pkg", "event=0x02\n");
	put_in(own, PMU "events/energy-pkg.scale", "2.3283064365386962890625e-10\n");
	record_init(&record);
	s = (struct sources){ .sys = own, .record = &record };
	source_energy(&s);
	assert_int_equal(record.nr_columns, 4);
	assert_int_equal(record_find(&record, "energy/pkg-cpu0[uJ]"), 1);
	assert_int_equal(record_find(&record, "energy/pkg-cpu1[uJ]"), 2);
	assert_int_equal(record_find(&record, "energy/pkg-cpu64[uJ]"), 3);
	gauges_free(&s.gauges);
	record_free(&record);
	assert_int_equal(made_remove(own), 0);
}

/* Wait while this signal is pending. Return: what settle_wait() returns; @ms: how long it took */
static int settle_with(int signal, const char *text, long *ms)
{
	struct timespec start, end;
	struct settle settle;
	sigset_t mask, old;
	int signals, rc;

	sigemptyset(&mask);
	sigaddset(&mask, signal);
	sigprocmask(SIG_BLOCK, &mask, &old);
	signals = signalfd(-1, &mask, 0);
	assert_true(signals >= 0);
	raise(signal);
	settle_parse(&settle, text, sys);
	clock_gettime(CLOCK_MONOTONIC, &start);
	rc = settle_wait(&settle, signals);
	clock_gettime(CLOCK_MONOTONIC, &end);
	*ms = (end.tv_sec - start.tv_sec) * 1000 + (end.tv_nsec - start.tv_nsec) / 1000000;
	sigtimedwait(&mask, NULL, &(struct timespec){ 0 });
	close(signals);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return rc;
}

/* The end of a child does not end the wait. Another signal does, and is returned. */
static void test_settle_signals(void **state)
{
	long ms;

	assert_int_equal(settle_with(SIGCHLD, "200ms", &ms), 1);
	assert_in_range(ms, 199, 100000);
	assert_int_equal(settle_with(SIGTERM, "1000", &ms), -SIGTERM);
	assert_in_range(ms, 0, 100000);
}

static void test_settle(void **state)
{
	struct settle settle;

	settle_parse(&settle, "thermal_zone10:17000", sys);
	assert_int_equal(settle.bound, 17000);
	assert_int_equal(settle_wait(&settle, -1), 1);
	settle_parse(&settle, "acpitz:27000", sys);
	/* 27.8 degrees are too many, and the limit is over at once. */
	assert_int_equal(settle_wait(&settle, -1), 0);
	settle_parse(&settle, "5ms", sys);
	assert_int_equal(settle.us, 5000);
	assert_int_equal(settle_wait(&settle, -1), 1);
}

static double performance(const char *text)
{
	char path[128];

	put("output", text);
	snprintf(path, sizeof(path), "%s/output", sys);
	return performance_read(path);
}

static void test_performance(void **state)
{
	assert_true(performance("0.5 s, 12.5 Gflops\n") == 12.5);
	assert_true(performance("GFLOPS: 3\nGflops = 4.25\n") == 4.25);
	assert_true(performance("T/V    N  NB  P  Q  Time  Gflops\n-----\n"
				"WR11C2R4 57024 192 1 1 655.40 1.8862e+02\nWall 7\nEnd 3\n") ==
		    188.62);
	assert_true(isnan(performance("Waited 5\nno number\n")));
}

int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *cpus);

/* This process may run on all CPUs. */
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *cpus)
{
	memset(cpus, 0xff, size);
	return 0;
}

static void check_cores(const pmc_machine_t *machine, const char *text, const char *expected)
{
	char list[CORES_TEXT];
	cpu_set_t cpus;

	cores_parse(&cpus, text, machine, sys);
	cores_print(list, sizeof(list), &cpus);
	assert_string_equal(list, expected);
}

/* P-cores have two threads each, E-cores one: the list of the paper. CPUs that are named all stay. */
static void test_one_thread_a_core(void **state)
{
	pmc_machine_t *machine = open_machine("hybrid");
	char file[80], siblings[16];
	int cpu;

	for (cpu = 0; cpu < 24; cpu++) {
		snprintf(file, sizeof(file), CPU "%d/topology/thread_siblings_list", cpu);
		if (cpu < 16)
			snprintf(siblings, sizeof(siblings), "%d-%d\n", cpu & ~1, cpu | 1);
		else
			snprintf(siblings, sizeof(siblings), "%d\n", cpu);
		put(file, siblings);
	}
	check_cores(machine, "all", "0,2,4,6,8,10,12,14,16-23");
	check_cores(machine, "P", "0,2,4,6,8,10,12,14");
	check_cores(machine, "E", "16-23");
	check_cores(machine, "E,P", "0,2,4,6,8,10,12,14,16-23");
	check_cores(machine, "0-3,16", "0-3,16");
	/* The second thread of a core may have a number behind all first ones. */
	put(CPU "0/topology/thread_siblings_list", "0,8\n");
	put(CPU "1/topology/thread_siblings_list", "1,9\n");
	put(CPU "8/topology/thread_siblings_list", "0,8\n");
	check_cores(machine, "P", "0-2,4,6,10,12,14");
	pmc_machine_close(machine);
}

/* A run of two core types: time, frequency of two CPUs, energy, instructions of each type */
static void make_run(struct run_data *run, const char *cores, double gflops, int rows)
{
	double *row;
	int i;

	memset(run, 0, sizeof(*run));
	run->path = strdup("run");
	run->group = strdup("runs");
	about_set(&run->about, "name", "lu");
	about_set(&run->about, "cores", "%s", cores);
	about_set(&run->about, "threads", "%d", strcmp(cores, "all") ? 1 : 2);
	about_set(&run->about, "gflops", "%g", gflops);
	run->types.nr = 2;
	for (i = 0; i < 2; i++) {
		strcpy(run->types.names[i], i ? "E" : "P");
		CPU_ZERO(&run->types.cpus[i]);
		CPU_SET(i, &run->types.cpus[i]);
	}
	record_init(&run->record);
	record_add(&run->record, "frequency", "cpu0");
	record_add(&run->record, "frequency", "cpu1");
	record_add(&run->record, "energy", "package");
	record_add(&run->record, "events", "P/instr");
	record_add(&run->record, "events", "E/instr");
	for (i = 0; i < rows; i++) {
		row = record_new_row(&run->record);
		row[0] = i + 1;
		row[1] = 3000 + i;
		row[2] = i ? 2000 : NAN;
		row[3] = 5e6;
		row[4] = 300;
		row[5] = 100;
	}
}

static void check_program(const char *expected, char *name, char *argument)
{
	char *const command[] = { name, argument, NULL };
	char *program = runs_program(command);

	assert_string_equal(program, expected);
	free(program);
}

/* Slashes of arguments are none of the program's path. */
static void test_program(void **state)
{
	check_program("a /data/in", "./a", "/data/in");
	check_program("sh /data/in", "sh", "/data/in");
	check_program("sh", "/usr/bin/sh", NULL);
}

static void test_stats(void **state)
{
	struct run_data run;

	make_run(&run, "all", 1, 4);
	assert_true(stats_frequency(&run, 0) == 3001.5);
	assert_true(stats_frequency(&run, 1) == 2000);
	assert_true(isnan(stats_frequency_at(&run, 1, 0)));
	assert_true(stats_watts_at(&run, 3, 1) == 5);
	assert_true(stats_joules(&run, 3) == 20);
	assert_true(stats_share(&run, 0, "instr") == 75);
	assert_true(isnan(stats_miss_rate(&run, 0)));
	assert_true(isnan(stats_temperature(&run)));
	/* CPUs that the run did not use are left out. */
	about_set(&run.about, "cpus", "1");
	assert_int_equal(stats_cpus(&run, 0), 0);
	assert_int_equal(stats_cpus(&run, 1), 1);
	assert_true(isnan(stats_frequency(&run, 0)));
	run_free(&run);
}

/* Core types of many CPUs are in a run's facts as they are. */
static void test_core_types(void **state)
{
	struct core_types types = { .nr = 2, .names = { "P", "E" } };
	struct about about = { 0 };
	cpu_set_t read;
	int cpu;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		CPU_SET(cpu, &types.cpus[cpu >= 512 && cpu % 2]);
	core_types_set(&about, &types);
	assert_int_equal(cpus_parse(about_get(&about, "core type P"), &read), 0);
	assert_true(CPU_EQUAL(&read, &types.cpus[0]));
	assert_int_equal(cpus_parse(about_get(&about, "core type E"), &read), 0);
	assert_true(CPU_EQUAL(&read, &types.cpus[1]));
	about_free(&about);
}

/* Sums of counts are means of sums, also if a run is shorter; levels are means of those there. */
static void test_average(void **state)
{
	struct run_data runs[2], mean, *members[] = { &runs[0], &runs[1] };

	make_run(&runs[0], "all", 2, 4);
	make_run(&runs[1], "all", 3, 2);
	record_row(&runs[1].record, 0)[1] = 4000;
	average_runs(&mean, members, 2);
	assert_int_equal(mean.record.nr_rows, 4);
	assert_true(value(&mean.record, 0, "frequency/cpu0[MHz]") == 3500);
	assert_true(value(&mean.record, 3, "frequency/cpu0[MHz]") == 3003);
	assert_true(isnan(value(&mean.record, 0, "frequency/cpu1[MHz]")));
	assert_true(value(&mean.record, 3, "events/P/instr") == 150);
	assert_true(record_sum(&mean.record, 4) == 900);
	assert_true(about_number(&mean.about, "gflops") == 2.5);
	assert_true(about_number(&mean.about, "runs") == 2);
	run_free(&mean);
	run_free(&runs[0]);
	run_free(&runs[1]);
}

static void set_facts(struct about *about, const char *settled, int status, int late, int incomplete)
{
	about_set(about, "settled", "%s", settled);
	about_set(about, "status", "%d", status);
	about_set(about, "late", "%d", late);
	about_set(about, "incomplete", "%d", incomplete);
}

/* A loss of one run is a fact of the average, too. */
static void test_average_of_facts(void **state)
{
	struct run_data runs[3], mean, *members[] = { &runs[0], &runs[1], &runs[2] };
	int i;

	for (i = 0; i < 3; i++)
		make_run(&runs[i], "all", 2, 1);
	set_facts(&runs[0].about, "yes", 0, 1, 0);
	set_facts(&runs[1].about, "no", 3, 1000000, 12);
	set_facts(&runs[2].about, "yes", 0, 1, 30);
	average_runs(&mean, members, 3);
	assert_string_equal(about_get(&mean.about, "settled"), "no");
	assert_string_equal(about_get(&mean.about, "status"), "3");
	assert_string_equal(about_get(&mean.about, "late"), "1000002");
	assert_string_equal(about_get(&mean.about, "incomplete"), "42");
	/* Runs that do not say it */
	assert_null(about_get(&mean.about, "lost"));
	run_free(&mean);
	while (i--)
		run_free(&runs[i]);
}

static void test_files(void **state)
{
	struct record record;
	struct run_data run;
	char path[128];
	size_t row;
	int i;

	snprintf(path, sizeof(path), "%s/samples.csv", sys);
	make_run(&run, "P", 1, 3);
	/* Rows that are added later follow. */
	run.record.nr_rows = 1;
	record_write(&run.record, path, 0);
	run.record.nr_rows = 3;
	record_write(&run.record, path, 1);
	record_read(&record, path);
	assert_int_equal(record.nr_columns, run.record.nr_columns);
	assert_int_equal(record.nr_rows, 3);
	for (row = 0; row < 3; row++)
		for (i = 0; i < record.nr_columns; i++) {
			assert_int_equal(isnan(record_row(&record, row)[i]),
					 isnan(record_row(&run.record, row)[i]));
			if (!isnan(record_row(&record, row)[i]))
				assert_true(record_row(&record, row)[i] == record_row(&run.record, row)[i]);
		}
	record_free(&record);
	run_free(&run);
}

/* More cores may be slower: the paper's table II */
static void test_table(void **state)
{
	struct run_data runs[4];
	struct run_list list = { 4, runs };
	struct run_groups groups;
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	make_run(&runs[0], "E", 188.62, 1);
	make_run(&runs[1], "P", 356.28, 1);
	make_run(&runs[2], "all", 290, 1);
	make_run(&runs[3], "all", 291.02, 1);
	groups_make(&groups, &list);
	assert_int_equal(groups.nr, 3);
	table_performance(&groups, f);
	fclose(f);
	assert_non_null(strstr(text, "\nE                 188.620\n"));
	assert_non_null(strstr(text, "\nall               290.510\n"));
	assert_non_null(strstr(text, "\nlu: cores all are 18.5 % slower than cores P\n"));
	free(text);
	groups_free(&groups);
	for (size = 0; size < 4; size++)
		run_free(&runs[size]);
}

/* Return the text of a table of these runs, for free(). */
static char *table_of(void (*table)(const struct run_groups *groups, FILE *f), struct run_data *runs, int nr)
{
	struct run_list list = { nr, runs };
	struct run_groups groups;
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	groups_make(&groups, &list);
	table(&groups, f);
	fclose(f);
	groups_free(&groups);
	while (nr--)
		run_free(&runs[nr]);
	return text;
}

static void has_line(const char *text, const char *line)
{
	if (!strstr(text, line))
		fail_msg("no '%s' in:\n%s", line, text);
}

/* Two builds of one program, as in the paper: the change of each set of cores */
static void test_table_changes(void **state)
{
	static const char *const cores[] = { "E", "P", "all" };
	static const double gflops[] = { 188.62, 198.95, 356.28, 392.89, 290.51, 457.38 };
	struct run_data runs[6];
	char *text;
	int i;

	for (i = 0; i < 6; i++) {
		make_run(&runs[i], cores[i / 2], gflops[i], 1);
		about_set(&runs[i].about, "name", i % 2 ? "intel" : "openblas");
	}
	text = table_of(table_performance, runs, 6);
	has_line(text, "cores            openblas        intel     change\n");
	has_line(text, "\nE                 188.620      198.950     +5.5 %\n");
	has_line(text, "\nP                 356.280      392.890    +10.3 %\n");
	has_line(text, "\nall               290.510      457.380    +57.4 %\n");
	has_line(text, "\nopenblas: cores all are 18.5 % slower than cores P\n");
	has_line(text, "\nintel: cores all are 16.4 % faster than cores P\n");
	free(text);
}

/* The last row, of 10 ms, does not say that there were 500 W. */
static void test_summary(void **state)
{
	struct run_data runs[2];
	struct run_list list = { 2, runs };
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int i;

	for (i = 0; i < 2; i++) {
		make_run(&runs[i], "all", 2, 4);
		about_set(&runs[i].about, "seconds", "%g", 3.01);
		about_set(&runs[i].about, "period", "1");
		record_row(&runs[i].record, 1)[3] = i ? 60e6 : 165.7e6;
		record_row(&runs[i].record, 3)[0] = 3.01;
	}
	summary_print(&list, f, 0);
	fclose(f);
	has_line(text, " package J package W package max W\n");
	has_line(text, "    180.70     60.03        165.70\n");
	has_line(text, "     75.00     24.92         60.00\nmean ");
	has_line(text, "    127.85     42.48        112.85\n");
	free(text);
	/* A run that is shorter than half a period is all there is. */
	runs[0].record.nr_rows = 1;
	record_row(&runs[0].record, 0)[0] = 0.1;
	assert_true(stats_watts_most(&runs[0], 3) == 50);
	while (i--)
		run_free(&runs[i]);
}

/* Counts of a row of P, then of E: instructions, references to the last cache, misses */
static void make_counted_run(struct run_data *run, const char *name, const double *counts)
{
	static const char *const events[] = {
		"P/instr", "P/llc_references", "P/llc_misses", "E/instr", "E/llc_references", "E/llc_misses",
	};
	double *row;
	int i, k;

	make_run(run, "all", 1, 0);
	about_set(&run->about, "name", "%s", name);
	record_free(&run->record);
	record_init(&run->record);
	for (i = 0; i < 6; i++)
		record_add(&run->record, "events", events[i]);
	for (i = 0; i < 2; i++) {
		row = record_new_row(&run->record);
		row[0] = i + 1;
		/* All of it in two rows */
		for (k = 0; k < 6; k++)
			row[1 + k] = i ? counts[k] / 4 : counts[k] * 3 / 4;
	}
}

/* The paper's table III. A core type without references has no miss rate. */
static void test_table_core_types(void **state)
{
	static const double first[] = { 8e9, 1000, 860, 2e9, 40000, 20 };
	static const double second[] = { 6.8e9, 2000, 1280, 3.2e9, 10000, 3 }, none[] = { 1e9, 0, 0, 1e9, 100, 50 };
	struct run_data runs[2];
	char *text;

	make_counted_run(&runs[0], "one", first);
	make_counted_run(&runs[1], "other", second);
	text = table_of(table_core_types, runs, 2);
	has_line(text, "one on all:P one on all:E other on all:P other on all:E   change:P   change:E\n");
	has_line(text, "\nLLC miss rate       86.00 %       0.05 %        64.00 %         0.03 %    -25.6 %    -40.0 %\n");
	has_line(text, "\ninstructions        80.00 %      20.00 %        68.00 %        32.00 %    -15.0 %    +60.0 %\n");
	free(text);
	make_counted_run(&runs[0], "none", none);
	text = table_of(table_core_types, runs, 1);
	has_line(text, "\nLLC miss rate              -       50.00 %\n");
	assert_null(strstr(text, "change"));
	free(text);
}

/* Groups on one kind of cores make one line, in the order of their numbers of cores. */
static void test_figure_cores(void **state)
{
	static const struct {
		const char *cores, *cpus;
		int threads;
		double gflops;
	} groups_of[] = {
		{ "0-2", "0", 3, 30 }, { "8", "1", 1, 5 }, { "0", "0", 1, 10 }, { "0-1", "0", 2, 20 }, { "all", "0-1", 4, 33 },
	};
	struct run_data runs[5];
	struct run_list list = { 5, runs };
	struct run_groups groups;
	char path[128], text[4000];
	FILE *f;
	int i;

	for (i = 0; i < 5; i++) {
		make_run(&runs[i], groups_of[i].cores, groups_of[i].gflops, 1);
		about_set(&runs[i].about, "cpus", "%s", groups_of[i].cpus);
		about_set(&runs[i].about, "threads", "%d", groups_of[i].threads);
	}
	groups_make(&groups, &list);
	snprintf(path, sizeof(path), "%s/figure.gp", sys);
	figure_draw(4, &groups, path);
	f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	has_line(text, "\n$cores0 << EOD\n 1 10\n 2 20\n 3 30\nEOD\n$cores1 << EOD\n 1 5\nEOD\n$cores4 << EOD\n 4 33\nEOD\n");
	/* The first colours, whatever the number of groups */
	has_line(text, " lc rgb '#0072b2' title 'lu: P', \\\n$cores1 using");
	has_line(text, " lc rgb '#d55e00' title 'lu: E', \\\n$cores4 using");
	has_line(text, " lc rgb '#009e73' title 'lu: P+E', \\\n\n");
	groups_free(&groups);
	while (i--)
		run_free(&runs[i]);
}

/* The highest temperature is below the picture's frame. */
static void test_figure_power(void **state)
{
	struct run_data run;
	struct run_list list = { 1, &run };
	struct run_groups groups;
	char path[128], text[4000];
	double *row;
	FILE *f;
	int i;

	make_run(&run, "all", 1, 1);
	record_free(&run.record);
	record_init(&run.record);
	record_add(&run.record, "energy", "package");
	record_add(&run.record, "temperature", "package");
	for (i = 1; i <= 2; i++) {
		row = record_new_row(&run.record);
		row[0] = i;
		row[1] = 8e6;
		row[2] = 40 * i;
	}
	groups_make(&groups, &list);
	snprintf(path, sizeof(path), "%s/power.gp", sys);
	figure_draw(2, &groups, path);
	f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	has_line(text, "\n 1 8 40\n 2 8 80\nEOD\n");
	has_line(text, "\nset y2range [0:88]\n");
	groups_free(&groups);
	run_free(&run);
}

/* ---- sessions ---- */

static int nr_readings, energy_session, energy_is_stopped;

/* The last sample of a CPU comes when the session is stopped. */
static int next_energy(struct pmc_reading *r)
{
	if (energy_is_stopped != 1)
		return 0;
	energy_is_stopped = 2;
	r->nr_virtual = 1;
	r->virtual_counts[0] = 500000;
	return 1;
}

int __wrap_pmc_session_command(pmc_session_t *s, const char *fmt, ...);

int __wrap_pmc_session_command(pmc_session_t *s, const char *fmt, ...)
{
	assert_ptr_equal(s, &energy_session);
	assert_string_equal(fmt, "stop");
	energy_is_stopped = 1;
	return 0;
}

uint64_t __wrap_pmc_session_lost(const pmc_session_t *s);

uint64_t __wrap_pmc_session_lost(const pmc_session_t *s)
{
	return s == (const pmc_session_t *)&energy_session ? 4 : 3;
}

int __wrap_pmc_session_next_sized(pmc_session_t *s, struct pmc_reading *r, size_t size);

/* Each sample has 100 of an event; the second one says that a counter was taken away. */
int __wrap_pmc_session_next_sized(pmc_session_t *s, struct pmc_reading *r, size_t size)
{
	memset(r, 0, size);
	if (s == (pmc_session_t *)&energy_session)
		return next_energy(r);
	if (nr_readings == 3)
		return 0;
	r->nr_counts = 1;
	r->counts[0] = 100;
	r->flags = nr_readings++ == 1 ? PMC_READING_COUNTER_LOST : 0;
	return 1;
}

static void test_losses(void **state)
{
	int first = 1;
	struct counters c = { .session = (pmc_session_t *)&nr_readings, .first = &first, .nr_core_types = 1 };
	struct module_values m = { .session = (pmc_session_t *)&energy_session };
	double row[2] = { 0 };

	counters_read(&c, row);
	assert_true(row[1] == 300);
	assert_int_equal(counters_incomplete(&c), 1);
	assert_int_equal(counters_lost(&c), 3);
	assert_int_equal(module_values_lost(&m), 4);
}

/* The energy since the last sample of the module is in the last row. */
static void test_last_row(void **state)
{
	pmc_machine_t *machine = open_machine("hybrid");
	struct record record;
	struct sources s = { .record = &record };

	CPU_SET(0, &s.cpus);
	record_init(&record);
	be_machine("hybrid");
	assert_int_equal(module_values_add(&s.module, machine, &record, "energy", &s.cpus), 2);
	unsetenv("PMCTRACK_PROC");
	s.module.session = (pmc_session_t *)&energy_session;
	sources_read(&s, record_new_row(&record));
	sources_read_last(&s, record_new_row(&record));
	assert_true(value(&record, 0, "energy/core[uJ]") == 0);
	assert_true(value(&record, 1, "energy/core[uJ]") == 500000);
	s.module.session = NULL;
	sources_close(&s);
	record_free(&record);
	pmc_machine_close(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_packages),
		cmocka_unit_test(test_settle),
		cmocka_unit_test(test_settle_signals),
		cmocka_unit_test(test_performance),
		cmocka_unit_test(test_one_thread_a_core),
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_stats),
		cmocka_unit_test(test_core_types),
		cmocka_unit_test(test_average),
		cmocka_unit_test(test_average_of_facts),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_table_changes),
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_table_core_types),
		cmocka_unit_test(test_figure_cores),
		cmocka_unit_test(test_figure_power),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_last_row),
	};

	return cmocka_run_group_tests(tests, make_sysfs, remove_sysfs);
}
