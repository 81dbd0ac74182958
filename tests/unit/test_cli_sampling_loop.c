// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack's main loop, with real programs and a simulated session: samples that come as
 * fast as they are read, and calls that fail.
 */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "error.h"
#include "lib.h"
#include "sampling_loop.h"
#include "syswide_samples.h"

/* A test that takes longer than this would never end. */
#define TOO_LATE_S 10

int __wrap_pmc_session_command(pmc_session_t *session, const char *fmt, ...);
int __wrap_pmc_session_next_sized(pmc_session_t *session, struct pmc_reading *r, size_t size);
int __wrap_pmc_session_fd(const pmc_session_t *session);
uint64_t __wrap_pmc_session_lost(const pmc_session_t *session);
unsigned int __wrap_pmc_session_missed_threads(const pmc_session_t *session);
uint64_t __wrap_pmc_session_throttled(const pmc_session_t *session);
int __wrap_pmc_session_totals(pmc_session_t *session, int core_type, int set,
			      uint64_t *counts, uint64_t *running, uint64_t *nr_threads);
int __wrap_kill(pid_t pid, int signal);
int __real_kill(pid_t pid, int signal);
int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout);
int __real_poll(struct pollfd *fds, nfds_t nr, int timeout);

/* State of the simulated session, and the calls it received */
static struct {
	int fd;
	time_t begin;
	pid_t child;
	char said[64];		/* "stop " and "kill ", in order */
	int stopped;
	int left;		/* samples left to read after the stop */
	long nr;		/* samples delivered */
	long max;		/* samples to deliver, 0: no limit */
	long interrupt_at;	/* SIGINT is sent with this sample */
	int late;
	int fail_next, fail_stop, fail_totals, fail_poll;
	int cannot_be_killed;
	int interrupted;	/* pmctrack gets SIGHUP as it sends SIGTERM; the program ignores both */
	int killed;		/* the program got SIGKILL */
	int forbidden;		/* from this signal to the program on: 1: the first, 2: the second */
	int loaded_sets;	/* sets that had a turn */
	unsigned int flags;	/* of each sample */
} fake;

static time_t seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

int __wrap_pmc_session_command(pmc_session_t *session, const char *fmt, ...)
{
	char line[128];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	if (strstr(line, "attach "))
		fake.child = atoi(strstr(line, "attach ") + 7);
	if (strcmp(line, "stop"))
		return 0;
	strcat(fake.said, "stop ");
	if (fake.fail_stop)
		return pmc_fail(EIO, "the kernel module refuses");
	fake.stopped = 1;
	return 0;
}

int __wrap_pmc_session_next_sized(pmc_session_t *session, struct pmc_reading *r, size_t size)
{
	if (fake.fail_next)
		return pmc_fail(EIO, "cannot read samples: it is broken");
	if (seconds() - fake.begin > TOO_LATE_S)
		fake.late = 1;
	if (fake.late || (fake.stopped && fake.left-- <= 0) || (fake.max && fake.nr == fake.max))
		return 0;
	memset(r, 0, size);
	r->nr_counts = 2;
	r->type = PMC_EBS_SAMPLE;
	r->flags = fake.flags;
	/* Four periods are missing before the second sample. */
	r->counts[0] = fake.nr == 1 ? 5300 : 1000;
	r->lost = fake.nr == 1 ? 2 : 0;
	if (++fake.nr == fake.interrupt_at)
		raise(SIGINT);
	return 1;
}

int __wrap_pmc_session_fd(const pmc_session_t *session)
{
	return fake.fd;
}

uint64_t __wrap_pmc_session_lost(const pmc_session_t *session)
{
	return 100;
}

unsigned int __wrap_pmc_session_missed_threads(const pmc_session_t *session)
{
	return 0;
}

uint64_t __wrap_pmc_session_throttled(const pmc_session_t *session)
{
	return 0;
}

