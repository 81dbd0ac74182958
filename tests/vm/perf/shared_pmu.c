// SPDX-License-Identifier: GPL-2.0
/*
 * Side by side with the kernel's own perf where both share the PMU's counters, that is
 * everywhere except on x86 with exclusive=1 (x86/exclusive): neither ever gets a wrong
 * number, and the second user gets a share or a clear refusal.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "consumer.h"
#include "perf.h"

#define MAX_COUNTERS	16

static int types[16];
/* The event of instructions */
static int instructions;
/* Number of counters of each core type that can count it */
static int counters[16];

static int open_pinned(int ct, int config)
{
	struct perf_event_attr attr = {
		.type = types[ct], .config = config, .exclude_kernel = 1, .pinned = 1,
		.read_format = PERF_TIMES,
	};

	return perf_open(&attr, -1, core_types[ct].first_cpu, -1);
}

/* Open perf events until perf has no counter left. */
static int count_counters(int ct)
{
	int fds[MAX_COUNTERS], n = 0, i;
	struct value v;

	do {
		if (n == MAX_COUNTERS)
			die("core type %d: more than %d counters", ct, MAX_COUNTERS);
		fds[n] = open_pinned(ct, instructions);
	} while (perf_read(fds[n++], &v));
	for (i = 0; i < n; i++)
		close(fds[i]);
	return n - 1;
}

static void find_counters(void)
{
	int ct;

	/* None is kept from an unprivileged session of another test. */
	usleep(1100000);
	instructions = event_codes()->instructions;
	for (ct = 0; ct < nr_core_types; ct++) {
		types[ct] = perf_type(ct);
		counters[ct] = count_counters(ct);
		within(counters[ct], 4, MAX_COUNTERS, "core type %d: counters", ct);
	}
}

/* perf takes every counter of a CPU of a core type, that for cycles alone first. */
static int take_all(int *fds, int ct)
{
	int n = 0, i;

	if (core_types[ct].fixed_cycles >= 0)
		fds[n++] = open_pinned(ct, event_codes()->cycles);
	for (i = 0; i < counters[ct]; i++)
		fds[n++] = open_pinned(ct, instructions);
	return n;
}

/* A session on the first core type: @n times instructions, and @F, the counter of cycles. */
static int many_events(char *events, size_t size, int n)
{
	int first = core_types[0].fixed_cycles >= 0;

	snprintf(events, size, "events coretype=0,%s", first ? "@F," : "");
	while (n--)
		snprintf(events + strlen(events), size - strlen(events), INSTRUCTIONS "%s",
			 n ? "," : "");
	return first;
}

/*
 * perf counts from one prctl() to the next, the session from one ioctl() to the next; one
 * pair of calls is inside the other. Return: the session's count; *@theirs is perf's.
 */
static long both_count(int fd, long loops, long *theirs)
{
	struct step s[4];

	make_step(&s[0], SYS_prctl, PR_TASK_PERF_EVENTS_ENABLE, 0, 0);
	make_step(&s[1], SYS_ioctl, fd, PMC_IOC_START, 0);
	make_step(&s[2], SYS_prctl, PR_TASK_PERF_EVENTS_DISABLE, 0, 0);
	make_step(&s[3], SYS_ioctl, fd, PMC_IOC_STOP, 0);
	s[0].loops = s[1].loops = s[2].loops = loops;
	script(s, 4);
	if (s[1].result || s[3].result)
		die("start or stop failed: %s", why(fd));
	*theirs = script_length(s, 3);
	return script_length(s + 1, 3);
}

/* perf's group of two events and a session's two events: all fit, both counts are exact. */
static void groups(void)
{
	long ours, theirs, sum = 0, perf_sum = 0;
	struct value v, w;
	int fd = open_session(), a, b, i;

	pin(0, 0);
	command(fd, "events " INSTRUCTIONS "," CYCLES);
	a = perf_own(instructions, false, -1);
	b = perf_own(instructions, false, a);
	for (i = 0; i < 50; i++) {
		ours = both_count(fd, 2000 + 100 * i, &theirs);
		sum += ours;
		perf_sum += theirs;
		same(own_count(fd, -1, 0, 0), sum, "round %d: our instructions", i);
		if (!perf_read(a, &v) || !perf_read(b, &w))
			die("perf has no counter");
		same(v.count, perf_sum, "round %d: perf's instructions", i);
		same(w.count, perf_sum, "round %d: perf's second", i);
		same(v.running, v.enabled, "round %d: perf's running time", i);
	}
	close(a);
	close(b);
	close(fd);
}

