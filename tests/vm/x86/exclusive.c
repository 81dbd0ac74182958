// SPDX-License-Identifier: GPL-2.0
/*
 * Side by side with the kernel's own perf with exclusive=1, where the whole PMU belongs to
 * one of both: the second user is refused, and the error names the first; the PMU is
 * released when nothing is counted; and neither ever gets a wrong number.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"

static int instructions, nr_cpus;

/* A session that counts, on every core type. */
static void we_are_exact(int fd, const char *when)
{
	uint64_t before = 0;
	long truth;
	int ct;

	for (ct = 0; ct < nr_core_types; ct++) {
		pin(0, core_types[ct].first_cpu);
		truth = counted_loop(fd, 100000);
		same(own_count(fd, -1, 0, 0) - before, truth, "%s: our instructions, core type %d",
		     when, ct);
		before += truth;
	}
	unpin(0);
}

/* perf's event counts from one prctl() to the next. */
static void perf_is_exact(int event, const char *when)
{
	struct step s[2];
	struct value v;

	make_step(&s[0], SYS_prctl, PR_TASK_PERF_EVENTS_ENABLE, 0, 0);
	make_step(&s[1], SYS_prctl, PR_TASK_PERF_EVENTS_DISABLE, 0, 0);
	s[0].loops = 100000;
	script(s, 2);
	if (!perf_read(event, &v))
		die("%s: perf has no counter", when);
	same(v.count, script_length(s, 2), "%s: perf's instructions", when);
	same(v.running, v.enabled, "%s: perf's running time", when);
}

static void perf_works(const char *when)
{
	int ct, event;

	for (ct = 0; ct < nr_core_types; ct++) {
		pin(0, core_types[ct].first_cpu);
		event = perf_own(instructions, true, -1);
		perf_is_exact(event, when);
		close(event);
	}
	unpin(0);
}

/* perf has an event: the session is refused, except for events without a counter. */
static void perf_first(void)
{
	struct perf_event_attr attr = { .read_format = PERF_TIMES };
	int fd = open_session(), ct, event;

	for (ct = 0; ct < nr_core_types; ct++) {
		attr.type = perf_type(ct);
		attr.config = instructions;
		event = perf_open(&attr, -1, core_types[ct].first_cpu, -1);
		command(fd, "events " INSTRUCTIONS);
		refused_start(fd, EBUSY, "perf");
		command(fd, "clear\nevents coretype=%d,@F", nr_core_types - 1 - ct);
		refused_start(fd, EBUSY, "perf");
		command(fd, "clear\nevents sw=page_faults");
		start(fd);
		touch_pages(50);
		stop(fd);
		within(total(fd, -1, 0, 0), 50, 60, "page faults while perf has the PMU");
		command(fd, "stop\nclear");
		close(event);
		command(fd, "events " INSTRUCTIONS);
		we_are_exact(fd, "perf is gone");
		close(fd);
		fd = open_session();
	}
	close(fd);
}

static void perf_refused(const char *when)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE };
	int ct;

	same(perf_try(&attr, 0, -1, -1), -1, "%s: perf has cycles of a thread", when);
	same(errno, EBUSY, "%s: errno of it", when);
	for (ct = 0; ct < nr_core_types; ct++) {
		attr.type = perf_type(ct);
		attr.config = instructions;
		same(perf_try(&attr, -1, core_types[ct].first_cpu, -1), -1,
		     "%s: perf has instructions of core type %d", when, ct);
		same(errno, EBUSY, "%s: errno of it", when);
	}
}

/* While a session counts it has the PMU: perf is refused, and works again afterwards. */
static void perf_second(void)
{
	struct perf_event_attr faults = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS,
		.read_format = PERF_TIMES,
	};
	int fd = open_session(), other = open_session(), soft;
	struct value v;

	perf_works("a session is open");
	command(fd, "events " INSTRUCTIONS);
	perf_works("events are configured");
	we_are_exact(fd, "perf was there");
	perf_refused("a session is ready to count");
	/* This includes counters that are not in use, and lasts until the last session ends. */
	command(other, "events " CYCLES);
	start(other);
	stop(other);
	command(fd, "stop\nclear");
	perf_refused("another session is ready");
	soft = perf_open(&faults, 0, -1, -1);
	touch_pages(50);
	perf_read(soft, &v);
	within(v.count, 50, 100, "perf's page faults");
	close(soft);
	command(other, "stop");
	perf_works("nothing is counted");
	close(fd);
	close(other);
	perf_works("the sessions are closed");
}

static int watchdog(void)
{
	FILE *f = fopen(WATCHDOG, "r");
	int on = 0;

	if (f && fscanf(f, "%d", &on) != 1)
		on = 0;
	if (f)
		fclose(f);
	return on;
}

/* The NMI watchdog uses perf: the session is refused, and the error says how to end it. */
static void watchdog_first(void)
{
	int fd = open_session(), was = watchdog();

	if (write_file(WATCHDOG, "1"))
		die(WATCHDOG ": %s", strerror(errno));
	same(watchdog(), 1, "the watchdog");
	command(fd, "events " INSTRUCTIONS);
	refused_start(fd, EBUSY, "nmi_watchdog");
	write_file(WATCHDOG, "0");
	we_are_exact(fd, "the watchdog is off");
	close(fd);
	write_file(WATCHDOG, "%d", was);
}