int __wrap_pmc_session_totals(pmc_session_t *session, int core_type, int set,
			      uint64_t *counts, uint64_t *running, uint64_t *nr_threads)
{
	if (fake.fail_totals)
		return pmc_fail(EIO, "the kernel module does not say");
	counts[0] = 0;
	counts[1] = 0;
	*running = set < fake.loaded_sets ? 1000 : 0;
	*nr_threads = 1;
	return 2;
}

int __wrap_kill(pid_t pid, int signal)
{
	if (pid == fake.child)
		strcat(fake.said, "kill ");
	if (pid == fake.child && fake.forbidden && !--fake.forbidden) {
		fake.forbidden = 1;
		errno = EPERM;
		return -1;
	}
	if (pid == fake.child && fake.cannot_be_killed)
		return 0;
	if (pid == fake.child && fake.interrupted && signal != SIGKILL)
		return signal == SIGTERM ? raise(SIGHUP) : 0;
	fake.killed |= pid == fake.child && signal == SIGKILL;
	return __real_kill(pid, signal);
}

int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	if (!fake.fail_poll)
		return __real_poll(fds, nr, timeout);
	errno = ENOMEM;
	return -1;
}

static char *sleeps[] = { "sleep", "30", NULL };
static char *ends[] = { "true", NULL };
static char *dies[] = { "sh", "-c", "kill -KILL $$", NULL };
static const struct report_ops *form = &report_json;
static const char *second_set;
static struct options o;
static char text[1 << 16];	/* the report's beginning */
static char errors[1024];	/* stderr */
static int came;		/* the signal that the report names */

static void setup(char **command)
{
	memset(&fake, 0, sizeof(fake));
	memset(&o, 0, sizeof(o));
	fake.begin = seconds();
	fake.fd = eventfd(1, EFD_CLOEXEC);
	o.command = command;
	o.syswide = !command;
	o.format = &report_json;
}

/* The program ignores SIGTERM from its first moment on: this process does, until run_stays(). */
static void setup_stays(void)
{
	setup(sleeps);
	signal(SIGTERM, SIG_IGN);
	o.limit_us = 100000;
}

static int nr_open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int nr = 0;

	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr;
}

static void read_all(FILE *f, char *buf, size_t size)
{
	rewind(f);
	buf[fread(buf, 1, size - 1, f)] = '\0';
}

/* Run monitor() with options @o and a report to @f; its exit status. Then end the program. */
static int run_to(FILE *f)
{
	pmc_machine_t *machine = open_machine("skylake");
	pmc_config_t *config = pmc_config_new(machine);
	struct layout layout;
	struct report report = { .ops = form, .o = &o, .layout = &layout, .f = f };
	FILE *err = tmpfile();
	int saved = dup(2), status, nr_open;

	assert_int_equal(pmc_config_add(config, "instr:ebs=1000,cycles", -1, 0), 0);
	if (second_set)
		assert_int_equal(pmc_config_add(config, second_set, -1, 0), 0);
	assert_int_equal(layout_init(&layout, machine, config, NULL), 0);
	dup2(fileno(err), 2);
	nr_open = nr_open_files();
	status = monitor(&o, NULL, &report, 1, 1);
	dup2(saved, 2);
	assert_int_equal(nr_open_files(), nr_open);
	close(saved);
	read_all(err, errors, sizeof(errors));
	fclose(err);
	came = report.signal;
	if (report.failed)
		assert_int_not_equal(*errors, '\0');
	if (fake.child > 0 && !waitpid(fake.child, NULL, WNOHANG)) {
		__real_kill(fake.child, SIGKILL);
		waitpid(fake.child, NULL, 0);
	}
	close(fake.fd);
	layout_free(&layout);
	pmc_config_free(config);
	pmc_machine_close(machine);
	assert_false(fake.late);
	return status;
}

static int run(void)
{
	FILE *f = tmpfile();
	int status = run_to(f);

	read_all(f, text, sizeof(text));
	fclose(f);
	return status;
}

static int run_stays(void)
{
	int status = run();

	signal(SIGTERM, SIG_DFL);
	return status;
}