/* perf has every counter of a CPU: the session is refused, and the error names perf. */
static void perf_first(void)
{
	int fds[MAX_COUNTERS + 1], fd = open_session(), i, n, ct = nr_core_types - 1;
	int cpu = core_types[ct].first_cpu;
	struct value v;
	long truth;

	n = take_all(fds, ct);
	command(fd, "events " INSTRUCTIONS);
	refused_start(fd, EBUSY, "perf");
	command(fd, "clear\nevents %s", core_types[ct].fixed_cycles >= 0 ? "@F" : INSTRUCTIONS);
	refused_start(fd, EBUSY, "no counter is free");
	command(fd, "clear");
	/* perf releases one counter: there is room for one event, not for two. */
	close(fds[3]);
	command(fd, "events " INSTRUCTIONS);
	start(fd);
	stop(fd);
	command(fd, "stop\nclear\nevents " INSTRUCTIONS "," INSTRUCTIONS);
	refused_start(fd, EBUSY, "perf");
	command(fd, "clear\nevents " INSTRUCTIONS);
	pin(0, cpu);
	truth = counted_loop(fd, 100000);
	same(own_count(fd, -1, 0, 0), truth, "instructions on the counter that is left");
	for (i = 0; i < n; i++) {
		if (i == 3)
			continue;
		same(perf_read(fds[i], &v), true, "perf's counter %d works", i);
		same(v.running, v.enabled, "perf's counter %d, running time", i);
		close(fds[i]);
	}
	close(fd);
}

