// SPDX-License-Identifier: GPL-2.0
/*
 * Counting whole CPUs: everything that runs on them in user mode is counted, and a loop that
 * runs there alone is a known part. Also tested: requests that system-wide sessions refuse,
 * and a session of threads at the same time.
 *
 * Other programs run on a CPU, too, so its count is exact only as a difference: that of the
 * CPU's counter is compared with the thread's own, around the same loop, while nothing else
 * can run there.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

static void refusals_without_counters(void)
{
	int fd = open_session();

	refused(fd, EINVAL, "nothing to count", "syswide");
	command(fd, "events sw=page_faults");
	refused(fd, EINVAL, "software", "syswide");
	/* The session is unchanged and can count threads. */
	start(fd);
	touch_pages(50);
	stop(fd);
	within(total(fd, -1, 0, 0), 50, 60, "page faults");
	close(fd);
	wait_until_idle();
}

#define LOOPS	3000000

static int nr_cpus;

struct worker {
	pthread_t id;
	int cpu, session;
	long truth, found;
};

static pthread_barrier_t together;

static void *work(void *arg)
{
	struct worker *w = arg;
	int i;

	pin(0, w->cpu);
	pthread_barrier_wait(&together);
	/* Two sets of a CPU are multiplexed. */
	for (i = 0; i < 4; i++)
		w->truth += counted_loop(w->session, LOOPS / 4 + 1000 * w->cpu);
	w->found = own_count(w->session, -1, 0, 0);
	return NULL;
}

static void check_cpus(const struct records *records, long long period)
{
	bool ticked[CPU_SETSIZE] = { };
	uint64_t last[CPU_SETSIZE] = { };
	int i;

	for (i = 0; i < records->nr; i++) {
		const struct pmc_record *h = &records->all[i].head;

		if (!(h->flags & PMC_REC_SYSWIDE))
			fail("record %d is not flagged as system-wide", i);
		if (h->pid || h->tid)
			fail("record %d has pid %u, tid %u", i, h->pid, h->tid);
		if (h->event != PMC_SAMPLE_TICK && h->event != PMC_SAMPLE_SELF)
			fail("record %d: event %u", i, h->event);
		if (h->cpu >= (unsigned int)nr_cpus)
			fail("record %d: CPU %u", i, h->cpu);
		else if (h->core_type != core_type_of(h->cpu))
			fail("record %d: CPU %u of core type %u", i, h->cpu, h->core_type);
		if (last[h->cpu])
			same(h->time - h->elapsed, last[h->cpu], "record %d: where it begins", i);
		last[h->cpu] = h->time;
		if (h->running > h->elapsed)
			fail("record %d: ran %llu ns of %llu ns", i, h->running, h->elapsed);
		/* A requested sample may come at any time between two others. */
		if (period && h->event == PMC_SAMPLE_TICK && ticked[h->cpu] &&
		    h->elapsed < (uint64_t)period / 2)
			fail("record %d: a tick after %llu ns", i, h->elapsed);
		ticked[h->cpu] = h->event == PMC_SAMPLE_TICK;
	}
}

static uint64_t cpu_sum(const struct records *records, int cpu, int count)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < records->nr; i++)
		if ((int)records->all[i].head.cpu == cpu)
			sum += records->all[i].counts[count];
	return sum;
}

/* Two threads on each CPU, which another session counts. */
static void all_cpus(long long period)
{
	int fd = open_session(), threads = open_session(), i, n = 2 * nr_cpus, ct;
	struct worker *workers = calloc(n, sizeof(*workers));
	struct records records = { };
	uint64_t counting[16];
	long truth;

	command(threads, "events pmc@5=@I");
	command(fd, "ring 16384\nperiod %lldus\nevents pmc@1=@I,@F,pmc@3=@I,usr@3=1,os@3=1",
		period / 1000);
	pthread_barrier_init(&together, NULL, n + 1);
	for (i = 0; i < n; i++) {
		workers[i].cpu = i % nr_cpus;
		workers[i].session = threads;
		pthread_create(&workers[i].id, NULL, work, &workers[i]);
	}
	command(fd, "syswide");
	pthread_barrier_wait(&together);
	for (i = 0; i < n; i++)
		pthread_join(workers[i].id, NULL);
	/* Totals include the last samples: at least earlier records, at most later ones. */
	read_records(fd, &records);
	for (ct = 0; ct < nr_core_types; ct++)
		counting[ct] = total(fd, ct, 0, 0);
	for (ct = 0; period && ct < nr_core_types; ct++)
		CHECK(counting[ct] && counting[ct] >= sum_records(&records, 0, ct, -1, 0),
		      "core type %d: total %llu while it counts, records before: %llu", ct,
		      (unsigned long long)counting[ct],
		      (unsigned long long)sum_records(&records, 0, ct, -1, 0));
	read_records(fd, &records);
	for (ct = 0; period && ct < nr_core_types; ct++)
		CHECK(counting[ct] <= sum_records(&records, 0, ct, -1, 0),
		      "core type %d: total %llu while it counts, records after: %llu", ct,
		      (unsigned long long)counting[ct],
		      (unsigned long long)sum_records(&records, 0, ct, -1, 0));
	command(fd, "sample\nstop");
	read_records(fd, &records);
	check_cpus(&records, period);
	for (i = 0; i < nr_cpus; i++) {
		int ticks = 0, last = 0, j;

		truth = workers[i].truth + workers[i + nr_cpus].truth;
		same(workers[i].found + workers[i + nr_cpus].found, truth,
		     "CPU %d: instructions of its threads", i);
		/* Starting and ending the threads happens in user mode, too. */
		within(cpu_sum(&records, i, 0), truth, truth + 3000000, "CPU %d: user instructions", i);
		if (cpu_sum(&records, i, 2) <= cpu_sum(&records, i, 0))
			fail("CPU %d: no kernel instructions", i);
		for (j = 0; j < records.nr; j++) {
			const struct pmc_record *h = &records.all[j].head;

			if ((int)h->cpu != i)
				continue;
			ticks += h->event == PMC_SAMPLE_TICK;
			last += !!(h->flags & PMC_REC_LAST);
		}
		same(last, 1, "CPU %d: last records", i);
		if (period && !ticks)
			fail("CPU %d: no ticks", i);
	}
	for (ct = 0; ct < nr_core_types; ct++)
		for (i = 0; i < 3; i++)
			same(total(fd, ct, 0, i), sum_records(&records, 0, ct, -1, i),
			     "core type %d, count %d: the session's total", ct, i);
	printf("period %lld us: %d records\n", period / 1000, records.nr);
	forget_records(&records);
	free(workers);
	close(threads);
	close(fd);
}

