// SPDX-License-Identifier: GPL-2.0
/*
 * Monitoring modules and their virtual counters, with the template module: it is listed,
 * activated, refused where necessary, has values in samples and totals, and leaves nothing
 * behind. A second module wants the same counters.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define MANAGER	"/proc/pmc/mm_manager"
#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define MODULE	"/lib/pmctrack/pmc_template.ko"

static const char *contents(const char *path)
{
	static char text[8192];
	int fd = open(path, O_RDONLY);
	ssize_t len, sum = 0;

	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	while ((len = read(fd, text + sum, sizeof(text) - 1 - sum)) > 0)
		sum += len;
	text[sum] = '\0';
	close(fd);
	return text;
}

static int manage(const char *text)
{
	return write_file(MANAGER, "%s", text);
}

static void run(const char *line)
{
	if (system(line))
		die("'%s' failed", line);
}

static void load(void)
{
	if (strstr(contents(MANAGER), "template"))
		fail("the module is there before it is loaded");
	same(manage("activate template"), -ENOENT, "activating what is not there");
	mentions(contents(MANAGER), "pmc_template.ko", "the last error");
	run("insmod " MODULE);
	mentions(contents(MANAGER), "1 inactive 0 template ", "the module loaded");
	if (strstr(contents("/proc/pmc/virtual"), "template_ipc"))
		fail("virtual counters of an inactive module are listed");
}

static void refusals(void)
{
	int fd = open_session(), i;
	static const char *const lines[] = {
		"", "activate", "activate ", "deactivate none", "start template",
		"activate template now",
	};

	for (i = 0; i < (int)(sizeof(lines) / sizeof(*lines)); i++)
		if (!manage(lines[i]) && lines[i][0])
			fail("'%s' was taken", lines[i]);
	refused(fd, ENOENT, "no virtual counter", "virtual nobody");
	refused(fd, ENODEV, "activate template", "virtual template_ipc");
	same(manage("deactivate template"), -ENOENT, "deactivating an inactive module");
	close(fd);
}

static void *switches(void *arg)
{
	int i, nr = *(int *)arg;

	for (i = 0; i < nr; i++) {
		usleep(5000);
		spin(1000);
	}
	return NULL;
}

/* A thread that sleeps so often is switched in as often, and once at the start. */
static void thread_counts(bool sampling)
{
	struct records records = { };
	uint64_t in_records = 0, last = 0;
	int nr = 100, fd = open_session(), i;
	struct pmc_totals totals = { .core_type = PMC_ALL_CORE_TYPES };
	struct pmc_read r = { .core_type = PMC_ALL_CORE_TYPES };

	command(fd, "ring 4096\nevents " INSTRUCTIONS "\nvirtual template_switches, template_ipc");
	if (sampling)
		command(fd, "period 20ms");
	refused(fd, EEXIST, "already", "virtual template_ipc");
	mentions(contents(MANAGER), "1 active 1 template ", "a session uses it");
	same(manage("deactivate template"), -EBUSY, "deactivating a module in use");
	mentions(contents(MANAGER), "# last error: 1 session(s) use", "the last error");
	same(system("rmmod pmc_template 2>/dev/null") != 0, 1, "unloading a module in use");
	start(fd);
	switches(&nr);
	if (ioctl(fd, PMC_IOC_READ, &r))
		fail("PMC_IOC_READ: %s", strerror(errno));
	same(r.nr_virtual, 2, "virtual counters read");
	stop(fd);
	command(fd, "stop");
	read_to_end(fd, &records);
	check_records(&records);
	for (i = 0; i < records.nr; i++) {
		const struct record *rec = &records.all[i];

		same(rec->head.nr_counts, 1, "record %d: counts", i);
		same(rec->head.nr_virtual, 2, "record %d: virtual counters", i);
		in_records += rec->counts[1];
		last = rec->counts[2];
	}
	if (ioctl(fd, PMC_IOC_TOTALS, &totals))
		fail("PMC_IOC_TOTALS: %s", strerror(errno));
	same(totals.nr_virtual, 2, "virtual counters in totals");
	same(totals.counts[1], in_records, "%d: sum of records and total", sampling);
	same(totals.counts[2], PMC_NO_VALUE, "total of a ratio");
	within(in_records, nr, nr + 100, "times switched in");
	within(r.counts[1], nr, in_records, "times switched in, read");
	if (sampling && last != PMC_NO_VALUE)
		within(last, 1, 4000, "instructions per cycle, in thousandths");
	forget_records(&records);
	close(fd);
	mentions(contents(MANAGER), "1 active 0 template ", "no session uses it");
}

