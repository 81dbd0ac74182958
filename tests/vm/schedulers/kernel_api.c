// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that a scheduler in the kernel monitors, and its queries of metrics: values and
 * ages are right, and refusals have the right reason. A module made for this test checks
 * the callbacks of monitoring modules while threads migrate, fork, exec and end.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "consumer.h"
#include "vm.h"

#define MANAGER		"/proc/pmc/mm_manager"

static void run(const char *line)
{
	if (system(line))
		die("'%s' failed", line);
}

static long long value_in(const char *path, const char *key)
{
	FILE *f = fopen(path, "r");
	char line[512];
	long long n = -1;

	if (!f)
		die("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)) && line[strlen(key)] == ' ')
			n = atoll(line + strlen(key));
	fclose(f);
	return n;
}

static pid_t spinner(int cpu)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	pin(0, cpu);
	for (;;)
		spin(100000);
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void wait_until_known(int tid, int which, bool known)
{
	unsigned long long value, age;
	int i;

	for (i = 0; i < 5000; i++) {
		if ((metric(tid, which, &value, &age) == -ESRCH) != known)
			return;
		usleep(4000);
	}
	fail("thread %d is%s monitored still", tid, known ? " not" : "");
}

/* Monitored before and after the module is loaded; the metric is computed by the machine. */
static void one_thread(void)
{
	unsigned long long value = 0, age;
	int cpu = core_types[nr_core_types - 1].first_cpu;
	pid_t pid = spinner(cpu);
	int fd;

	same(metric(pid, METRIC_IPC, &value, &age), -ENODEV, "no module has it");
	same(metric(pid, 99, &value, &age), -EINVAL, "no such metric");
	same(consumer("on", pid, 0), 0, "having it monitored");
	run("echo activate template >" MANAGER);
	same(wait_for_metric(pid, METRIC_IPC, &value), 0, "its IPC");
	printf("instructions per cycle of a loop on CPU %d: %llu/1000\n", cpu, value);
	within(value, 100, 4000, "IPC in thousandths");
	usleep(50000);
	same(metric(pid, METRIC_IPC, &value, &age), 0, "its IPC, later");
	if (age > 60000000)
		fail("a running thread's metric is %llu ns old, of a period of 10 ms", age);
	same(metric(getpid(), METRIC_IPC, &value, &age), -ESRCH, "a thread not monitored");
	same(consumer("cost", pid, METRIC_IPC), 0, "what a query costs");
	run("grep answer " CONSUMER);
	/* A client also counts the thread; the scheduler keeps it. */
	fd = open_session();
	command(fd, "virtual template_switches\nattach %d", pid);
	usleep(30000);
	close(fd);
	same(metric(pid, METRIC_IPC, &value, &age), 0, "after a client has gone");
	same(consumer("off", pid, 0), 0, "having it monitored no more");
	wait_until_known(pid, METRIC_IPC, false);
	same(consumer("on", pid, 0), 0, "having it monitored again");
	same(wait_for_metric(pid, METRIC_IPC, &value), 0, "its IPC, again");
	run("echo deactivate template >" MANAGER);
	same(metric(pid, METRIC_IPC, &value, &age), -ENODEV, "the module is inactive");
	run("echo activate template >" MANAGER);
	same(wait_for_metric(pid, METRIC_IPC, &value), 0, "its IPC, by the module again active");
	end(pid);
	run("echo deactivate template >" MANAGER);
	same(write_file(CONSUMER, "on 2"), -EINVAL, "a kernel thread");
}

/* A session counts with every counter of the first core type, in user mode only. */
static int count_with_all(pid_t pid)
{
	const struct core_type *ct = &core_types[0];
	int fd = open_session(), i, nr;
	char events[300] = "";

	nr = __builtin_popcountll(ct->general) + ct->fixed_instructions;
	for (i = 0; i < nr; i++)
		strcat(events, "," INSTRUCTIONS);
	if (ct->fixed_cycles >= 0)
		strcat(events, "," CYCLES);
	command(fd, "events coretype=0%s\nattach %d", events, pid);
	return fd;
}

/*
 * root's session has the counters of a thread, which the module needs for other events. When the
 * session is closed and the thread is requested once more, the module monitors it.
 */
static void refused_at_first(void)
{
	pid_t pid = spinner(core_types[0].first_cpu);
	unsigned long long value, age;
	int fd = count_with_all(pid);

	run("echo activate template >" MANAGER);
	same(consumer("on", pid, 0), 0, "having it monitored");
	usleep(100000);
	same(metric(pid, METRIC_IPC, &value, &age), -ESRCH, "its IPC, without a counter");
	same(consumer("on", pid, 0), 0, "having it monitored, still without a counter");
	close(fd);
	same(consumer("on", pid, 0), 0, "having it monitored again");
	same(wait_for_metric(pid, METRIC_IPC, &value), 0, "its IPC, as counters are free");
	end(pid);
	run("echo deactivate template >" MANAGER);
}

/* The same on a big core and on a little one, which takes two cycles for an instruction. */
static void ratio(void)
{
	unsigned long long ipc, age;
	int i;

	if (nr_core_types < 2)
		return;
	run("echo activate template >" MANAGER);
	for (i = 0; i < 2; i++) {
		pid_t pid = spinner(core_types[i].first_cpu);

		consumer("on", pid, 0);
		same(wait_for_metric(pid, METRIC_IPC, &ipc), 0, "core type %d: IPC", i);
		/* The thread may have started on another CPU. */
		usleep(50000);
		same(metric(pid, METRIC_IPC, &ipc, &age), 0, "core type %d: IPC, later", i);
		within(ipc, i ? 495 : 990, i ? 505 : 1010, "core type %d: IPC in thousandths", i);
		end(pid);
	}
	run("echo deactivate template >" MANAGER);
}

static atomic_bool enough;

static void *sleeper(void *unused)
{
	while (!enough) {
		usleep(500);
		spin(2000);
	}
	return unused;
}

/* Threads start, move, exec and end while all threads are monitored. */
static void many_threads(int fd)
{
	pthread_t id[8];
	pid_t pid;
	int i, j;

	enough = false;
	for (i = 0; i < 8; i++)
		pthread_create(&id[i], NULL, sleeper, NULL);
	for (i = 0; i < by_size(24, 60); i++) {
		pid = fork();
		if (!pid) {
			if (i % 3 == 0)
				execl("/tests/programs/known_loop", "known_loop", NULL);
			spin(50000);
			_exit(0);
		}
		if (fd >= 0 && i % 4 == 0)
			try_command(fd, "attach %d", pid);
		for (j = 0; j < 4; j++)
			pin(pid, (i + j) % 4);
		waitpid(pid, NULL, 0);
	}
	enough = true;
	for (i = 0; i < 8; i++)
		pthread_join(id[i], NULL);
}

static void probed(void)
{
	struct records records = { };
	int fd = open_session(), i;

	command(fd, "ring 16384\nvirtual probe_turns,probe_ticks,probe_instructions,probe_loaded\n"
		"period 5ms\nfollow children");
	write_file(CONSUMER, "all 1");
	for (i = 0; i < 3; i++)
		many_threads(i == 1 ? -1 : fd);
	write_file(CONSUMER, "all 0");
	command(fd, "stop");
	read_records(fd, &records);
	close(fd);
	if (!records.nr)
		fail("no records");
	if (!value_in(CONSUMER, "switch_found") || !value_in(CONSUMER, "tick_found"))
		fail("no metric was found");
	same(value_in(CONSUMER, "switch_odd") + value_in(CONSUMER, "tick_odd"), 0,
	     "unexpected results");
	if (value_in("/proc/pmc/config", "test_probe.execs") < 20)
		fail("execs were not reported");
	if (value_in("/proc/pmc/config", "test_probe.ticks") < 3)
		fail("ticks were not reported");
	printf("%d records; consumer found %lld in ticks, %lld at switches\n", records.nr,
	       value_in(CONSUMER, "tick_found"), value_in(CONSUMER, "switch_found"));
	forget_records(&records);
}

/* The module is activated and deactivated again and again meanwhile. */
static void activate_repeatedly(void)
{
	pid_t pid = fork();
	int i, status;

	if (!pid) {
		for (i = 0; i < by_size(2, 4); i++)
			many_threads(-1);
		_exit(result());
	}
	write_file(CONSUMER, "all 1");
	for (i = 0; i < by_size(8, 40); i++) {
		usleep(3000);
		if (write_file(MANAGER, "deactivate test_probe"))
			fail("round %d: deactivate: %s", i, strerror(errno));
		if (write_file(MANAGER, "activate test_probe"))
			fail("round %d: activate: %s", i, strerror(errno));
	}
	waitpid(pid, &status, 0);
	same(status, 0, "the status of the process with all the threads");
	write_file(CONSUMER, "all 0");
}

/* The counts of a module's threads are right, whoever requested their monitoring. */
static void exact(void)
{
	struct pmc_totals t = { .core_type = PMC_ALL_CORE_TYPES };
	int fd = open_session(), i;
	long long before, found;
	int go[2];
	pid_t pid;
	char c;

	before = value_in("/proc/pmc/config", "test_probe.instructions");
	command(fd, "ring 4096\nevents " INSTRUCTIONS "\nvirtual probe_turns\nfollow children\nenable exec");
	if (pipe(go))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		if (read(go[0], &c, 1) == 1)
			execl("/tests/programs/known_loop", "known_loop", NULL);
		_exit(1);
	}
	command(fd, "attach %d", pid);
	if (write(go[1], "x", 1) != 1)
		die("write: %s", strerror(errno));
	close(go[0]);
	close(go[1]);
	for (i = 0; i < 40; i++) {
		usleep(3000);
		sched_setaffinity(pid, sizeof(cpu_set_t), &core_types[i % nr_core_types].cpus);
	}
	waitpid(pid, NULL, 0);
	command(fd, "stop");
	if (ioctl(fd, PMC_IOC_TOTALS, &t))
		fail("PMC_IOC_TOTALS: %s", strerror(errno));
	same(t.counts[0], KNOWN_LOOP, "the program's instructions");
	found = value_in("/proc/pmc/config", "test_probe.instructions") - before;
	/* The module monitored the thread before its exec. */
	within(found, KNOWN_LOOP, KNOWN_LOOP + 20000, "instructions in the module's samples");
	close(fd);
}

