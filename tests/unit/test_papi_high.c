// SPDX-License-Identifier: GPL-2.0
/*
 * PAPI's high level and rates, on a low level that is part of the test: what is in the output
 * to the byte, errors, threads, children. Each test is a process, as the output is written at
 * a program's end.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "papi_fake.h"
#include "high_events.h"

static char folder[] = "/tmp/papi_high_XXXXXX";

#define HEAD										\
	"{\n"										\
	"  \"papi_version\":\"" VERSION "\",\n"						\
	"  \"cpu_info\":\"A CPU of tests\",\n"						\
	"  \"max_cpu_rate_mhz\":\"3000\",\n"						\
	"  \"min_cpu_rate_mhz\":\"400\",\n"						\
	"  \"event_definitions\":{\n"
#define DELTA(name)									\
	"    \"" name "\":{\n"								\
	"      \"component\":\"perf_event\",\n"						\
	"      \"type\":\"delta\"\n"							\
	"    }"
#define SENSOR										\
	"    \"sensor\":{\n"								\
	"      \"component\":\"sensors\",\n"						\
	"      \"type\":\"instant\"\n"							\
	"    }"
#define THREADS										\
	"\n"										\
	"  },\n"									\
	"  \"threads\":{\n"
#define REGIONS(thread)									\
	"    \"" thread "\":{\n"							\
	"      \"regions\":{\n"
#define REGION(id, name, parent)							\
	"        \"" id "\":{\n"							\
	"          \"name\":\"" name "\",\n"						\
	"          \"parent_region_id\":\"" parent "\",\n"
#define PLAIN(name, value)								\
	"          \"" name "\":\"" value "\""
#define END_REGION	"\n        }"
#define END_THREAD	"\n      }\n    }"
#define END		"\n  }\n}\n"
/* The numbers of papi.h, whichever they are */
#define VERSION		"%d.%d.%d.%d"

/* A check in a process of a test: its failure is the process's exit status. */
#define want(condition)									\
	do {										\
		if (!(condition)) {							\
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);	\
			_exit(2);							\
		}									\
	} while (0)

/* Run a program with PAPI_EVENTS, and look at how it ended. */
static void run(void (*program)(void), const char *events)
{
	pid_t pid;
	int status;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		setenv("PAPI_NO_WARNING", "1", 1);
		setenv("PAPI_OUTPUT_DIRECTORY", folder, 1);
		setenv("OMPI_COMM_WORLD_RANK", "7", 1);
		if (events)
			setenv("PAPI_EVENTS", events, 1);
		else
			unsetenv("PAPI_EVENTS");
		program();
		exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static char *read_file(const char *path)
{
	static char text[65536];
	FILE *f = fopen(path, "r");
	size_t n;

	if (!f)
		fail_msg("no file %s", path);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = 0;
	fclose(f);
	return text;
}

static const char *output(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/papi_hl_output/%s", folder, name);
	return path;
}

static void check_output(const char *name, const char *format)
{
	char expected[65536];

	snprintf(expected, sizeof(expected), format, PAPI_VERSION_MAJOR(PAPI_VERSION),
		 PAPI_VERSION_MINOR(PAPI_VERSION), PAPI_VERSION_REVISION(PAPI_VERSION),
		 PAPI_VERSION_INCREMENT(PAPI_VERSION));
	assert_string_equal(read_file(output(name)), expected);
}

static int remove_output(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s/*", folder);
	return system(command);
}

static void nested(void)
{
	want(!PAPI_hl_region_begin("outer"));
	fake_work(1);
	fake_sensor = 40;
	want(!PAPI_hl_region_begin("inner"));
	fake_work(2);
	want(!PAPI_hl_read("inner"));
	want(!PAPI_hl_read("outer"));	/* it is not the innermost: ignored */
	fake_work(3);
	fake_sensor = 50;
	want(!PAPI_hl_read("inner"));
	fake_work(4);
	want(!PAPI_hl_region_end("inner"));
	fake_work(5);
	fake_sensor = 45;
	want(!PAPI_hl_region_end("outer"));
}

static void nested_regions_reads_and_instant_values(void **state)
{
	run(nested, "PAPI_TOT_INS, unknown, full,sensor=instant");
	check_output("rank_000007.json",
		HEAD DELTA("PAPI_TOT_INS") ",\n" SENSOR THREADS REGIONS("0")
		REGION("0", "outer", "-1")
		PLAIN("cycles", "4500") ",\n"
		PLAIN("real_time_nsec", "1500") ",\n"
		PLAIN("PAPI_TOT_INS", "150") ",\n"
		PLAIN("sensor", "45")
		END_REGION ",\n"
		REGION("1", "inner", "0")
		"          \"cycles\":{\n"
		"            \"region_value\":\"2700\",\n"
		"            \"read_1\":\"600\",\n"
		"            \"read_2\":\"1500\"\n"
		"          },\n"
		"          \"real_time_nsec\":{\n"
		"            \"region_value\":\"900\",\n"
		"            \"read_1\":\"200\",\n"
		"            \"read_2\":\"500\"\n"
		"          },\n"
		"          \"PAPI_TOT_INS\":{\n"
		"            \"region_value\":\"90\",\n"
		"            \"read_1\":\"20\",\n"
		"            \"read_2\":\"50\"\n"
		"          },\n"
		"          \"sensor\":{\n"
		"            \"region_value\":\"50\",\n"
		"            \"read_1\":\"40\",\n"
		"            \"read_2\":\"50\"\n"
		"          }"
		END_REGION END_THREAD END);
}

static void one_region(void)
{
	want(!PAPI_hl_region_begin("a \"b\"\\"));
	fake_work(2);
	want(!PAPI_hl_region_end("a \"b\"\\"));
}

static const char *name;

static void named_region(void)
{
	want(!PAPI_hl_region_begin(name));
	want(!PAPI_hl_region_end(name));
}

static void without_a_list_cycles_are_counted(void **state)
{
	static const char *const lists[] = { NULL, "", ",", "unknown,full" };
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		remove_output(NULL);
		run(one_region, lists[i]);
		check_output("rank_000007.json",
			HEAD DELTA("PAPI_TOT_CYC") THREADS REGIONS("0")
			REGION("0", "a \\\"b\\\"\\\\", "-1")
			PLAIN("cycles", "600") ",\n"
			PLAIN("real_time_nsec", "200") ",\n"
			PLAIN("PAPI_TOT_CYC", "40")
			END_REGION END_THREAD END);
	}
}

