// SPDX-License-Identifier: GPL-2.0
/* The OpenMetrics text of invented counts of a hybrid machine and its threads, and names that have to be escaped. */
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "lib.h"
#include "openmetrics/openmetrics.h"
#include "session.h"
#include "verb.h"

#define MS 1000000ULL

static struct machine_counts c;
static struct thread_list list;
static struct machine_set sets[2];
static char *text;
static size_t size;

static int fits(void *arg, int core_type, const char *events)
{
	return 1;
}

static void begin(const char *metrics, const char *virtuals)
{
	memset(&c, 0, sizeof(c));
	memset(sets, 0, sizeof(sets));
	be_machine("hybrid");
	c.machine = open_machine("hybrid");
	be_machine("hybrid");
	c.plan = pmc_plan_new(c.machine);
	c.config = pmc_config_new(c.machine);
	assert_int_equal(pmc_plan_add_metrics(c.plan, metrics, PMC_EVERY_CORE_TYPE), 0);
	assert_int_equal(pmc_plan_make(c.plan, c.config, fits, NULL), 0);
	if (virtuals)
		assert_int_equal(pmc_config_add_virtual(c.config, virtuals), 0);
	unsetenv("PMCTRACK_PROC");
	c.sets = sets;
	c.nr_sets = 2;
	c.interval_ns = 10000000000;
}

static void count(int id, uint64_t instr, uint64_t cycles, uint64_t ns)
{
	sets[id].total = (struct pmc_set_counts){
		.core_type = id, .running = 2 * ns, .nr_counts = 2, .counts = { 3 * instr, 3 * cycles },
	};
	sets[id].interval = (struct pmc_set_counts){
		.core_type = id, .running = ns, .nr_counts = 2, .counts = { instr, cycles },
	};
}

static void write_text(void)
{
	FILE *f = open_memstream(&text, &size);

	openmetrics_write(&c, NULL, f);
	fclose(f);
}

static void end(void)
{
	free(text);
	pmc_plan_free(c.plan);
	pmc_config_free(c.config);
	pmc_machine_close((pmc_machine_t *)c.machine);
}

static void test_text(void **state)
{
	begin("ipc", NULL);
	count(0, 1000, 500, 4000000000);
	count(1, 18446744073709551ULL, 36893488147419102ULL, 1000000001);
	write_text();
	assert_string_equal(text,
		"# TYPE pmctrack_events counter\n"
		"# HELP pmctrack_events Events on the CPUs of a core type while the event set was counted.\n"
		"pmctrack_events_total{core_type=\"P\",set=\"0\",event=\"instr\"} 3000\n"
		"pmctrack_events_total{core_type=\"P\",set=\"0\",event=\"cycles\"} 1500\n"
		"pmctrack_events_total{core_type=\"E\",set=\"0\",event=\"instr\"} 55340232221128653\n"
		"pmctrack_events_total{core_type=\"E\",set=\"0\",event=\"cycles\"} 110680464442257306\n"
		"# TYPE pmctrack_counted_seconds counter\n"
		"# UNIT pmctrack_counted_seconds seconds\n"
		"# HELP pmctrack_counted_seconds Time for which an event set was counted, of all CPUs of a core type together.\n"
		"pmctrack_counted_seconds_total{core_type=\"P\",set=\"0\"} 8.000000000\n"
		"pmctrack_counted_seconds_total{core_type=\"E\",set=\"0\"} 2.000000002\n"
		"# TYPE pmctrack_metric gauge\n"
		"# HELP pmctrack_metric A metric of the last interval, on the CPUs of a core type.\n"
		"pmctrack_metric{core_type=\"P\",metric=\"ipc\",metric_unit=\"\"} 2\n"
		"pmctrack_metric{core_type=\"E\",metric=\"ipc\",metric_unit=\"\"} 0.5\n"
		"# TYPE pmctrack_interval_seconds gauge\n"
		"# UNIT pmctrack_interval_seconds seconds\n"
		"# HELP pmctrack_interval_seconds Length of the last interval.\n"
		"pmctrack_interval_seconds 10.000000000\n"
		"# TYPE pmctrack_lost_samples counter\n"
		"# HELP pmctrack_lost_samples Samples that were lost. Counts are complete nevertheless.\n"
		"pmctrack_lost_samples_total 0\n"
		"# EOF\n");
	end();
}