/* The session has every counter: perf's pinned event gets none, other events wait. */
static void perf_second(void)
{
	int fd = open_session(), pinned, flexible, fds[MAX_COUNTERS + 1], first, n, i;
	long truth, before, loops = 300000;
	char events[300];
	struct value v;

	pin(0, core_types[0].first_cpu);
	first = many_events(events, sizeof(events), counters[0]);
	command(fd, "%s", events);
	/* From here on the session has the counters. */
	start(fd);
	stop(fd);
	before = own_count(fd, -1, 0, first);
	pinned = perf_own(instructions, true, -1);
	flexible = perf_own(instructions, false, -1);
	ioctl(flexible, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(pinned, PERF_EVENT_IOC_ENABLE, 0);
	truth = counted_loop(fd, loops);
	for (i = first; i < first + counters[0]; i++)
		same(own_count(fd, -1, 0, i) - before, truth,
		     "our counter %d, with perf wanting it", i);
	same(perf_read(pinned, &v), false, "perf's pinned event has a value");
	same(perf_read(flexible, &v), true, "perf's flexible event has a value");
	same(v.count, 0, "count of perf's event without a counter");
	same(v.running, 0, "its running time");
	if (!v.enabled)
		fail("its enabled time is 0");
	close(pinned);
	close(fd);
	/* The session is closed: perf's event gets a counter, and counts correctly from now on. */
	ioctl(flexible, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(flexible, PERF_EVENT_IOC_RESET, 0);
	ioctl(flexible, PERF_EVENT_IOC_ENABLE, 0);
	spin(loops);
	ioctl(flexible, PERF_EVENT_IOC_DISABLE, 0);
	perf_read(flexible, &v);
	within(v.count, 2 * loops, 2 * loops + 1000, "perf's event when we are gone");
	close(flexible);
	n = take_all(fds, 0);
	for (i = 0; i < n; i++) {
		same(perf_read(fds[i], &v), true, "counter %d after us", i);
		close(fds[i]);
	}
}

/* Return: whether a record since the last call says that a counter was taken away. */
static bool counter_was_lost(int fd)
{
	struct records records = { };
	bool lost = false;
	int i;

	read_records(fd, &records);
	for (i = 0; i < records.nr; i++)
		lost = lost || records.all[i].head.flags & PMC_REC_COUNTER_LOST;
	forget_records(&records);
	return lost;
}

/*
 * A pinned event of perf that was opened before the session, but not enabled, takes a
 * counter away when it is enabled. Samples say so, and when the event is closed the session
 * gets the counter again.
 */
static void perf_takes_one(void)
{
	struct perf_event_attr attr = {
		.type = types[0], .config = instructions, .exclude_kernel = 1, .disabled = 1,
		.pinned = 1,
	};
	int cpu = core_types[0].first_cpu, fd = open_session(), perf, first, patience, i;
	int other = open_session();
	uint64_t before[MAX_COUNTERS];
	char events[300];
	long truth;

	pin(0, cpu);
	/* The session that a thread has got first is loaded last. */
	command(other, "events sw=page_faults");
	counted_loop(other, 1000);
	perf = perf_open(&attr, -1, cpu, -1);
	first = many_events(events, sizeof(events), counters[0]);
	command(fd, "%s", events);
	counted_loop(fd, 1000);
	CHECK(!counter_was_lost(fd), "a counter is taken away by an event that is not enabled");
	ioctl(perf, PERF_EVENT_IOC_ENABLE, 0);
	counted_loop(fd, 1000);
	CHECK(counter_was_lost(fd), "no sample says that a counter was taken away");
	counter_was_lost(other);
	start(fd);
	start(other);
	stop(other);
	stop(fd);
	CHECK(counter_was_lost(fd), "a sample beside another session does not say so");
	CHECK(!counter_was_lost(other), "a session without counters has lost one");
	close(other);
	close(perf);
	for (patience = 0; patience < 200; patience++) {
		usleep(10000);
		counted_loop(fd, 1000);
		if (!counter_was_lost(fd))
			break;
	}
	CHECK(patience < 200, "the session does not get the counter again");
	for (i = first; i < first + counters[0]; i++)
		before[i - first] = own_count(fd, -1, 0, i);
	truth = counted_loop(fd, 100000);
	for (i = first; i < first + counters[0]; i++)
		same(own_count(fd, -1, 0, i) - before[i - first], truth,
		     "our counter %d, when perf's event has gone", i);
	CHECK(!counter_was_lost(fd), "a counter is taken away when perf's event has gone");
	close(fd);
}

struct alone {
	pthread_t id;
	pid_t tid;
	int cpu, fd, other, first;
	long truth, counted[MAX_COUNTERS];
};

/* No other task runs on the CPU meanwhile. */
static void *count_alone(void *arg)
{
	struct sched_param param = { .sched_priority = 1 };
	struct alone *a = arg;
	int i;

	a->tid = gettid();
	pin(0, a->cpu);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler: %s", strerror(errno));
	start(a->other);
	a->truth = counted_loop(a->fd, 200000000);
	stop(a->other);
	for (i = 0; i < counters[0]; i++)
		a->counted[i] = own_count(a->fd, -1, 0, a->first + i);
	return NULL;
}

/* Another CPU of the first core type */
static int other_cpu(int than)
{
	int cpu = 0;

	while (cpu == than || core_type_of(cpu))
		cpu++;
	return cpu;
}

/* Return: whether a counter of the thread that runs alone has missed events. */
static bool has_missed(const struct alone *a)
{
	bool missed = false;
	int i;

	for (i = 0; i < counters[0]; i++)
		missed = missed || a->counted[i] != a->truth;
	return missed;
}

/*
 * perf takes a counter and gives it back while a thread is counted that is never switched. The
 * session has the counter again before the thread stops, as another CPU has missed its counter.
 */
static void perf_takes_one_unseen(void)
{
	struct alone a = { .cpu = core_types[0].first_cpu, .fd = open_session(),
			   .other = open_session() };
	struct perf_event_attr attr = {
		.type = types[0], .config = instructions, .exclude_kernel = 1, .disabled = 1,
		.pinned = 1,
	};
	int cpus[] = { a.cpu, other_cpu(a.cpu) }, perf[2], i;
	struct records records = { };
	bool lost = false;
	char events[300];

	pin(0, cpus[1]);
	for (i = 0; i < 2; i++)
		perf[i] = perf_open(&attr, -1, cpus[i], -1);
	a.first = many_events(events, sizeof(events), counters[0]);
	command(a.fd, "%s", events);
	command(a.other, "events sw=page_faults");
	pthread_create(&a.id, NULL, count_alone, &a);
	usleep(20000);
	for (i = 0; i < 2; i++)
		ioctl(perf[i], PERF_EVENT_IOC_ENABLE, 0);
	counted_loop(a.fd, 1000);
	CHECK(counter_was_lost(a.fd), "the other CPU has not lost a counter");
	for (i = 0; i < 2; i++)
		close(perf[i]);
	pthread_join(a.id, NULL);
	read_records(a.fd, &records);
	for (i = 0; i < records.nr; i++)
		lost = lost || ((pid_t)records.all[i].head.tid == a.tid &&
				records.all[i].head.flags & PMC_REC_COUNTER_LOST);
	CHECK(has_missed(&a), "no counter has missed anything");
	CHECK(lost, "no record says that a counter has missed events");
	CHECK(!counter_was_lost(a.other), "a session without counters has missed events");
	forget_records(&records);
	close(a.fd);
	close(a.other);
}

/* Return: the age of a thread's metric after 100 ms, ns; the module's period is 2 ms. */
static unsigned long long age_of_metric(pid_t pid)
{
	unsigned long long value, age = 0;

	usleep(100000);
	same(metric(pid, METRIC_OCCUPANCY, &value, &age), 0, "the thread's metric");
	return age;
}

/*
 * perf takes away a counter of a monitoring module: the module gets no counts, and its metric
 * is not renewed until the module has its counter again.
 */
static void perf_takes_modules(void)
{
	struct perf_event_attr attr = {
		.type = types[0], .config = instructions, .exclude_kernel = 1, .disabled = 1,
		.pinned = 1,
	};
	int cpu = core_types[0].first_cpu, perf[MAX_COUNTERS], patience, i;
	unsigned long long value;
	pid_t pid;

	pin(0, other_cpu(cpu));
	for (i = 0; i < counters[0]; i++)
		perf[i] = perf_open(&attr, -1, cpu, -1);
	load_module("test_probe");
	load_module("test_consumer");
	activate("test_probe");
	pid = fork();
	if (!pid) {
		/* The parent's close() is to be the last. */
		for (i = 0; i < counters[0]; i++)
			close(perf[i]);
		pin(0, cpu);
		for (;;)
			spin(100000);
	}
	same(consumer("on", pid, 0), 0, "having the thread monitored");
	same(wait_for_metric(pid, METRIC_OCCUPANCY, &value), 0, "its metric");
	for (i = 0; i < counters[0]; i++)
		ioctl(perf[i], PERF_EVENT_IOC_ENABLE, 0);
	within(age_of_metric(pid), 50000000, 200000000, "age of a metric without a counter, ns");
	for (i = 0; i < counters[0]; i++)
		close(perf[i]);
	for (patience = 0; patience < 20 && age_of_metric(pid) > 60000000; patience++)
		;
	CHECK(patience < 20, "the metric is not renewed when perf's events have gone");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	deactivate("test_probe");
	unload_module("test_consumer");
	unload_module("test_probe");
}

/* perf has more events than counters are left: it multiplexes them; the session is exact. */
static void perf_rotates(void)
{
	int fd = open_session(), fds[MAX_COUNTERS], n = counters[0], first, i;
	long truth, loops = 20000000;
	char events[300];
	struct value v;

	pin(0, 0);
	first = many_events(events, sizeof(events), 3);
	command(fd, "%s", events);
	for (i = 0; i < n; i++)
		fds[i] = perf_own(instructions, false, -1);
	for (i = 0; i < n; i++)
		ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0);
	truth = counted_loop(fd, loops);
	for (i = 0; i < n; i++)
		ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
	for (i = first; i < first + 3; i++)
		same(own_count(fd, -1, 0, i), truth, "our counter %d while perf rotates", i);
	for (i = 0; i < n; i++) {
		perf_read(fds[i], &v);
		if (!v.running || v.running >= v.enabled)
			fail("perf's event %d ran %llu ns of %llu ns", i,
			     (unsigned long long)v.running, (unsigned long long)v.enabled);
		/* An instruction is a ns: no more than it ran. */
		within(v.count, 1, v.running, "perf's event %d", i);
		close(fds[i]);
	}
	close(fd);
}

/* Both sample by event count; each gets its own samples only. */
static void both_sample(void)
{
	struct perf_event_attr attr = {
		.type = types[0], .config = instructions, .exclude_kernel = 1, .disabled = 1,
		.sample_period = 15013, .sample_type = PERF_SAMPLE_TID, .read_format = PERF_TIMES,
	};
	int fd = open_session(), perf, n = 0;
	struct perf_event_mmap_page *page;
	struct records records = { };
	long ours, theirs;
	struct value v;
	long long rate = proc_value("config", "ebs_max_rate");
	size_t at;

	set_config("ebs_max_rate=10000");
	pin(0, 0);
	command(fd, "ring 4096\nevents " INSTRUCTIONS ":ebs=10007," CYCLES ":ebs=25013");
	perf = perf_open(&attr, 0, -1, -1);
	page = mmap(NULL, 17 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, perf, 0);
	if (page == MAP_FAILED)
		die("mmap of a perf event: %s", strerror(errno));
	ours = both_count(fd, 1000000, &theirs);
	read_records(fd, &records);
	perf_read(perf, &v);
	same(sum_records(&records, 0, -1, -1, 0), ours, "our instructions while perf samples");
	same(v.count, theirs, "perf's instructions while we sample");
	for (at = 0; at < page->data_head; n++) {
		struct perf_event_header *h = (void *)((char *)page + page->data_offset + at);

		same(h->type, PERF_RECORD_SAMPLE, "type of perf's record %d", n);
		at += h->size;
	}
	same(n, theirs / 15013, "perf's samples");
	same(nr_records(&records, 0, PMC_SAMPLE_EBS),
	     ours / 10007 + sum_records(&records, 0, -1, -1, 1) / 25013, "our samples");
	set_config("ebs_max_rate=%lld", rate);
	munmap(page, 17 * 4096);
	forget_records(&records);
	close(perf);
	close(fd);
}

/* ---- perf events come and go on every CPU while a session counts threads ---- */

static atomic_bool enough;
static atomic_long perf_rounds;

static void *disturb(void *arg)
{
	long nr = (long)arg;
	unsigned int seed = nr;
	int nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), fds[3], i, cpu, n;
	struct perf_event_attr attr = { .read_format = PERF_TIMES };
	struct value v;

	while (!enough) {
		n = 1 + rand_r(&seed) % 3;
		cpu = rand_r(&seed) % nr_cpus;
		attr.type = types[core_type_of(cpu)];
		attr.pinned = rand_r(&seed) % 2;
		attr.sample_period = rand_r(&seed) % 3 ? 0 : 200000;
		for (i = 0; i < n; i++) {
			attr.config = rand_r(&seed) % 2 ? instructions : (int)event_codes()->cycles;
			fds[i] = perf_open(&attr, -1, cpu, -1);
		}
		for (i = 0; i < 4; i++) {
			int f = fds[rand_r(&seed) % n];

			ioctl(f, PERF_EVENT_IOC_DISABLE, 0);
			if (rand_r(&seed) % 2)
				ioctl(f, PERF_EVENT_IOC_RESET, 0);
			ioctl(f, PERF_EVENT_IOC_ENABLE, 0);
			perf_read(f, &v);
		}
		for (i = 0; i < n; i++)
			close(fds[i]);
		perf_rounds++;
	}
	return NULL;
}