/* The program runs on: pmctrack's last line says so. */
static void check_announced(const char *lines_before)
{
	char expected[1024];

	snprintf(expected, sizeof(expected),
		 "%spmctrack: process %d keeps running and is not counted any more\n", lines_before,
		 fake.child);
	assert_string_equal(errors, expected);
}

static void fails_with(const char *line)
{
	assert_int_equal(run(), 2);
	if (o.command == sleeps)
		check_announced(line);
	else
		assert_string_equal(errors, line);
	assert_true(seconds() - fake.begin < TOO_LATE_S);
	/* pmctrack did not end the program: neither a signal nor a limit asked for it. */
	assert_null(strstr(fake.said, "kill"));
}

/* The end of the program is noticed even if there is always one more sample. */
static void test_flood(void **state)
{
	setup(sleeps);
	o.limit_us = 50000;
	assert_int_equal(run(), 0);
	assert_string_equal(fake.said, "stop kill ");

	setup(ends);
	assert_int_equal(run(), 0);
	assert_int_equal(came, 0);

	setup(NULL);
	fake.interrupt_at = 100;
	assert_int_equal(run(), 0);
	assert_int_equal(came, SIGINT);
	assert_in_range(fake.nr, 100, 100 + 2 * 1024);
}

/* All samples that are left when counting has stopped are read. */
static void test_rest(void **state)
{
	setup(NULL);
	o.ring = 4;
	fake.interrupt_at = 4;
	fake.left = 10;
	assert_int_equal(run(), 0);
	/* The signal was handled after the first four samples, and four more were read. */
	assert_int_equal(fake.nr, 18);
	assert_non_null(strstr(text, "\"nsample\": 18,"));
	assert_non_null(strstr(text, "\"lost\": 100,"));
}

static int limited;

static void end_of_limited(struct report *report, const struct summary *summary)
{
	limited = summary->limited;
	report_json.end(report, summary);
}

/* With -n and -K the program is ended after counting has stopped. */
static void test_enough(void **state)
{
	struct report_ops watched = report_json;

	watched.end = end_of_limited;
	form = &watched;
	setup(ends);
	o.max_samples = 1000000;
	assert_int_equal(run(), 0);
	assert_false(limited);
	setup(sleeps);
	o.max_samples = 3;
	assert_int_equal(run(), 0);
	form = &report_json;
	assert_true(limited);
	assert_string_equal(fake.said, "stop kill ");
	assert_non_null(strstr(text, "\"nsample\": 3,"));
	assert_null(strstr(text, "\"nsample\": 4,"));
	/* Only samples lost before the third one are reported. */
	assert_non_null(strstr(text, "\"threads\": 1, \"lost\": 2,"));

	setup(sleeps);
	o.max_ebs_samples = 1;
	assert_int_equal(run(), 0);
	assert_string_equal(fake.said, "stop kill ");
	assert_non_null(strstr(text, "\"threads\": 1, \"lost\": 0,"));
}

/* The CPUs are not counted any more, and no sample comes that -n could wait for. */
static void test_evicted(void **state)
{
	setup(NULL);
	o.max_samples = 1000;
	fake.max = 2;
	fake.flags = PMC_READING_SYSWIDE | PMC_READING_LAST | PMC_READING_EVICTED;
	alarm(TOO_LATE_S);
	assert_int_equal(run(), 0);
	alarm(0);
	assert_int_equal(came, 0);
	assert_string_equal(fake.said, "stop ");
	assert_non_null(strstr(text, "\"nsample\": 2,"));
	assert_null(strstr(text, "\"nsample\": 3,"));

	/* A program that was started goes on. */
	setup(ends);
	fake.max = 2;
	fake.flags = PMC_READING_SYSWIDE | PMC_READING_LAST | PMC_READING_EVICTED;
	o.syswide = 1;
	assert_int_equal(run(), 0);
	assert_string_equal(fake.said, "stop ");
}