/* A metric that is not defined has no sample; metrics of the real time; labels of any text */
static void test_metrics(void **state)
{
	begin("rate[%.0f \"a\\b\"]=instr/duration_time,ipc", NULL);
	count(0, 1000, 500, 4000000000);
	count(1, 0, 0, 0);
	write_text();
	assert_non_null(strstr(text, "{core_type=\"P\",metric=\"rate\",metric_unit=\"\\\"a\\\\b\\\"\"} 100\n"));
	assert_non_null(strstr(text, "{core_type=\"P\",metric=\"ipc\",metric_unit=\"\"} 2\n"));
	assert_null(strstr(text, "{core_type=\"E\",metric=\"ipc\""));
	end();
}

static void test_virtuals(void **state)
{
	uint64_t levels[2][PMC_MAX_VIRTUALS];
	const struct pmc_virtual_info *v;
	int i, counts = 0, others = 0;
	char wanted[200];

	begin("ipc", "virt0,virt1,virt2");
	count(0, 1, 1, 1);
	count(1, 1, 1, 1);
	c.nr_cpus = 2;
	c.levels = levels;
	for (i = 0; i < PMC_MAX_VIRTUALS; i++) {
		c.sums[i] = 123456789012345;
		levels[0][i] = PMC_NO_VALUE;
		levels[1][i] = 7000;
	}
	write_text();
	for (i = 0; (v = pmc_config_virtual(c.config, i)); i++) {
		if (v->kind == PMC_VIRTUAL_COUNT)
			snprintf(wanted, sizeof(wanted), "\npmctrack_virtual_total{name=\"%s\",value_unit=\"%s\"", v->name,
				 v->unit);
		else
			snprintf(wanted, sizeof(wanted), "\npmctrack_virtual_level{name=\"%s\",value_unit=\"%s\"", v->name,
				 v->unit);
		assert_non_null(strstr(text, wanted));
		if (v->kind == PMC_VIRTUAL_COUNT)
			assert_true(strtod(strchr(strstr(text, wanted), '}') + 1, NULL) == pmc_virtual_value(v, c.sums[i]));
		counts += v->kind == PMC_VIRTUAL_COUNT;
		others += v->kind != PMC_VIRTUAL_COUNT;
	}
	assert_true(counts && others);
	assert_null(strstr(text, "cpu=\"0\""));
	assert_non_null(strstr(text, "cpu=\"1\""));
	end();
}

static void begin_threads(const char *metrics, int most)
{
	begin(metrics, NULL);
	memset(&list, 0, sizeof(list));
	list.most = most;
	list.counting.plan = c.plan;
	list.counting.config = c.config;
	counted_threads_init(&list.counting.threads, c.machine, c.plan, c.config);
}

/* A sample of a thread that ran for @running ms of 1 s */
static void run(const char *name, pid_t tid, int core_type, unsigned int running, uint64_t instr, uint64_t cycles)
{
	struct pmc_reading r = {
		.pid = 7, .tid = tid, .core_type = core_type, .running = running * MS, .elapsed = 1000 * MS,
		.nr_counts = 2, .counts = { instr, cycles },
	};

	snprintf(r.name, sizeof(r.name), "%s", name);
	counted_threads_add(&list.counting.threads, &r);
}

static void end_interval(void)
{
	FILE *f = open_memstream(&text, &size);

	counted_threads_end_interval(&list.counting.threads, 1000 * MS);
	thread_list_choose(&list);
	openmetrics_write(NULL, &list, f);
	fclose(f);
}

/* The plan and the configuration are those of c. */
static void end_threads(void)
{
	list.counting.plan = NULL;
	list.counting.config = NULL;
	thread_list_stop(&list);
	end();
}

