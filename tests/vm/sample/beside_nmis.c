// SPDX-License-Identifier: GPL-2.0
/*
 * perf samples kernel code so often that its NMIs come between any two instructions of the
 * module. Two threads and a process that is not counted take turns on the CPU, and each turn
 * begins and ends in the middle of a sampling period. Whatever an NMI changes meanwhile, periods stay what they are: sample k of a
 * thread is taken after k periods.
 *
 * The NMI of perf's AMD drivers updates all events of a CPU, also those that have not overflowed.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define TURNS		10000
#define PERIOD		5003
/* Of perf's samples. A switch takes some thousand instructions of the kernel, the NMI fewer. */
#define NMI_PERIOD	7001
/* Events between the end of a period and the sample */
#define LATE		300
#define SYSCTL(name)	"/proc/sys/kernel/" name

static int nr_turns;

struct thread {
	pthread_t id;
	pid_t tid;
	struct step *steps;
};

/* A process that nobody counts; the caller kills it. */
static pid_t others_events(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;) {
		spin(PERIOD);
		sched_yield();
	}
}

static void *run(void *arg)
{
	struct thread *t = arg;

	t->tid = gettid();
	script(t->steps, nr_turns + 2);
	return NULL;
}

static void check_thread(const struct records *records, pid_t tid, long truth)
{
	long count = 0, samples = 0, elsewhere = 0, i;

	for (i = 0; i < records->nr; i++) {
		const struct record *r = &records->all[i];

		if ((pid_t)r->head.tid != tid)
			continue;
		same(r->head.flags & ~PMC_REC_LAST, 0, "thread %d: flags of record %ld", tid, i);
		count += r->counts[0];
		if (r->head.event != PMC_SAMPLE_EBS)
			continue;
		samples++;
		if ((count < samples * PERIOD || count > samples * PERIOD + LATE) && !elsewhere++)
			fail("thread %d: sample %ld at event %ld", tid, samples, count);
	}
	same(elsewhere, 0, "thread %d: samples elsewhere", tid);
	same(count, truth, "thread %d: instructions", tid);
	same(samples, truth / PERIOD, "thread %d: samples", tid);
}

static void two_threads(void)
{
	struct records records = { };
	struct thread threads[2];
	int fd = open_session(), i, j;

	command(fd, "ring 65536\nevents " INSTRUCTIONS ":ebs=%d", PERIOD);
	for (i = 0; i < 2; i++) {
		struct step *s = aligned_alloc(4096, (nr_turns + 2) * sizeof(*s));

		make_step(&s[0], SYS_ioctl, fd, PMC_IOC_START, 0);
		for (j = 1; j <= nr_turns; j++)
			make_step(&s[j], SYS_sched_yield, 0, 0, 0);
		make_step(&s[j], SYS_ioctl, fd, PMC_IOC_STOP, 0);
		for (j = 0; j <= nr_turns; j++)
			s[j].loops = 509 + 503 * i + j % 256;
		threads[i].steps = s;
		if (pthread_create(&threads[i].id, NULL, run, &threads[i]))
			die("no thread");
	}
	for (i = 0; i < 2; i++)
		pthread_join(threads[i].id, NULL);
	command(fd, "stop");
	read_records(fd, &records);
	check_records(&records);
	for (i = 0; i < 2; i++) {
		check_thread(&records, threads[i].tid, script_length(threads[i].steps, nr_turns + 2));
		free(threads[i].steps);
	}
	forget_records(&records);
	close(fd);
}

int main(void)
{
	struct perf_event_attr attr = {
		.config = event_codes()->instructions, .exclude_user = 1,
		.sample_period = NMI_PERIOD, .sample_type = PERF_SAMPLE_IP,
	};
	int percent, rate, perf;
	long long max_rate;
	pid_t other;

	need_counters();
	nr_turns = by_size(TURNS, 10 * TURNS);
	pin(0, 0);
	/* While the first is 100 the second cannot be set. */
	percent = change_number(SYSCTL("perf_cpu_time_max_percent"), 25);
	rate = change_number(SYSCTL("perf_event_max_sample_rate"), 100000000);
	change_number(SYSCTL("perf_cpu_time_max_percent"), 100);
	max_rate = proc_value("config", "ebs_max_rate");
	set_config("ebs_max_rate=10000");
	attr.type = perf_type(core_type_of(0));
	perf = perf_open(&attr, -1, 0, -1);
	other = others_events();
	two_threads();
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	printf("%lld instructions of the kernel, %lld NMIs\n", perf_count(perf),
	       perf_count(perf) / NMI_PERIOD);
	close(perf);
	set_config("ebs_max_rate=%lld", max_rate);
	change_number(SYSCTL("perf_cpu_time_max_percent"), 25);
	change_number(SYSCTL("perf_event_max_sample_rate"), rate);
	change_number(SYSCTL("perf_cpu_time_max_percent"), percent);
	unpin(0);
	wait_until_idle();
	return result();
}