#define UFFFD		"\\ufffd"

/* Names as they are written: characters of 1 to 4 bytes, and bytes that are none. */
static void names_are_utf_8(void **state)
{
	static const char *const names[][2] = {
		{ "\t\x7f", "\\u0009\x7f" },
		{ "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80" },
		{ "caf\xe9", "caf" UFFFD },
		{ "\xff\x80", UFFFD UFFFD },
		/* The middle of a character is not there, a character is too long, or a surrogate. */
		{ "\xe2\x82", UFFFD UFFFD },
		{ "\xe2\x82\xc3\xa9", UFFFD UFFFD "\xc3\xa9" },
		{ "\xe2\"", UFFFD "\\\"" },
		{ "\xc0\xaf", UFFFD UFFFD },
		{ "\xe0\x80\xaf", UFFFD UFFFD UFFFD },
		{ "\xf0\x80\x80\xaf", UFFFD UFFFD UFFFD UFFFD },
		{ "\xed\xa0\x80", UFFFD UFFFD UFFFD },
		{ "\xf4\x90\x80\x80", UFFFD UFFFD UFFFD UFFFD },
		{ "\xf5\x80\x80\x80", UFFFD UFFFD UFFFD UFFFD },
		{ "\xee\x80\x80\xf4\x8f\xbf\xbf", "\xee\x80\x80\xf4\x8f\xbf\xbf" },
	};
	char expected[64];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		remove_output(NULL);
		name = names[i][0];
		run(named_region, NULL);
		snprintf(expected, sizeof(expected), "\"name\":\"%s\",", names[i][1]);
		if (!strstr(read_file(output("rank_000007.json")), expected))
			fail_msg("no %s in the output: %s", expected,
				 read_file(output("rank_000007.json")));
	}
}

/* Threads in the order of their numbers, which are not those of their beginnings. */
static unsigned long thread_number = 9;
static __thread unsigned long my_number;

static unsigned long get_number(void)
{
	if (!my_number)
		my_number = thread_number--;
	return my_number;
}

static void *thread(void *units)
{
	want(!PAPI_hl_region_begin("part"));
	fake_work((long)units);
	want(!PAPI_hl_region_end("part"));
	return NULL;
}