/* Check the manager's last error. */
static void last_error(const char *word)
{
	char text[512] = "";
	FILE *f = fopen(MANAGER, "r");

	while (f && fgets(text, sizeof(text), f))
		;
	if (f)
		fclose(f);
	mentions(text, word, "the last error");
}

/* Requests that a module must not make; each refusal has its reason. */
static void refusals(void)
{
	set_config("test_probe.events=%s:ebs=100000", expanded(INSTRUCTIONS));
	same(write_file(MANAGER, "activate test_probe"), -EINVAL, "sampling periods");
	last_error("sampling periods (ebs)");
	set_config("test_probe.events=");
	same(write_file("/proc/pmc/config", "test_probe.period_us=x"), -EINVAL, "no number");
	last_error("test_probe takes no such period_us");
}

/* A module that wants no further samples gets none; its threads keep counting. */
static void no_period(void)
{
	unsigned long long value, age = 0;
	pid_t pid = spinner(0);

	consumer("on", pid, 0);
	same(wait_for_metric(pid, METRIC_OCCUPANCY, &value), 0, "its metric");
	set_config("test_probe.period_us=0");
	usleep(100000);
	same(metric(pid, METRIC_OCCUPANCY, &value, &age), 0, "its metric, without a period");
	if (age < 50000000)
		fail("a sample %llu ns ago, of no period", age);
	set_config("test_probe.period_us=2000");
	end(pid);
}