static void test_threads(void **state)
{
	begin_threads("ipc", 2);
	run("one", 10, 0, 100, 400, 100);
	run("short", 11, 0, 50, 1, 1);
	run("two", 12, 0, 60, 300, 100);
	run("two", 12, 1, 60, 18446744073709551000ULL, 200);
	end_interval();
	free(text);
	/* The first one sleeps; the others' counters go on. */
	run("short", 11, 0, 50, 5, 5);
	run("two", 12, 1, 70, 300, 600);
	end_interval();
	assert_string_equal(text,
		"# TYPE pmctrack_thread_cpu_seconds counter\n"
		"# UNIT pmctrack_thread_cpu_seconds seconds\n"
		"# HELP pmctrack_thread_cpu_seconds Time for which the thread ran, since it has been counted.\n"
		"pmctrack_thread_cpu_seconds_total{pid=\"7\",tid=\"12\",name=\"two\"} 0.190000000\n"
		"pmctrack_thread_cpu_seconds_total{pid=\"7\",tid=\"11\",name=\"short\"} 0.100000000\n"
		"# TYPE pmctrack_thread_counted_seconds counter\n"
		"# UNIT pmctrack_thread_counted_seconds seconds\n"
		"# HELP pmctrack_thread_counted_seconds Time for which the thread ran on a core type while the event set was counted.\n"
		"pmctrack_thread_counted_seconds_total{pid=\"7\",tid=\"12\",name=\"two\",core_type=\"P\",set=\"0\"} 0.060000000\n"
		"pmctrack_thread_counted_seconds_total{pid=\"7\",tid=\"12\",name=\"two\",core_type=\"E\",set=\"0\"} 0.130000000\n"
		"pmctrack_thread_counted_seconds_total{pid=\"7\",tid=\"11\",name=\"short\",core_type=\"P\",set=\"0\"} 0.100000000\n"
		"# TYPE pmctrack_thread_events counter\n"
		"# HELP pmctrack_thread_events Events of the thread on a core type while the event set was counted.\n"
		"pmctrack_thread_events_total{pid=\"7\",tid=\"12\",name=\"two\",core_type=\"P\",set=\"0\",event=\"instr\"} 300\n"
		"pmctrack_thread_events_total{pid=\"7\",tid=\"12\",name=\"two\",core_type=\"P\",set=\"0\",event=\"cycles\"} 100\n"
		"pmctrack_thread_events_total{pid=\"7\",tid=\"12\",name=\"two\",core_type=\"E\",set=\"0\",event=\"instr\"} 18446744073709551300\n"
		"pmctrack_thread_events_total{pid=\"7\",tid=\"12\",name=\"two\",core_type=\"E\",set=\"0\",event=\"cycles\"} 800\n"
		"pmctrack_thread_events_total{pid=\"7\",tid=\"11\",name=\"short\",core_type=\"P\",set=\"0\",event=\"instr\"} 6\n"
		"pmctrack_thread_events_total{pid=\"7\",tid=\"11\",name=\"short\",core_type=\"P\",set=\"0\",event=\"cycles\"} 6\n"
		"# TYPE pmctrack_thread_metric gauge\n"
		"# HELP pmctrack_thread_metric A metric of the thread on a core type, of the last interval.\n"
		"pmctrack_thread_metric{pid=\"7\",tid=\"12\",name=\"two\",core_type=\"E\",metric=\"ipc\",metric_unit=\"\"} 0.5\n"
		"pmctrack_thread_metric{pid=\"7\",tid=\"11\",name=\"short\",core_type=\"P\",metric=\"ipc\",metric_unit=\"\"} 1\n"
		"# TYPE pmctrack_threads gauge\n"
		"# HELP pmctrack_threads Threads that ran and are written, that ran and are not, and that may not be counted.\n"
		"pmctrack_threads{state=\"written\"} 2\n"
		"pmctrack_threads{state=\"further\"} 0\n"
		"pmctrack_threads{state=\"refused\"} 0\n"
		"# TYPE pmctrack_thread_lost_samples counter\n"
		"# HELP pmctrack_thread_lost_samples Samples of threads that were lost. Counts of some threads are too low by them.\n"
		"pmctrack_thread_lost_samples_total 0\n"
		"# TYPE pmctrack_interval_seconds gauge\n"
		"# UNIT pmctrack_interval_seconds seconds\n"
		"# HELP pmctrack_interval_seconds Length of the last interval.\n"
		"pmctrack_interval_seconds 1.000000000\n"
		"# EOF\n");
	end_threads();
}

/* At most N threads: those that ran longest, among equals those with the least number */
static void test_most(void **state)
{
	begin_threads("ipc", 3);
	run("d", 14, 0, 10, 1, 1);
	run("c", 13, 0, 10, 1, 1);
	run("a", 11, 0, 9, 1000, 1);
	run("b", 12, 0, 20, 1, 1);
	run("e", 15, 0, 10, 1, 1);
	end_interval();
	assert_int_equal(list.nr, 3);
	assert_int_equal(list.all[0]->tid, 12);
	assert_int_equal(list.all[1]->tid, 13);
	assert_int_equal(list.all[2]->tid, 14);
	assert_null(strstr(text, "name=\"a\""));
	assert_null(strstr(text, "name=\"e\""));
	assert_non_null(strstr(text, "{state=\"written\"} 3\n"));
	assert_non_null(strstr(text, "{state=\"further\"} 2\n"));
	end_threads();
}