/* A program that ignores SIGTERM is killed, but not before the grace period is over. */
static void test_stays(void **state)
{
	setup_stays();
	assert_int_equal(run_stays(), 0);
	assert_string_equal(fake.said, "stop kill kill ");
	assert_in_range(seconds() - fake.begin, 2, TOO_LATE_S);
}

static void test_dies(void **state)
{
	setup(dies);
	assert_int_equal(run(), 128 + SIGKILL);
	assert_string_equal(fake.said, "stop ");
}

/* What keeps the program from running is known before counting goes on. */
static void test_cannot_run(void **state)
{
	char *missing[] = { "/nonexistent/program", NULL };
	struct child child;
	int status;

	memset(&o, 0, sizeof(o));
	o.command = missing;
	assert_int_equal(child_prepare(&child, &o), 0);
	assert_int_equal(child_release(&child), ENOENT);
	assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
	assert_int_equal(WEXITSTATUS(status), 127);
	/* No machine has CPUs up to this one. */
	o.command = ends;
	o.has_bind = 1;
	CPU_SET(CPU_SETSIZE - 1, &o.bind);
	assert_int_equal(child_prepare(&child, &o), 0);
	assert_int_equal(child_release(&child), -EINVAL);
	waitpid(child.pid, NULL, 0);
}

static void not_found(char *program, const char *hint)
{
	char *command[] = { program, NULL }, line[256];

	setup(command);
	assert_int_equal(run(), 127);
	snprintf(line, sizeof(line), "pmctrack: cannot run '%s': No such file or directory%s\n", program,
		 hint);
	assert_string_equal(errors, line);
}

/* A list of CPUs or of events where the program is expected */
static void test_meant_instead(void **state)
{
	not_found("0-1", "; if these are CPUs, write -C before them");
	not_found("0,2", "; if these are CPUs, write -C before them");
	not_found("instr,cycles", "; if these are events, write -c before them");
	not_found("no-such-program", "");
}

/* Each failure causes an exit status and one line. */
static void test_failures(void **state)
{
	setup(sleeps);
	fake.fail_next = 1;
	fails_with("pmctrack: cannot read samples: it is broken\n");
	assert_string_equal(fake.said, "stop ");
	/* The counts so far are reported. */
	assert_non_null(strstr(text, "\"totals\": ["));

	setup(sleeps);
	fake.fail_poll = 1;
	fails_with("pmctrack: cannot wait for samples: Cannot allocate memory\n");

	setup(ends);
	fake.max = 5;
	fake.fail_totals = 1;
	fails_with("pmctrack: cannot read the totals: the kernel module does not say\n");
	assert_non_null(strstr(text, "\"nsample\": 5,"));

	setup(ends);
	fake.max = 5;
	fake.fail_stop = 1;
	fails_with("pmctrack: cannot stop counting: the kernel module refuses\n");
}

static void cannot_write(FILE *f, const char *why)
{
	char line[256];

	assert_non_null(f);
	snprintf(line, sizeof(line), "pmctrack: cannot write the report to standard error: %s\n",
		 why);
	setup(sleeps);
	assert_int_equal(run_to(f), 2);
	check_announced(line);
	assert_true(seconds() - fake.begin < TOO_LATE_S);
	fclose(f);
}

/* A full disk is reported at once, with the right error, even before the first sample. */
static void test_full(void **state)
{
	cannot_write(fopen("/dev/full", "w"), "No space left on device");
}

/* pmctrack survives the end of the reader, but not the program: SIGPIPE is as it was there. */
static void test_pipe(void **state)
{
	static char *counts[] = { "sh", "-c", "kill -PIPE $$; exit 7", NULL };
	int p[2];

	assert_int_equal(pipe2(p, O_CLOEXEC), 0);
	close(p[0]);
	cannot_write(fdopen(p[1], "w"), "Broken pipe");
	setup(counts);
	assert_int_equal(run(), 128 + SIGPIPE);
}

/* Signals that are blocked and ignored when the test starts, as lines of /proc/PID/status */
static char signals_at_start[128];

static void note_signals(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[128];

	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6))
			strcat(signals_at_start, line);
	fclose(f);
}