static void threads(void)
{
	pthread_t id;
	long i;

	PAPI_library_init(PAPI_VER_CURRENT);
	PAPI_thread_init(get_number);
	for (i = 1; i <= 2; i++) {
		want(!pthread_create(&id, NULL, thread, (void *)i));
		want(!pthread_join(id, NULL));
		/* A thread's end ends its EventSet. */
		want(!fake_nr_sets());
	}
	want(fake.nr_inits == 1 && fake.nr_thread_inits == 1);
}

static void threads_are_apart(void **state)
{
	run(threads, "PAPI_TOT_INS=delta");
	check_output("rank_000007.json",
		HEAD DELTA("PAPI_TOT_INS") THREADS
		REGIONS("0") REGION("0", "part", "-1")
		PLAIN("cycles", "600") ",\n"
		PLAIN("real_time_nsec", "200") ",\n"
		PLAIN("PAPI_TOT_INS", "20")
		END_REGION END_THREAD ",\n"
		REGIONS("1") REGION("0", "part", "-1")
		PLAIN("cycles", "300") ",\n"
		PLAIN("real_time_nsec", "100") ",\n"
		PLAIN("PAPI_TOT_INS", "10")
		END_REGION END_THREAD END);
}

static void stopped(void)
{
	float real, proc, ipc;
	long long ins;

	want(PAPI_hl_stop() == PAPI_ENOEVNT);
	want(!PAPI_hl_region_begin("a"));
	fake_work(1);
	want(!PAPI_hl_stop());
	want(PAPI_hl_stop() == PAPI_ENOEVNT);
	fake_work(100);
	/* The rates stop the high level, and the other way round. */
	want(!PAPI_hl_region_begin("b"));
	fake_work(2);
	want(!PAPI_ipc(&real, &proc, &ins, &ipc));
	want(PAPI_hl_stop() == PAPI_ENOEVNT);
	fake_work(100);
	want(!PAPI_hl_region_end("b"));
	want(!PAPI_hl_region_begin("b"));
	want(PAPI_rate_stop() == PAPI_ENOEVNT);
	fake_work(3);
	want(!PAPI_hl_region_end("b"));
	want(!PAPI_hl_region_end("a"));
}

static void counts_go_on_after_a_stop(void **state)
{
	run(stopped, "PAPI_TOT_INS");
	check_output("rank_000007.json",
		HEAD DELTA("PAPI_TOT_INS") THREADS REGIONS("0")
		REGION("0", "a", "-1")
		PLAIN("cycles", "61800") ",\n"
		PLAIN("real_time_nsec", "20600") ",\n"
		PLAIN("PAPI_TOT_INS", "60")
		END_REGION ",\n"
		REGION("1", "b", "0")
		PLAIN("cycles", "30600") ",\n"
		PLAIN("real_time_nsec", "10200") ",\n"
		PLAIN("PAPI_TOT_INS", "20")
		END_REGION ",\n"
		REGION("2", "b", "0")
		PLAIN("cycles", "900") ",\n"
		PLAIN("real_time_nsec", "300") ",\n"
		PLAIN("PAPI_TOT_INS", "30")
		END_REGION END_THREAD END);
}

static void wrong(void)
{
	want(PAPI_hl_region_end("a") == PAPI_EMISC);
	want(PAPI_hl_read("a") == PAPI_EMISC);
	want(PAPI_hl_region_begin(NULL) == PAPI_EINVAL);
	want(!PAPI_hl_region_begin("a"));
	fake_work(1);
	want(!PAPI_hl_region_end("a"));
	want(!PAPI_hl_region_begin("b"));
	want(PAPI_hl_region_end("c") == PAPI_EINVAL);
	want(PAPI_hl_region_end("b") == PAPI_EMISC);
	want(PAPI_hl_read("b") == PAPI_EMISC);
	want(PAPI_hl_region_begin("d") == PAPI_EMISC);
	want(PAPI_hl_stop() == PAPI_ENOEVNT);
	want(!fake_nr_sets());
}

/* The output has the region before the error, and nothing else. */
static void check_region_a(void)
{
	check_output("rank_000007.json",
		HEAD DELTA("PAPI_TOT_INS") THREADS REGIONS("0")
		REGION("0", "a", "-1")
		PLAIN("cycles", "300") ",\n"
		PLAIN("real_time_nsec", "100") ",\n"
		PLAIN("PAPI_TOT_INS", "10")
		END_REGION END_THREAD END);
}