/* ---- perf and sessions start and end ---- */

static atomic_bool enough;
static atomic_long perf_rounds, perf_refusals;

static void *perf_comes_and_goes(void *unused)
{
	struct perf_event_attr attr = {
		.config = instructions, .exclude_kernel = 1, .disabled = 1, .pinned = 1,
		.read_format = PERF_TIMES,
	};
	unsigned int seed = 1;
	int cpu, event;

	while (!enough) {
		cpu = rand_r(&seed) % nr_cpus;
		pin(0, cpu);
		attr.type = perf_type(core_type_of(cpu));
		event = perf_try(&attr, 0, -1, -1);
		if (event < 0) {
			same(errno, EBUSY, "errno of perf");
			perf_refusals++;
		} else {
			perf_is_exact(event, "coming and going");
			close(event);
			perf_rounds++;
		}
		usleep(rand_r(&seed) % 3000);
	}
	return unused;
}

static void both_come_and_go(void)
{
	long rounds = 0, refusals = 0, truth, i;
	unsigned int seed = 2;
	pthread_t id;

	enough = false;
	pthread_create(&id, NULL, perf_comes_and_goes, NULL);
	for (i = 0; i < by_size(100, 400); i++) {
		int fd = open_session(), ret;
		uint64_t before;

		command(fd, "events " INSTRUCTIONS "%s", i % 3 ? "" : ":ebs=20000\nring 64");
		ret = try_start(fd);
		if (ret) {
			same(ret, -EBUSY, "what a session is refused with");
			refusals++;
		} else {
			stop(fd);
			before = own_count(fd, -1, 0, 0);
			pin(0, rand_r(&seed) % nr_cpus);
			truth = counted_loop(fd, 30000);
			same(own_count(fd, -1, 0, 0) - before, truth,
			     "round %ld: our instructions", i);
			rounds++;
		}
		close(fd);
		usleep(rand_r(&seed) % 3000);
	}
	enough = true;
	pthread_join(id, NULL);
	unpin(0);
	printf("we counted %ld times and were refused %ld times, perf %ld and %ld\n", rounds,
	       refusals, (long)perf_rounds, (long)perf_refusals);
	if (rounds < 20 || perf_rounds < 20 || refusals + perf_refusals < 5)
		fail("they did not meet");
}

static void load(const char *parameters)
{
	char command[100];

	snprintf(command, sizeof(command), "insmod /lib/pmctrack/pmctrack.ko exclusive=1 %s",
		 parameters);
	if (system(command))
		die("%s failed", command);
	read_machine();
}

static void unload(void)
{
	if (system("rmmod pmctrack"))
		die("rmmod failed");
}

/* perf has the PMU when the module is loaded: the module gets the counters later. */
static void taken_at_load(const char *parameters)
{
	struct perf_event_attr attr = { .type = perf_type(0), .config = instructions };
	int event = perf_open(&attr, -1, 0, -1), last = nr_cpus - 1, ct, fd;
	char path[100], was[sizeof(backend)];
	struct core_type were[16];
	long truth;

	memcpy(were, core_types, sizeof(were));
	strcpy(was, backend);
	load(parameters);
	CHECK(!strcmp(backend, was), "backend %s, not %s", backend, was);
	for (ct = 0; ct < nr_core_types; ct++) {
		same(core_types[ct].nr_hw, were[ct].nr_hw, "core type %d: counters", ct);
		same(core_types[ct].general, were[ct].general, "core type %d: general ones", ct);
	}
	fd = open_session();
	command(fd, "events " INSTRUCTIONS);
	refused_start(fd, EBUSY, "perf");
	command(fd, "clear\nevents pmc@1=@I");
	refused_start(fd, EBUSY, "perf");
	close(event);
	command(fd, "clear\nring 4096\nevents " INSTRUCTIONS ":ebs=20000");
	we_are_exact(fd, "perf had it when we were loaded");
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", last);
	same(write_file(path, "0"), 0, "a CPU goes");
	same(write_file(path, "1"), 0, "it comes");
	command(fd, "stop\nclear\nevents " INSTRUCTIONS);
	pin(0, last);
	truth = counted_loop(fd, 100000);
	same(own_count(fd, -1, 0, 0), truth, "instructions on a CPU that came");
	unpin(0);
	close(fd);
	unload();
}

int main(void)
{
	char named[40];

	unload();
	load("");
	need_counters();
	if (strcmp(backend, "intel") && strcmp(backend, "amd"))
		die("backend %s does not have the PMU for itself", backend);
	instructions = event_codes()->instructions;
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	perf_first();
	perf_second();
	watchdog_first();
	both_come_and_go();
	wait_until_idle();
	unload();
	perf_works("the module is gone");
	taken_at_load("");
	snprintf(named, sizeof(named), "backend=%s", backend);
	taken_at_load(named);
	load("");
	return result();
}