/* Names with signs of the format, with those of a terminal, with half a character, and an empty one */
static void test_names(void **state)
{
	begin_threads("ipc", 5);
	run("a\"b\\c\nd}", 1, 0, 5, 1, 1);
	run("\x1b[31m\xff\x7f", 2, 0, 4, 1, 1);
	run("\xc3\xa9\xe2\x82", 3, 0, 3, 1, 1);
	run("\xc2\x9b" "1m", 4, 0, 2, 1, 1);
	run("", 5, 0, 1, 1, 1);
	end_interval();
	assert_non_null(strstr(text, "tid=\"1\",name=\"a\\\"b\\\\c\\nd}\"} 0.005"));
	assert_non_null(strstr(text, "tid=\"2\",name=\"\xef\xbf\xbd[31m\xef\xbf\xbd\xef\xbf\xbd\"} 0.004"));
	assert_non_null(strstr(text, "tid=\"3\",name=\"\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\"} 0.003"));
	assert_non_null(strstr(text, "tid=\"4\",name=\"\xef\xbf\xbd" "1m\"} 0.002"));
	assert_non_null(strstr(text, "tid=\"5\",name=\"\"} 0.001"));
	end_threads();
}

static void *sleep_here(void *lock)
{
	pthread_mutex_lock(lock);
	pthread_mutex_unlock(lock);
	return NULL;
}

/* Processes that may not be counted are in the text with the number of their threads. */
static void test_refused(void **state)
{
	struct counted_process processes[] = { { .pid = getpid(), .refused = 1 }, { .pid = 1 }, { .pid = -1, .refused = 1 } };
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct thread_counting *counting = &list.counting;
	pthread_t threads[3];
	int i, before;

	begin_threads("ipc", 1);
	counting->processes = processes;
	counting->nr_processes = 3;
	before = counting_refused_threads(counting);
	pthread_mutex_lock(&lock);
	for (i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, sleep_here, &lock);
	end_interval();
	assert_in_range(before, 1, 2);
	assert_int_equal(list.nr_refused, before + 3);
	pthread_mutex_unlock(&lock);
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	counting->processes = NULL;
	end_threads();
}

/* There is no module in a folder without its files. */
static void test_without_module(void **state)
{
	char *argv[] = { "openmetrics", "-n", "1", "-d", "0.1", "-c", "task_clock", "-m", "x=task_clock/duration_time", NULL };
	char line[200] = "";
	FILE *errors = tmpfile();
	int status;

	if (!fork()) {
		setenv("PMCTRACK_PROC", "/nonexistent", 1);
		dup2(fileno(errors), STDERR_FILENO);
		_exit(openmetrics_main(9, argv));
	}
	wait(&status);
	assert_int_equal(WEXITSTATUS(status), 2);
	rewind(errors);
	assert_non_null(fgets(line, sizeof(line), errors));
	assert_non_null(strstr(line, "openmetrics: the kernel module is not loaded: modprobe pmctrack\n"));
	fclose(errors);
}

/*
 * Of openmetrics_main() with threads: a privileged session takes the counters of the second session, and
 * has them when the third is opened, and when processes are first attached to the fifth.
 */
static int nr_opened;
static int nr_readings;
static int sampled_fifth;

static int fake_command(pmc_session_t *session, char *command)
{
	sampled_fifth |= nr_opened == 5 && !strcmp(command, "sample");
	return nr_opened == 5 && !sampled_fifth && !strncmp(command, "attach", 6) ?
		pmc_fail(EBUSY, "the counters are taken") : 0;
}

static void fake_end(pmc_session_t *session)
{
}

/* A count of each event for each millisecond */
static int fake_totals(pmc_session_t *session, struct pmc_totals *totals)
{
	totals->running = 10 * MS;
	totals->nr_counts = 2;
	totals->counts[0] = totals->counts[1] = 10;
	return 0;
}

static const struct session_ops fake_ops = {
	.command = fake_command, .end = fake_end, .totals = fake_totals,
};

pmc_session_t *__wrap_pmc_session_open(void);
int __wrap_pmc_session_next_sized(pmc_session_t *session, struct pmc_reading *r, size_t size);

pmc_session_t *__wrap_pmc_session_open(void)
{
	if (++nr_opened == 3) {
		pmc_fail(EBUSY, "the counters are taken");
		return NULL;
	}
	return session_new(&fake_ops, eventfd(0, EFD_CLOEXEC));
}