static void after_an_error_it_is_off(void **state)
{
	run(wrong, "PAPI_TOT_INS");
	check_region_a();
}

/* The values of open regions are not known any more. */
static void lost_counter(void)
{
	want(!PAPI_hl_region_begin("a"));
	fake_work(1);
	want(!PAPI_hl_region_end("a"));
	want(!PAPI_hl_region_begin("b"));
	fake.lost = 1;
	want(PAPI_hl_stop() == PAPI_ECLOST);
	want(!fake_nr_sets());
	want(PAPI_hl_stop() == PAPI_ENOEVNT);
	want(PAPI_hl_region_end("b") == PAPI_EMISC);
}

static void after_a_stop_with_an_error_it_is_off(void **state)
{
	run(lost_counter, "PAPI_TOT_INS");
	check_region_a();
}

static void no_library(void)
{
	float real, proc, ipc;
	long long ins;

	fake.fail_library_init = 1;
	want(PAPI_hl_region_begin("a") == PAPI_EMISC);
	want(PAPI_ipc(&real, &proc, &ins, &ipc) == PAPI_EINVAL);
}

static void without_the_library_nothing_is_written(void **state)
{
	run(no_library, NULL);
	assert_int_equal(access(output(""), F_OK), -1);
}

/* Two core types: of an EventSet's values, a tenth is of the second one. */
static const char *type_name(int type)
{
	return type ? "E" : "P";
}

static int read_by_type(int set, long long *values, long long *by_type, long long *cycles)
{
	int i, err = PAPI_read(set, values);

	if (cycles)
		*cycles = PAPI_get_real_cyc();
	for (i = 0; i < fake.sets[set].nr; i++) {
		by_type[2 * i] = values[i] - values[i] / 10;
		by_type[2 * i + 1] = values[i] / 10;
	}
	return err;
}

/* PAPI_DP_OPS is as a quotient here. */
static bool has_parts(int code)
{
	return code != PAPI_DP_OPS;
}

static void by_type(void)
{
	static const struct hl_split split = { 0, 2, type_name, has_parts, read_by_type };

	hl_split = &split;
	want(!PAPI_hl_region_begin("a"));
	fake_work(10);
	fake_sensor = 40;
	want(!PAPI_hl_read("a"));
	fake_work(20);
	fake_sensor = 50;
	want(!PAPI_hl_region_end("a"));
}

/* An event without parts is left out; the others are counted all the same. */
static void values_have_parts_by_core_type(void **state)
{
	run(by_type, "PAPI_TOT_INS,PAPI_DP_OPS,sensor=instant");
	check_output("rank_000007.json",
		HEAD DELTA("PAPI_TOT_INS") ",\n" SENSOR THREADS REGIONS("0")
		REGION("0", "a", "-1")
		"          \"cycles\":{\n"
		"            \"region_value\":\"9000\",\n"
		"            \"read_1\":\"3000\"\n"
		"          },\n"
		"          \"real_time_nsec\":{\n"
		"            \"region_value\":\"3000\",\n"
		"            \"read_1\":\"1000\"\n"
		"          },\n"
		"          \"PAPI_TOT_INS\":{\n"
		"            \"region_value\":\"300\",\n"
		"            \"read_1\":\"100\",\n"
		"            \"P\":\"270\",\n"
		"            \"E\":\"30\"\n"
		"          },\n"
		"          \"sensor\":{\n"
		"            \"region_value\":\"50\",\n"
		"            \"read_1\":\"40\"\n"
		"          }"
		END_REGION END_THREAD END);
}

static void parent_and_child(void)
{
	int status;

	want(!PAPI_hl_region_begin("parent"));
	fake_work(1);
	if (!fork()) {
		want(!PAPI_hl_region_begin("child"));
		fake_work(5);
		want(!PAPI_hl_region_end("child"));
		exit(0);
	}
	want(wait(&status) > 0 && !status);
	want(!PAPI_hl_region_end("parent"));
}

#define OF_PROCESS(name, cycles, nsec, value)						\
	HEAD DELTA("PAPI_TOT_INS") THREADS REGIONS("0") REGION("0", name, "-1")		\
	PLAIN("cycles", cycles) ",\n"							\
	PLAIN("real_time_nsec", nsec) ",\n"						\
	PLAIN("PAPI_TOT_INS", value)							\
	END_REGION END_THREAD END