/*
 * A user's session that counts nothing keeps the module active. The error names the process, so
 * that root can end it.
 */
static void used_by_a_user(void)
{
	int there[2], paranoid = change_number(PARANOID, 2);
	char name[60], c;
	pid_t pid;

	if (pipe(there))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		change_user(1000);
		command(open_session(), "virtual template_switches");
		if (write(there[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(there[1]);
	if (read(there[0], &c, 1) != 1)
		die("the user's process has died");
	close(there[0]);
	same(manage("deactivate template"), -EBUSY, "deactivating a module that a user's session uses");
	snprintf(name, sizeof(name), "(process %d has opened one)", pid);
	mentions(contents(MANAGER), name, "the last error");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	mentions(contents(MANAGER), "1 active 0 template ", "the user's process has ended");
	change_number(PARANOID, paranoid);
}

/* New threads and processes are monitored from their first instruction. */
static void family(void)
{
	struct records records = { };
	int nr = 20, fd = open_session(), i, known = 0;
	pthread_t id[4];
	pid_t child;
	int go[2];
	char c;

	if (pipe(go))
		die("pipe: %s", strerror(errno));
	command(fd, "ring 4096\nevents " INSTRUCTIONS "\nvirtual template_switches\nfollow children");
	child = fork();
	if (!child) {
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		for (i = 0; i < 4; i++)
			pthread_create(&id[i], NULL, switches, &nr);
		for (i = 0; i < 4; i++)
			pthread_join(id[i], NULL);
		if (!fork()) {
			switches(&nr);
			_exit(0);
		}
		wait(NULL);
		_exit(0);
	}
	command(fd, "attach %d", child);
	if (write(go[1], "x", 1) != 1)
		die("write: %s", strerror(errno));
	waitpid(child, NULL, 0);
	read_to_end(fd, &records);
	for (i = 0; i < records.nr; i++) {
		const struct record *rec = &records.all[i];

		if (!(rec->head.flags & PMC_REC_LAST))
			continue;
		known++;
		if (rec->counts[1] == PMC_NO_VALUE)
			fail("thread %d was not monitored", rec->head.tid);
		else if (rec->head.tid != (uint32_t)child)
			/* The thread has a record for each core type that it was on. */
			within(sum_records(&records, rec->head.tid, -1, -1, 1), nr, nr + 60,
			       "thread %d: times switched in", rec->head.tid);
	}
	same(known, 6, "threads that have ended");
	same(proc_value("stats", "unmonitored"), 0, "threads not monitored");
	forget_records(&records);
	close(go[0]);
	close(go[1]);
	close(fd);
}

/* Two sessions monitor a thread: each has its own counts. */
static void together(void)
{
	int a = open_session(), b = open_session(), nr = 50;
	struct pmc_totals x = { .core_type = PMC_ALL_CORE_TYPES }, y = x;

	command(a, "events sw=task_clock\nvirtual template_switches");
	command(b, "virtual template_switches");
	start(a);
	switches(&nr);
	start(b);
	switches(&nr);
	stop(b);
	command(b, "stop");
	switches(&nr);
	stop(a);
	command(a, "stop");
	if (ioctl(a, PMC_IOC_TOTALS, &x) || ioctl(b, PMC_IOC_TOTALS, &y))
		fail("PMC_IOC_TOTALS: %s", strerror(errno));
	within(x.counts[1], 3 * nr, 3 * nr + 90, "times switched in, all the time");
	within(y.counts[0], nr, nr + 30, "times switched in, in the middle");
	close(a);
	close(b);
}

/* Between a stop and the next start the session does not count the thread. */
static void pauses(void)
{
	struct pmc_totals totals = { .core_type = PMC_ALL_CORE_TYPES };
	struct pmc_read r = { .core_type = PMC_ALL_CORE_TYPES };
	int fd = open_session(), nr = 50, i;

	command(fd, "virtual template_switches");
	for (i = 0; i < 3; i++) {
		start(fd);
		switches(&nr);
		stop(fd);
		switches(&nr);
	}
	if (ioctl(fd, PMC_IOC_READ, &r))
		fail("PMC_IOC_READ: %s", strerror(errno));
	command(fd, "stop");
	if (ioctl(fd, PMC_IOC_TOTALS, &totals))
		fail("PMC_IOC_TOTALS: %s", strerror(errno));
	within(r.counts[0], 3 * nr, 3 * nr + 60, "times switched in, without the pauses");
	same(totals.counts[0], r.counts[0], "times switched in, in all");
	close(fd);
}

static void wrong_places(void)
{
	int fd = open_session();

	command(fd, "virtual template_switches");
	refused(fd, EINVAL, "is available for threads", "syswide");
	command(fd, "clear");
	refused(fd, EINVAL, "nothing to count", "syswide");
	close(fd);
}

/*
 * On Arm a core has one counter of cycles, and the module counts with it in user and kernel
 * mode. A session that counts cycles in user mode only is refused; the error names the
 * module and says what to do. The same holds for the module's other counter.
 */
static void counters_taken(void)
{
	int user = open_session(), fd = open_session();

	if (strcmp(backend, "armv8"))
		goto out;
	command(user, "virtual template_switches");
	start(user);
	command(fd, "events " CYCLES);
	refused(fd, EBUSY, "monitoring module template has pmc0 of core type 0",
		"attach %d", getpid());
	mentions(why(fd), "in user and kernel mode, this session in user mode", "modes");
	mentions(why(fd), "'filter'", "what helps");
	mentions(why(fd), "deactivate the module", "what else helps");
	same(ioctl(fd, PMC_IOC_START), -1, "start");
	same(errno, EBUSY, "errno of it");
	mentions(why(fd), "module template has pmc0", "the same for start");
	/* The advice of the error message works. */
	command(fd, "stop\nclear\nfilter all\nevents " CYCLES "\nattach %d\nstop\nclear",
		getpid());
	command(fd, "events ev=0x0,ev=0x0,ev=0x0,ev=0x0,ev=0x0,ev=0x0");
	refused(fd, EBUSY, "monitoring module template has pmc", "attach %d", getpid());
	mentions(why(fd), "for something else: ask for fewer events", "no room");
	stop(user);
	command(user, "stop");
	/* Now the module does not count the thread any more. */
	command(fd, "attach %d\nstop", getpid());
out:
	close(fd);
	close(user);
}

static void parameters(void)
{
	same(write_file("/proc/pmc/config", "template.period_ms=0"), -ERANGE, "a wrong value");
	same(write_file("/proc/pmc/config", "template.none=1"), -EINVAL, "a wrong parameter");
	mentions(contents(MANAGER), "period_ms, and no 'none'", "the last error");
	same(write_file("/proc/pmc/config", "nobody.none=1"), -ENOENT, "a wrong module");
	set_config("template.period_ms=10");
	same(proc_value("config", "template.period_ms"), 10, "the parameter set");
}

/*
 * A module is also refused because of the active module's counters; the error names both.
 * The active module stays active and keeps its values.
 */
static void conflicts(const char *what)
{
	struct pmc_totals totals = { .core_type = PMC_ALL_CORE_TYPES };
	int fd, nr = 20;

	same(manage("activate test_probe"), -EBUSY, "test_probe beside template, %s", what);
	mentions(contents(MANAGER), "# last error: modules test_probe and template both ", "%s",
		 what);
	mentions(contents(MANAGER), what, "why it was refused");
	mentions(contents(MANAGER), ": deactivate template first", "%s", what);
	mentions(contents(MANAGER), " inactive 0 test_probe ", "%s", what);
	mentions(contents(MANAGER), " active 0 template ", "%s", what);
	fd = open_session();
	refused(fd, ENODEV, "activate test_probe", "virtual probe_ticks");
	command(fd, "virtual template_switches");
	start(fd);
	switches(&nr);
	stop(fd);
	command(fd, "stop");
	if (ioctl(fd, PMC_IOC_TOTALS, &totals))
		fail("PMC_IOC_TOTALS: %s", strerror(errno));
	within(totals.counts[0], nr, nr + 30, "times switched in after '%s'", what);
	close(fd);
}

/*
 * So many events in user mode that they need every counter of the smallest core type that
 * can count instructions or cycles. The template counts on some of these counters in user
 * and kernel mode.
 */
static void fill_counters(void)
{
	const struct core_type *least = core_types, *ct;
	char events[120] = "";
	int i, nr;

	for (ct = core_types; ct < core_types + nr_core_types; ct++)
		if (ct->nr_hw < least->nr_hw)
			least = ct;
	nr = __builtin_popcountll(least->general) + least->fixed_instructions;
	for (i = 0; i < nr; i++)
		strcat(events, expanded(i ? "," INSTRUCTIONS ":u" : INSTRUCTIONS ":u"));
	if (least->fixed_cycles >= 0)
		strcat(events, expanded("," CYCLES ":u"));
	set_config("test_probe.events=%s", events);
}

static void *short_life(void *unused)
{
	usleep(20000);
	return unused;
}

static void bear(void)
{
	pthread_attr_t attr;
	pthread_t id;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (;;) {
		pthread_create(&id, &attr, short_life, NULL);
		usleep(2000);
	}
}

/*
 * One session inherits a thread at its fork while others attach to it. Whichever session is
 * first, the module monitors the thread once for all of them.
 */
static void followed_and_attached(void)
{
	long long unmonitored = proc_value("stats", "unmonitored");
	int follower = open_session(), other, i;
	pid_t pid = fork();

	if (!pid)
		bear();
	set_config("test_probe.fork_us=200");
	command(follower, "follow threads\nvirtual probe_turns\nattach %d", pid);
	for (i = 0; i < 30; i++) {
		other = open_session();
		command(other, "virtual probe_turns\nattach %d", pid);
		close(other);
	}
	same(proc_value("stats", "unmonitored") - unmonitored, 0, "threads not monitored");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(follower);
	/* When all threads have ended */
	while (manage("deactivate test_probe") == -EBUSY)
		usleep(10000);
	set_config("test_probe.fork_us=0");
}

/*
 * Without a period only requested samples are taken. Together they have all counts, even if
 * the module has no value for a while. The thread is pinned, as a change of the core type takes
 * a sample, too.
 */
static void samples_on_demand(void)
{
	int fd = open_session(), nr = 5, round, values = 0, i;
	uint64_t sum = 0, instructions = 0;
	struct records records = { };

	pin(0, core_types[0].first_cpu);
	command(fd, "ring 64\nevents " INSTRUCTIONS "\nvirtual probe_turns\nattach %d", getpid());
	for (round = 0; round < 6; round++) {
		set_config("test_probe.silent=%d", round == 2 || round == 3);
		switches(&nr);
		command(fd, "sample");
	}
	set_config("test_probe.silent=0");
	command(fd, "stop");
	read_records(fd, &records);
	check_records(&records);
	for (i = 0; i < records.nr; i++) {
		instructions += records.all[i].counts[0];
		if (records.all[i].counts[1] == PMC_NO_VALUE)
			continue;
		sum += records.all[i].counts[1];
		values++;
	}
	within(values, 3, 7, "samples with a value");
	within(sum, 6 * nr, 6 * nr + 20, "switches of all samples");
	same(total(fd, -1, 0, 1), sum, "switches, total");
	same(total(fd, -1, 0, 0), instructions, "instructions, total");
	forget_records(&records);
	close(fd);
}

static void two_modules(void)
{
	load_module("test_probe");
	/* The metric IPC, which the template has as well */
	set_config("test_probe.metrics=2");
	conflicts("provide the scheduler's metric 1");
	set_config("test_probe.metrics=0x80");
	set_config("test_probe.turns_name=template_ipc");
	conflicts("have a virtual counter template_ipc");
	set_config("test_probe.turns_name=probe_turns");
	fill_counters();
	conflicts("need the same counters");
	/* Without that metric both modules are active. */
	set_config("test_probe.events=");
	activate("test_probe");
	mentions(contents(MANAGER), " active 0 test_probe ", "the second module");
	mentions(contents(MANAGER), " active 0 template ", "the first module");
	followed_and_attached();
	activate("test_probe");
	samples_on_demand();
	deactivate("test_probe");
	same(proc_value("config", "test_probe.wrong"), 0, "callbacks that were wrong");
	unload_module("test_probe");
}

int main(void)
{
	need_counters();
	load();
	refusals();
	parameters();
	if (manage("activate template"))
		die("activate: %s", contents(MANAGER));
	mentions(contents("/proc/pmc/virtual"),
		 "template_ipc template ratio - 1000 threads instructions per cycle", "the list");
	same(manage("activate 1"), -EEXIST, "activating an active module");
	thread_counts(true);
	thread_counts(false);
	used_by_a_user();
	together();
	pauses();
	counters_taken();
	family();
	wrong_places();
	two_modules();
	wait_until_idle();
	if (manage("deactivate template"))
		fail("deactivate: %s", contents(MANAGER));
	run("rmmod pmc_template");
	run("insmod " MODULE " && echo activate template >" MANAGER " && rmmod pmc_template");
	return result();
}