/*
 * A thread with a real-time policy is alone on its CPU. Between two samples the CPU counts
 * the thread's loop in user mode, and the script that requests the samples.
 */
static void exactly(int cpu)
{
	struct sched_param param = { .sched_priority = 50 };
	static const char sample[] = "sample";
	struct records records = { };
	int fd = open_session(), i, n = 0, seen = 0;
	struct step s[12];

	command(fd, "ring 4096\nevents " INSTRUCTIONS);
	pin(0, cpu);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler: %s", strerror(errno));
	command(fd, "syswide %d", cpu);
	for (i = 0; i < 12; i++) {
		make_step(&s[i], SYS_write, fd, (long)sample, sizeof(sample) - 1);
		s[i].loops = 100000 + 7777 * i;
	}
	script(s, 12);
	command(fd, "stop");
	param.sched_priority = 0;
	sched_setscheduler(0, SCHED_OTHER, &param);
	unpin(0);
	read_records(fd, &records);
	check_cpus(&records, 0);
	/* From one sample to the next, the first being before the script. */
	for (i = 0; i < records.nr; i++) {
		if (records.all[i].head.event != PMC_SAMPLE_SELF || (int)records.all[i].head.cpu != cpu)
			continue;
		if (n && n < 12) {
			same(records.all[i].counts[0], script_length(&s[n - 1], 2),
			     "CPU %d: user instructions between samples %d and %d", cpu, n, n + 1);
			seen++;
		}
		n++;
	}
	same(seen, 11, "stretches between samples");
	forget_records(&records);
	close(fd);
}

static void become_user(void)
{
	if (setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
		die("becoming a user: %s", strerror(errno));
}

static void refusals(void)
{
	int fd = open_session(), other = open_session(), third = open_session(), status;
	pid_t pid;

	refused(fd, EINVAL, "nothing to count", "syswide");
	command(fd, "events pmc@1=@I,sw=page_faults");
	refused(fd, EINVAL, "software", "syswide");
	command(fd, "clear\nevents pmc@1=@I,ebs@1=10000");
	refused(fd, EINVAL, "ebs", "syswide");
	command(fd, "clear\nevents pmc@1=@I");
	refused(fd, EINVAL, "CPU", "syswide 64-70");
	/* A counter that another session uses. */
	command(other, "events pmc@1=@I");
	start(other);
	stop(other);
	refused(fd, EBUSY, "pmc@1", "syswide");
	command(other, "stop");
	command(fd, "syswide");
	refused(fd, EBUSY, "counting", "syswide");
	refused(fd, EBUSY, "counts CPUs", "attach %d", getpid());
	refused_start(other, EBUSY, "system-wide");
	/* Other CPUs are available to other sessions. */
	command(other, "clear\nevents pmc@2=@I");
	command(third, "events " CYCLES);
	command(third, "syswide 0");
	command(fd, "stop");
	refused(third, EBUSY, "stop", "events " INSTRUCTIONS);
	close(third);
	close(fd);
	start(other);
	stop(other);
	close(other);
	pid = fork();
	if (!pid) {
		become_user();
		fd = open_session();
		refused(fd, EACCES, "perf_event_paranoid", "syswide");
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of a user");
}

/*
 * All counters that can count instructions are in use, one of them by a system-wide
 * session. A user's sessions share the other counters, and are not placed on that one.
 */
static void all_in_use(void)
{
	int nr = __builtin_popcountll(core_types[0].general) + core_types[0].fixed_instructions;
	char events[50 + 50 * PMC_MAX_COUNTS] = "events coretype=0";
	int cpus = open_session(), status, i;
	pid_t pid;

	for (i = 1; i < nr; i++)
		strcat(events, "," INSTRUCTIONS);
	command(cpus, "events coretype=0,pmc@1=@I");
	command(cpus, "syswide");
	set_config("free_counters=0");
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid cannot be set");
	pid = fork();
	if (!pid) {
		int one, other;

		become_user();
		one = open_session();
		other = open_session();
		command(one, "%s", events);
		start(one);
		command(other, "%s", events);
		start(other);
		stop(one);
		stop(other);
		command(other, "stop\nclear");
		refused(other, ENOSPC, "do not fit", "%s," INSTRUCTIONS, events);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of a user, all counters in use");
	write_file("/proc/sys/kernel/perf_event_paranoid", "3");
	set_config("free_counters=2");
	close(cpus);
}

int main(void)
{
	read_machine();
	if (!core_types[0].nr_hw) {
		refusals_without_counters();
		return result();
	}
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	refusals();
	all_in_use();
	exactly(0);
	exactly(nr_cpus - 1);
	all_cpus(1000000);
	all_cpus(0);
	wait_until_idle();
	return result();
}