/* Each run of the program starts with the signals that pmctrack was started with. */
static void test_signals_of_runs(void **state)
{
	static char same[] = "test \"$(grep -E '^Sig(Blk|Ign)' /proc/self/status)\n\" = \"$0\"";
	char *command[] = { "sh", "-c", same, signals_at_start, NULL };
	int i;

	for (i = 0; i < 3; i++) {
		setup(command);
		assert_int_equal(run(), 0);
	}
}

/* The report cannot begin although the program runs. */
static int no_memory(struct report *report)
{
	errno = ENOMEM;
	return -1;
}

static void test_begin(void **state)
{
	struct report_ops ops = report_json;

	ops.begin = no_memory;
	setup(sleeps);
	form = &ops;
	fails_with("pmctrack: cannot start the report to standard error: Cannot allocate memory\n");
	assert_string_equal(text, "");
	form = &report_json;
}

/* A chart needs memory for each sample. What there was memory for is shown. */
static void no_memory_for_the_third(struct report *report, uint64_t nr,
				    const struct pmc_reading *r)
{
	if (nr < 3)
		report_json.sample(report, nr, r);
	else
		report->no_memory = 1;
}

static void test_no_memory(void **state)
{
	struct report_ops ops = report_json;

	ops.sample = no_memory_for_the_third;
	setup(sleeps);
	form = &ops;
	fails_with("pmctrack: out of memory\n");
	assert_non_null(strstr(text, "\"nsample\": 2,"));
	assert_null(strstr(text, "\"nsample\": 3,"));
	form = &report_json;
}

static void do_nothing(int signal)
{
}

/*
 * Send this process a signal after some time, and again and again, until stop_sending(). A
 * signal that comes when monitor() has returned has no effect.
 */
static pid_t send_signals(int sent, int first_ms, int again_ms)
{
	pid_t parent = getpid(), sender;

	signal(sent, do_nothing);
	sender = fork();
	if (sender)
		return sender;
	usleep(first_ms * 1000);
	for (;;) {
		__real_kill(parent, sent);
		usleep(again_ms * 1000);
	}
}

static void discard(int sent)
{
	signal(sent, SIG_IGN);
	signal(sent, SIG_DFL);
}

static void stop_sending(pid_t sender, int sent)
{
	__real_kill(sender, SIGKILL);
	waitpid(sender, NULL, 0);
	/* It may have come late. */
	discard(sent);
}

/*
 * A signal while the program is ended because of a limit changes neither the exit status nor the
 * program's end.
 */
static void test_signal_at_the_end(void **state)
{
	setup(sleeps);
	o.limit_us = 100000;
	fake.interrupted = 1;
	assert_int_equal(run(), 0);
	assert_string_equal(errors, "");
	assert_int_equal(came, SIGHUP);
	assert_true(fake.killed);
}

/* A signal that comes between two runs does not end the process, and is seen. */
static void test_signal_between_runs(void **state)
{
	setup(ends);
	assert_int_equal(run(), 0);
	assert_int_equal(monitor_pending_signal(), 0);
	raise(SIGHUP);
	assert_int_equal(monitor_pending_signal(), SIGHUP);
	discard(SIGHUP);
	assert_int_equal(monitor_pending_signal(), 0);
}

/* A program that not even SIGKILL ends does not keep pmctrack: two signals end that. */
static void test_cannot_be_killed(void **state)
{
	pid_t sender;

	setup(sleeps);
	o.limit_us = 100000;
	fake.cannot_be_killed = 1;
	sender = send_signals(SIGINT, 500, 1200);
	assert_int_equal(run(), 128 + SIGINT);
	check_announced("");
	assert_true(seconds() - fake.begin < TOO_LATE_S);
	stop_sending(sender, SIGINT);
}