/* A process that waits for a byte, and then has io_uring make a thread of it. */
static pid_t io_uring_process(int *go)
{
	struct io_uring_params params = {
		.flags = IORING_SETUP_SQPOLL,
		.sq_thread_idle = 10,
	};
	int ends[2];
	pid_t pid;
	char c;

	if (pipe(ends))
		die("pipe: %s", strerror(errno));
	*go = ends[1];
	pid = fork();
	if (pid) {
		close(ends[0]);
		return pid;
	}
	if (read(ends[0], &c, 1) != 1 || syscall(SYS_io_uring_setup, 4, &params) < 0)
		die("io_uring_setup: %s", strerror(errno));
	for (;;)
		pause();
}

/* A thread of a process that is not its first one; waits until there is one. */
static pid_t other_thread_of(pid_t pid)
{
	pid_t tid = 0;
	char path[40];
	int i;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	for (i = 0; i < 1000 && !tid; i++) {
		DIR *dir = opendir(path);
		struct dirent *e;

		if (!dir)
			die("%s: %s", path, strerror(errno));
		while ((e = readdir(dir)))
			if (atoi(e->d_name) && atoi(e->d_name) != pid)
				tid = atoi(e->d_name);
		closedir(dir);
		if (!tid)
			usleep(4000);
	}
	if (!tid)
		die("process %d has one thread", pid);
	return tid;
}