static void a_child_writes_its_own_file(void **state)
{
	run(parent_and_child, "PAPI_TOT_INS");
	check_output("rank_000007.json", OF_PROCESS("child", "1500", "500", "50"));
	check_output("rank_000008.json", OF_PROCESS("parent", "300", "100", "10"));
}

static void print(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/stdout", folder);
	setenv("PAPI_REPORT", "1", 1);
	setenv("PAPI_MULTIPLEX", "1", 1);
	want(freopen(path, "w", stdout));
	one_region();
	/* One EventSet for the choice of events, and one for the thread */
	want(fake.nr_multiplexed == 2);
}

static void the_output_can_be_printed(void **state)
{
	char path[64], *text, *json;

	run(print, NULL);
	json = strdup(read_file(output("rank_000007.json")));
	snprintf(path, sizeof(path), "%s/stdout", folder);
	text = read_file(path);
	assert_ptr_equal(strstr(text, "\n\nPAPI-HL Output:\n{\n"), text);
	assert_non_null(strstr(text, json));
	free(json);
}

static void older_output_is_kept(void **state)
{
	const struct timespec long_ago[2] = { { 1000, 0 }, { 1000, 0 } };
	char pattern[256];
	glob_t found;

	run(one_region, NULL);
	assert_int_equal(utimensat(AT_FDCWD, output(""), long_ago, 0), 0);
	run(one_region, NULL);
	snprintf(pattern, sizeof(pattern), "%s/papi_hl_output-*-*/rank_000007.json", folder);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 1);
	globfree(&found);
	assert_int_equal(access(output("rank_000007.json"), R_OK), 0);
}

static void rates(void)
{
	float real = 1, proc = 1, rate = 1;
	long long n = 1, ref = 1, core = 1;

	want(PAPI_rate_stop() == PAPI_ENOEVNT);
	want(PAPI_ipc(&real, &proc, &n, NULL) == PAPI_EINVAL);
	want(PAPI_flops_rate(PAPI_TOT_INS, &real, &proc, &n, &rate) == PAPI_ENOEVNT);
	want(PAPI_flips_rate(PAPI_DP_OPS, &real, &proc, &n, &rate) == PAPI_ENOEVNT);
	want(!PAPI_ipc(&real, &proc, &n, &rate));
	want(real == 0 && proc == 0 && n == 0 && rate == 0);
	fake_work(1000000);
	want(!PAPI_ipc(&real, &proc, &n, &rate));
	want(real == 2 && proc == 1 && n == 10000000 && rate == 0.5);
	fake_work(500000);
	want(!PAPI_ipc(&real, &proc, &n, &rate));
	want(real == 1 && proc == 0.5 && n == 5000000 && rate == 0.5);

	/* Another kind of rate starts anew. */
	want(!PAPI_epc(0, &real, &proc, &ref, &core, &n, &rate));
	want(real == 0 && n == 0 && ref == 0 && core == 0 && fake_nr_sets() == 1);
	fake_work(1000000);
	want(!PAPI_epc(0, &real, &proc, &ref, &core, &n, &rate));
	want(n == 10000000 && core == 20000000 && ref == 0 && rate == 0.5);
	fake.has_ref = 1;
	want(!PAPI_epc(PAPI_DP_OPS, &real, &proc, &ref, &core, &n, &rate));
	fake_work(1000000);
	want(!PAPI_epc(PAPI_DP_OPS, &real, &proc, &ref, &core, &n, &rate));
	want(n == 8000000 && core == 20000000 && ref == 5000000 && rate > 0.399 && rate < 0.401);

	want(!PAPI_flops_rate(PAPI_DP_OPS, &real, &proc, &n, &rate));
	fake_work(1000000);
	want(!PAPI_flops_rate(PAPI_DP_OPS, &real, &proc, &n, &rate));
	want(n == 8000000 && rate == 8);
	want(!PAPI_rate_stop());
	want(PAPI_rate_stop() == PAPI_ENOEVNT);
	want(!fake_nr_sets());
}

static void *thread_of_rates(void *unused)
{
	float real, proc, ipc;
	long long ins;

	want(!PAPI_ipc(&real, &proc, &ins, &ipc));
	want(fake_nr_sets() == 1);
	return NULL;
}