/* A program that got other rights, as sudo, may not be signalled: it runs on, and pmctrack ends. */
static void test_may_not_be_killed(void **state)
{
	setup(sleeps);
	o.limit_us = 100000;
	fake.forbidden = 1;
	alarm(TOO_LATE_S);
	assert_int_equal(run(), 0);
	check_announced("");
	assert_string_equal(fake.said, "stop kill ");

	/* It got them after it was asked to end. */
	setup_stays();
	fake.forbidden = 2;
	assert_int_equal(run_stays(), 0);
	alarm(0);
	check_announced("");
	assert_string_equal(fake.said, "stop kill kill ");
}

/* Without a program SIGINT ends pmctrack even if it was ignored; other signals stay ignored. */
static void test_signals(void **state)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	setup(NULL);
	o.limit_us = 1000000;
	fake.interrupt_at = 1;
	assert_int_equal(run(), 0);
	assert_in_range(fake.nr, 1, 2 * 1024);

	signal(SIGINT, SIG_IGN);
	setup(ends);
	fake.interrupt_at = 1;
	assert_int_equal(run(), 0);
	assert_string_equal(fake.said, "stop ");
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
}

/* With -S the samples of a period have the order of their CPUs, and are not held back for long. */
static void test_interval(void **state)
{
	struct pmc_reading r = { .time = 1000 };
	struct interval interval = { 0 };
	int i;

	assert_false(interval_is_over(&interval, &r, 100));
	for (i = 20; i >= 0; i--) {
		r.cpu = i;
		assert_false(interval_is_over(&interval, &r, 100));
		assert_int_equal(interval_add(&interval, &r), 0);
	}
	r.cpu = 20;
	assert_true(interval_is_over(&interval, &r, 100));
	r.cpu = 21;
	r.time = 1050;
	assert_false(interval_is_over(&interval, &r, 100));
	r.time = 1051;
	assert_true(interval_is_over(&interval, &r, 100));
	interval_sort(&interval);
	for (i = 0; i < interval.nr; i++)
		assert_int_equal(interval.all[i].cpu, i);
	interval_free(&interval);
}

static void test_left_out(void **state)
{
	setup(ends);
	fake.max = 3;
	assert_int_equal(run(), 0);
	assert_non_null(strstr(text, "\"left_out\": 0, \"ebs_event\": \"instr\", \"counts\": {\"instr\": 1000,"));
	assert_non_null(strstr(text, "\"left_out\": 4, \"ebs_event\": \"instr\", \"counts\": {\"instr\": 5300,"));
	assert_non_null(strstr(text, "\"left_out\": 4, \"missed_threads\""));

	setup(ends);
	fake.max = 3;
	o.aggregate = 1;
	assert_int_equal(run(), 0);
	assert_non_null(strstr(text, "\"left_out\": 4, \"ebs_event\": null, \"counts\": {\"instr\": 7300,"));
	assert_non_null(strstr(text, "\"left_out\": 4, \"missed_threads\""));
}

/* The counts of an event set that had no turn are unknown, and not 0. */
static void test_without_turn(void **state)
{
	second_set = "branches:ebs=1000,branch_misses";
	setup(ends);
	fake.max = 3;
	fake.loaded_sets = 1;
	assert_int_equal(run(), 0);
	assert_non_null(strstr(text, "\"counts\": {\"instr\": 0, \"cycles\": 0},"));

	setup(ends);
	fake.max = 3;
	fake.loaded_sets = 2;
	assert_int_equal(run(), 0);
	assert_non_null(strstr(text, "\"counts\": {\"instr\": 0, \"cycles\": 0, \"branches\": 0, \"branch_misses\": 0},"));
	second_set = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_enough),
		cmocka_unit_test(test_evicted),
		cmocka_unit_test(test_stays),
		cmocka_unit_test(test_dies),
		cmocka_unit_test(test_cannot_run),
		cmocka_unit_test(test_meant_instead),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_signals_of_runs),
		cmocka_unit_test(test_begin),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_signal_at_the_end),
		cmocka_unit_test(test_signal_between_runs),
		cmocka_unit_test(test_cannot_be_killed),
		cmocka_unit_test(test_may_not_be_killed),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_without_turn),
	};

	note_signals();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