/* Two samples: in the first interval, and in the first one after the fifth session has begun to count */
int __wrap_pmc_session_next_sized(pmc_session_t *session, struct pmc_reading *r, size_t size)
{
	*r = (struct pmc_reading){
		.pid = 7, .tid = 7, .running = 5 * MS, .elapsed = 100 * MS, .nr_counts = 2, .counts = { 2, 1 },
		.name = "thread", .flags = nr_readings ? 0 : PMC_READING_EVICTED,
	};
	if (nr_readings == 2 || (nr_readings && !sampled_fifth))
		return 0;
	nr_readings++;
	return 1;
}

static int nr_of(const char *part)
{
	const char *p = text;
	int nr;

	for (nr = 0; (p = strstr(p, part)); nr++)
		p++;
	return nr;
}

/* Read four texts, and an error about @what. */
static void read_texts(char **argv, const char *what)
{
	FILE *out = tmpfile(), *err = tmpfile();
	char errors[1000], expected[200];
	int status, argc;

	for (argc = 0; argv[argc]; argc++)
		;
	if (!fork()) {
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(err), STDERR_FILENO);
		be_machine("hybrid");
		_exit(openmetrics_main(argc, argv));
	}
	wait(&status);
	rewind(err);
	errors[fread(errors, 1, sizeof(errors) - 1, err)] = '\0';
	snprintf(expected, sizeof(expected), "pmctrack openmetrics: %s for now: the counters are taken\n", what);
	assert_string_equal(errors, expected);
	assert_int_equal(WEXITSTATUS(status), 0);
	rewind(out);
	text = NULL;
	size = 0;
	assert_true(getdelim(&text, &size, '\0', out) > 0);
	assert_int_equal(nr_of("# EOF\n"), 4);
	fclose(out);
	fclose(err);
}

/* Until counters that were taken are free again, texts have no threads, and all are refused. */
static void test_evicted(void **state)
{
	char *argv[] = { "openmetrics", "--no-cpus", "--threads=5", "--filter=user", "-d0.1", "-n4", NULL };

	read_texts(argv, "--threads: no thread is counted");
	assert_int_equal(nr_of("{state=\"written\"} 1\n"), 2);
	assert_int_equal(nr_of("{state=\"written\"} 0\n"), 2);
	assert_int_equal(nr_of("{state=\"refused\"} 0\n"), 2);
	free(text);
}

/* Until then texts have no counts of CPUs, which begin at 0 again. */
static void test_cpus_evicted(void **state)
{
	char *argv[] = { "openmetrics", "--filter=user", "-d0.1", "-n4", NULL };

	read_texts(argv, "CPUs are not counted");
	assert_int_equal(nr_of("# TYPE pmctrack_events counter\n"), 3);
	assert_int_equal(nr_of("# TYPE pmctrack_lost_samples counter\n"), 4);
	free(text);
}

static mode_t written_with(mode_t mask, const char *name)
{
	mode_t before = umask(mask);
	struct stat st;

	openmetrics_file_replace(&c, NULL, name);
	umask(before);
	assert_int_equal(stat(name, &st), 0);
	assert_int_equal(st.st_size, size);
	return st.st_mode & 07777;
}

/* The file is as private as the user's others, and nothing else is replaced. */
static void test_file(void **state)
{
	static const char *const others[] = { "folder", "link", "/dev/null", "/dev/stdout" };
	char folder[] = "/tmp/test-openmetrics-XXXXXX";
	int status;
	size_t i;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	begin("ipc", NULL);
	count(0, 1000, 500, 4000000000);
	write_text();
	openmetrics_file_check("file");
	assert_int_equal(written_with(022, "file"), 0644);
	openmetrics_file_check("file");
	assert_int_equal(written_with(077, "file"), 0600);
	assert_int_equal(written_with(0, "file"), 0644);
	assert_int_equal(mkdir("folder", 0700), 0);
	assert_int_equal(symlink("file", "link"), 0);
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (!fork()) {
			freopen("err", "w", stderr);
			openmetrics_file_check(others[i]);
			_exit(0);
		}
		wait(&status);
		assert_int_equal(WEXITSTATUS(status), 2);
	}
	end();
	/* Nothing else is left. */
	assert_int_equal(unlink("file") | unlink("link") | unlink("err") | rmdir("folder"), 0);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text), cmocka_unit_test(test_metrics), cmocka_unit_test(test_virtuals),
		cmocka_unit_test(test_threads), cmocka_unit_test(test_most), cmocka_unit_test(test_names),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_without_module), cmocka_unit_test(test_evicted),
		cmocka_unit_test(test_cpus_evicted),
		cmocka_unit_test(test_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