struct worker {
	pthread_t id;
	long truth, found;
	int fd, nr;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	int i;

	for (i = 0; i < 1200; i++) {
		w->truth += counted_loop(w->fd, 3000 + 100 * w->nr);
		if (i % 5 == 0)
			pin(0, (w->nr + i / 5) % sysconf(_SC_NPROCESSORS_ONLN));
	}
	w->found = own_count(w->fd, -1, 0, 1);
	return NULL;
}

static void disturbed(const char *options)
{
	struct worker workers[8] = { };
	int fd = open_session(), i;
	pthread_t id[2];

	enough = false;
	perf_rounds = 0;
	command(fd, "events " CYCLES "," INSTRUCTIONS "%s", options);
	/* The session has its counters before perf comes. */
	start(fd);
	stop(fd);
	for (i = 0; i < 2; i++)
		pthread_create(&id[i], NULL, disturb, (void *)(long)i);
	for (i = 0; i < 8; i++) {
		workers[i].fd = fd;
		workers[i].nr = i;
		pthread_create(&workers[i].id, NULL, work, &workers[i]);
	}
	for (i = 0; i < 8; i++) {
		pthread_join(workers[i].id, NULL);
		same(workers[i].found, workers[i].truth, "thread %d, perf coming and going%s",
		     i, options);
	}
	enough = true;
	for (i = 0; i < 2; i++)
		pthread_join(id[i], NULL);
	if (perf_rounds < 200)
		fail("perf came and went only %ld times", perf_rounds);
	printf("perf came and went %ld times\n", perf_rounds);
	close(fd);
}

int main(void)
{
	need_counters();
	find_counters();
	groups();
	perf_first();
	perf_second();
	perf_takes_one();
	perf_takes_one_unseen();
	perf_takes_modules();
	perf_rotates();
	both_sample();
	unpin(0);
	disturbed("");
	disturbed(":ebs=20000\nring 16\nperiod 1ms");
	wait_until_idle();
	return result();
}