/* A thread that io_uring makes for a monitored process is monitored, and can be turned off. */
static void io_uring_thread(void)
{
	pid_t pid, tid;
	int go;

	pid = io_uring_process(&go);
	same(consumer("on", pid, 0), 0, "having a process monitored");
	wait_until_known(pid, METRIC_OCCUPANCY, true);
	if (write(go, "x", 1) != 1)
		die("write: %s", strerror(errno));
	tid = other_thread_of(pid);
	wait_until_known(tid, METRIC_OCCUPANCY, true);
	same(consumer("off", tid, 0), 0, "having io_uring's thread monitored no more");
	wait_until_known(tid, METRIC_OCCUPANCY, false);
	same(consumer("on", tid, 0), 0, "having it monitored again");
	wait_until_known(tid, METRIC_OCCUPANCY, true);
	same(consumer("end", pid, 0), 0, "ending the monitoring of all the process's threads");
	wait_until_known(pid, METRIC_OCCUPANCY, false);
	wait_until_known(tid, METRIC_OCCUPANCY, false);
	close(go);
	end(pid);
}

static void *spin_in(void *up)
{
	atomic_fetch_add((atomic_int *)up, 1);
	while (!enough)
		spin(100000);
	return up;
}

static void *wait_in(void *up)
{
	atomic_fetch_add((atomic_int *)up, 1);
	while (!enough)
		pause();
	return up;
}

/* A process with so many running and waiting threads. */
static pid_t process_of(int running, int waiting)
{
	atomic_int up = 0;
	pthread_t id;
	int go[2], i;
	pid_t pid;
	char c;

	if (pipe(go))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		for (i = 0; i < running - 1 + waiting; i++)
			pthread_create(&id, NULL, i < waiting ? wait_in : spin_in, &up);
		while (up < running - 1 + waiting)
			sched_yield();
		if (write(go[1], "x", 1) == 1)
			spin_in(&up);
		_exit(1);
	}
	if (read(go[0], &c, 1) != 1)
		die("read: %s", strerror(errno));
	close(go[0]);
	close(go[1]);
	/* Time for the waiting threads to begin to wait */
	usleep(20000);
	return pid;
}

/*
 * The rule of sf.c: more threads than big cores share them in turns, and the gain falls
 * with the square of the number of turns.
 */
static void app_speedup(int running, int waiting, int sf, int big)
{
	unsigned long long value = 0, age;
	int turns = (running + big - 1) / big;
	pid_t pid = process_of(running, waiting);

	consumer("on", pid, 0);
	same(wait_for_metric(pid, METRIC_APP_SPEEDUP, &value), 0, "%d threads: speedup", running);
	same(value, 1000 + (sf - 1000) / (turns * turns),
	     "speedup of %d running threads and %d others by %d big cores, of factor %d/1000",
	     running, waiting, big, sf);
	same(metric(pid, METRIC_APP_THREADS, &value, &age), 0, "number of threads");
	same(value, running, "running threads");
	same(metric(pid, METRIC_SPEEDUP, &value, &age), 0, "the thread's own speedup factor");
	same(value, sf, "the thread's own speedup factor");
	end(pid);
}

static void set_online(int cpu, int online)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	if (write_file(path, "%d", online))
		die("%s cannot be written", path);
}

/* With a model that has the same estimate for every program. */
static void app_speedups(void)
{
	static const int factors[] = { 2500, 800 };
	const struct core_type *fast = &core_types[value_in("/proc/pmc/info", "fastest")];
	int big = CPU_COUNT(&fast->cpus), last, i, ct, n;

	for (last = CPU_SETSIZE - 1; !CPU_ISSET(last, &fast->cpus); last--)
		;
	run("insmod /lib/pmctrack/pmc_estimated_sf.ko");
	set_config("estimated_sf.period_ms=10");
	for (i = 0; i < 2; i++) {
		set_config("estimated_sf.model=all alike");
		for (ct = 0; ct < nr_core_types; ct++) {
			set_config("estimated_sf.%d.set=%s", ct,
				   expanded("instr:ev=@I,cycles:ev=@C"));
			set_config("estimated_sf.%d.estimate=%d.%d", ct, factors[i] / 1000,
				   factors[i] / 100 % 10);
		}
		activate("estimated_sf");
		for (n = 1; n <= 2 * big + 2; n++)
			app_speedup(n, n % 3, factors[i], big);
		/* An offline core does not count. */
		if (big > 1) {
			set_online(last, 0);
			app_speedup(big, 1, factors[i], big - 1);
			set_online(last, 1);
		}
		deactivate("estimated_sf");
	}
	run("rmmod pmc_estimated_sf");
}

#define MANY	200
#define AT_ONCE	1100