static void thread_without_a_stop(void)
{
	pthread_t id;

	want(!pthread_create(&id, NULL, thread_of_rates, NULL));
	want(!pthread_join(id, NULL));
	want(!fake_nr_sets());
}

static void a_threads_end_ends_its_rates(void **state)
{
	run(thread_without_a_stop, NULL);
}

/* An error ends the rates: the next call is the first one again. */
static void rates_with_errors(void)
{
	float real, proc, rate;
	long long n, ref, core;
	int i;

	want(!PAPI_ipc(&real, &proc, &n, &rate));
	fake.lost = 1;
	want(PAPI_rate_stop() == PAPI_ECLOST);
	want(!fake_nr_sets());
	want(PAPI_rate_stop() == PAPI_ENOEVNT);

	want(!PAPI_ipc(&real, &proc, &n, &rate));
	want(PAPI_ipc(&real, &proc, &n, &rate) == PAPI_ECLOST);
	want(!fake_nr_sets());
	want(!PAPI_ipc(&real, &proc, &n, &rate));
	/* What another kind of rate has lost does not matter any more. */
	want(!PAPI_epc(0, &real, &proc, &ref, &core, &n, &rate));
	want(n == 0 && fake_nr_sets() == 1);
	fake.lost = 0;

	/* As PAPI_shutdown() and PAPI_library_init() leave it: there are no EventSets. */
	memset(fake.sets, 0, sizeof(fake.sets));
	fake_work(1);
	want(!PAPI_epc(0, &real, &proc, &ref, &core, &n, &rate));
	want(n == 0 && fake_nr_sets() == 1);
	fake_work(1);
	want(!PAPI_epc(0, &real, &proc, &ref, &core, &n, &rate));
	want(n == 10 && core == 20);
	/* As a child of fork() finds it: the EventSet is stopped. */
	for (i = 0; i < FAKE_SETS; i++)
		fake.sets[i].running = 0;
	fake_work(1);
	want(!PAPI_epc(0, &real, &proc, &ref, &core, &n, &rate));
	want(n == 0 && fake_nr_sets() == 1);
	fake_work(1);
	want(!PAPI_epc(0, &real, &proc, &ref, &core, &n, &rate));
	want(n == 10 && core == 20);
	memset(fake.sets, 0, sizeof(fake.sets));
	want(!PAPI_hl_region_begin("a"));
	want(!PAPI_hl_region_end("a"));
	want(PAPI_rate_stop() == PAPI_ENOEVNT);
}

static void an_error_ends_the_rates(void **state)
{
	run(rates_with_errors, "PAPI_TOT_INS");
}

/* EventSets count for the rates or for the high level, but not for both. */
static void one_after_the_other(void)
{
	float real, proc, ipc;
	long long ins;

	want(!PAPI_hl_region_begin("before"));
	want(!PAPI_hl_region_end("before"));
	want(!PAPI_ipc(&real, &proc, &ins, &ipc));
	want(PAPI_hl_stop() == PAPI_ENOEVNT);
	want(!PAPI_hl_region_begin("after"));
	want(PAPI_rate_stop() == PAPI_ENOEVNT);
	want(!PAPI_hl_region_end("after"));
	want(!PAPI_hl_stop());
}

static void rates_and_the_high_level_stop_each_other(void **state)
{
	run(one_after_the_other, "PAPI_TOT_INS");
}

static void rates_since_the_last_call(void **state)
{
	run(rates, NULL);
}

int main(void)
{
#define test(name)	cmocka_unit_test_setup(name, remove_output)
	const struct CMUnitTest tests[] = {
		test(nested_regions_reads_and_instant_values),
		test(without_a_list_cycles_are_counted),
		test(names_are_utf_8),
		test(threads_are_apart),
		test(counts_go_on_after_a_stop),
		test(after_an_error_it_is_off),
		test(after_a_stop_with_an_error_it_is_off),
		test(without_the_library_nothing_is_written),
		test(values_have_parts_by_core_type),
		test(a_child_writes_its_own_file),
		test(the_output_can_be_printed),
		test(older_output_is_kept),
		test(rates_since_the_last_call),
		test(a_threads_end_ends_its_rates),
		test(an_error_ends_the_rates),
		test(rates_and_the_high_level_stop_each_other),
	};
	int failed;

	if (!mkdtemp(folder))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_output(NULL);
	rmdir(folder);
	return failed;
}