static void *sleeper_in(void *arg)
{
	int *at = arg;
	char c;

	__atomic_store_n(&at[1], gettid(), __ATOMIC_RELEASE);
	return read(at[0], &c, 1) < 0 ? arg : NULL;
}

static void monitor(int tid, const char *verb)
{
	while (consumer(verb, tid, 0) == -EAGAIN)
		usleep(4000);
}

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

static int at[AT_ONCE][2], go[2];
static pthread_t sleepers[AT_ONCE];

static void start_sleepers(int n)
{
	int i;

	if (pipe(go))
		die("pipe: %s", strerror(errno));
	memset(at, 0, sizeof(at));
	for (i = 0; i < n; i++) {
		at[i][0] = go[0];
		if (pthread_create(&sleepers[i], NULL, sleeper_in, at[i]))
			die("no thread %d", i);
	}
	for (i = 0; i < n; i++)
		while (!__atomic_load_n(&at[i][1], __ATOMIC_ACQUIRE))
			usleep(1000);
}

static void end_sleepers(int n)
{
	int i;

	close(go[1]);
	for (i = 0; i < n; i++)
		pthread_join(sleepers[i], NULL);
	close(go[0]);
}

/* Hundreds of threads are enabled and disabled, one tick after the other. */
static void many(void)
{
	long long begin;
	int i;

	start_sleepers(MANY);
	begin = now_ms();
	for (i = 0; i < MANY; i++)
		monitor(at[i][1], "on");
	for (i = 0; i < MANY; i++)
		wait_until_known(at[i][1], METRIC_OCCUPANCY, true);
	printf("%d threads enabled in %lld ms\n", MANY, now_ms() - begin);
	begin = now_ms();
	for (i = 0; i < MANY; i++)
		monitor(at[i][1], "off");
	for (i = 0; i < MANY; i++)
		wait_until_known(at[i][1], METRIC_OCCUPANCY, false);
	printf("and let go of in %lld ms\n", now_ms() - begin);
	within(now_ms() - begin, 0, 2000, "ms to let go of %d threads", MANY);
	end_sleepers(MANY);
}

/* Wait until the module monitors so many threads. */
static void wait_for_threads(int n)
{
	int i, found = -1;

	for (i = 0; i < 1000 && found != n; i++) {
		usleep(10000);
		found = value_in("/proc/pmc/config", "test_probe.threads");
	}
	same(found, n, "threads that the module monitors");
}

/* A scheduler that ends gives up all its threads at once, more than requests may wait. */
static void many_at_once(void)
{
	int i;

	wait_for_threads(0);
	start_sleepers(AT_ONCE);
	for (i = 0; i < AT_ONCE; i++)
		monitor(at[i][1], "on");
	wait_for_threads(AT_ONCE);
	same(consumer("end", getpid(), 0), 0, "ending the monitoring of %d threads", AT_ONCE);
	wait_for_threads(0);
	end_sleepers(AT_ONCE);
}

/* The scheduler that enabled a thread may be unloaded, and then pmctrack, while it runs. */
static void unload_all(void)
{
	pid_t pid;
	int i;

	for (i = 0; i < 5; i++) {
		pid = spinner(i % 2);
		run("insmod /lib/pmctrack/test_consumer.ko");
		monitor(pid, "on");
		usleep(20000);
		run("rmmod test_consumer");
		run("rmmod pmctrack");
		end(pid);
		run("insmod /lib/pmctrack/pmctrack.ko");
	}
}

int main(void)
{
	need_counters();
	run("insmod /lib/pmctrack/pmc_template.ko");
	run("insmod /lib/pmctrack/test_probe.ko");
	run("insmod /lib/pmctrack/test_consumer.ko");
	set_config("template.period_ms=10");
	refusals();
	one_thread();
	refused_at_first();
	ratio();
	app_speedups();
	run("echo activate test_probe >" MANAGER);
	exact();
	no_period();
	io_uring_thread();
	many();
	many_at_once();
	probed();
	activate_repeatedly();
	if (value_in("/proc/pmc/config", "test_probe.wrong"))
		run("dmesg | grep test_probe");
	run("echo deactivate test_probe >" MANAGER);
	same(value_in("/proc/pmc/config", "test_probe.threads"), 0, "threads left");
	same(value_in("/proc/pmc/config", "test_probe.wrong"), 0, "callbacks that were wrong");
	wait_until_idle();
	run("rmmod test_consumer");
	run("rmmod test_probe");
	run("rmmod pmc_template");
	unload_all();
	return result();
}
