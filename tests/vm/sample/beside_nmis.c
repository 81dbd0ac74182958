// SPDX-License-Identifier: GPL-2.0
/*
 * perf samples kernel code so often that its NMIs come between any two instructions of the
 * module. Two threads and a process that is not counted take turns on the CPU, and each turn
 * begins and ends in the middle of a sampling period. Whatever an NMI changes meanwhile, periods
 * stay what they are: sample k of a thread is taken after k periods.
 *
 * The NMI of perf's AMD drivers updates all events of a CPU, also those that have not overflowed.
 *
 * Events of the kernel's end periods in the middle of the module's own work as well. A sample of
 * such a period is late, but it is of the thread whose period it was, and there is one for each.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
/* Events between the end of a period and the sample; in kernel mode, while interrupts are off */
#define LATE		300
#define KERNEL_LATE	9000
#define KERNEL_PERIOD	20011
/* Of a turn, at most: events of the module's own switches, which are counted after the period. */
#define OF_NO_PERIOD	1000
/* Shorter than a turn, which has a sample of its own at its end */
#define SHORT_PERIOD	5003
#define LONG_TURN	10000
#define SYSCTL(name)	"/proc/sys/kernel/" name

static int nr_turns;

struct thread {
	pthread_t id;
	pid_t tid;
	struct step *steps;
};

/**
 * struct sampled - what is sampled
 * @event: in user mode, or both
 * @period: its sampling period
 * @loops: rounds of the loop in a turn, at least
 * @late: with kernel mode, how late a sample may be
 */
struct sampled {
	const char *event;
	int period;
	int loops;
	int late;
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

/*
 * Samples of a hundred, with kernel mode, that come only when the thread leaves the CPU: perf's
 * handler for Intel starts the counters before it unmasks their interrupt, and one that overflows
 * in between raises none (docs/status.md, "Known faults"). The next one is early then, so that each
 * counts twice. With backend=perf, half of the runs have one among 600 samples.
 */
static int at_the_end;

static void check_thread(const struct records *records, pid_t tid, const struct sampled *sampled,
			 long truth)
{
	long count = 0, samples = 0, elsewhere = 0, all = 0, i;

	for (i = 0; i < records->nr; i++) {
		const struct record *r = &records->all[i];

		if ((pid_t)r->head.tid != tid)
			continue;
		same(r->head.flags & ~PMC_REC_LAST, 0, "thread %d: flags of record %ld", tid, i);
		count += r->counts[0];
		if (r->head.event != PMC_SAMPLE_EBS)
			continue;
		samples++;
		if (sampled->late) {
			/* No count is known in kernel mode: from one sample to the next it is a period. */
			if (labs(count - sampled->period) > sampled->late && !elsewhere++)
				printf("thread %d: %ld events before sample %ld\n", tid, count, samples);
			all += count;
			count = 0;
		} else if (count < samples * PERIOD || count > samples * PERIOD + LATE) {
			if (!elsewhere++)
				fail("thread %d: sample %ld at event %ld", tid, samples, count);
		}
	}
	within(elsewhere, 0, sampled->late ? samples * at_the_end / 100 : 0,
	       "thread %d: samples elsewhere, of %ld", tid, samples);
	if (sampled->late) {
		within(count, 0, sampled->period + sampled->late, "thread %d: events behind the last sample",
		       tid);
		all += count;
		/* A sample is of a period that is over, of which there are no more than these. */
		within(samples, (all - (long)OF_NO_PERIOD * nr_turns) / sampled->period, all / sampled->period,
		       "thread %d: samples", tid);
		printf("thread %d: %ld samples, and %ld events of no period in a turn\n", tid, samples,
		       (all - samples * sampled->period) / nr_turns);
		return;
	}
	same(count, truth, "thread %d: instructions", tid);
	same(samples, truth / PERIOD, "thread %d: samples", tid);
}

static void two_threads(const struct sampled *sampled, int turns)
{
	struct records records = { };
	struct thread threads[2];
	int fd = open_session(), i, j;

	nr_turns = turns;
	command(fd, "ring 262144\nevents %s:ebs=%d", sampled->event, sampled->period);
	for (i = 0; i < 2; i++) {
		struct step *s = aligned_alloc(4096, (turns + 2) * sizeof(*s));

		make_step(&s[0], SYS_ioctl, fd, PMC_IOC_START, 0);
		for (j = 1; j <= turns; j++)
			make_step(&s[j], SYS_sched_yield, 0, 0, 0);
		make_step(&s[j], SYS_ioctl, fd, PMC_IOC_STOP, 0);
		for (j = 0; j <= turns; j++)
			s[j].loops = sampled->loops + 503 * i + j % 256;
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
		check_thread(&records, threads[i].tid, sampled, script_length(threads[i].steps, turns + 2));
		free(threads[i].steps);
	}
	forget_records(&records);
	close(fd);
}

static const struct sampled user = { INSTRUCTIONS, PERIOD, 509, 0 };
static const struct sampled both = { INSTRUCTIONS ":u:k", KERNEL_PERIOD, 509, KERNEL_LATE };
static const struct sampled both_often = { INSTRUCTIONS ":u:k", SHORT_PERIOD, LONG_TURN, KERNEL_LATE };

int main(void)
{
	struct perf_event_attr attr = {
		.config = event_codes()->instructions, .exclude_user = 1,
		.sample_period = NMI_PERIOD, .sample_type = PERF_SAMPLE_IP,
	};
	int percent, rate, perf, turns;
	long long max_rate;
	pid_t other;

	need_counters();
	/* perf's interface takes more time, and its faults are more frequent. */
	/* On Linux 6.12 and later, the module's own counters have no such samples here. */
	if (!system("grep -q GenuineIntel /proc/cpuinfo"))
		at_the_end = !strcmp(backend, "perf") ? 4 : system("uname -r | grep -q '^6[.]1[.]'") ? 0 : 1;
	turns = by_size(TURNS, 3 * TURNS) / (strcmp(backend, "perf") ? 1 : 4);
	pin(0, 0);
	/* While the first is 100 the second cannot be set. */
	percent = change_number(SYSCTL("perf_cpu_time_max_percent"), 25);
	rate = change_number(SYSCTL("perf_event_max_sample_rate"), 100000000);
	change_number(SYSCTL("perf_cpu_time_max_percent"), 100);
	max_rate = proc_value("config", "ebs_max_rate");
	set_config("ebs_max_rate=10000");
	/* Before perf's event is opened, which would live as long as this process. */
	other = others_events();
	attr.type = perf_type(core_type_of(0));
	perf = perf_open(&attr, -1, 0, -1);
	two_threads(&user, turns);
	two_threads(&both, turns);
	printf("%lld instructions of the kernel, %lld NMIs\n", perf_count(perf),
	       perf_count(perf) / NMI_PERIOD);
	close(perf);
	/* Its own overflows suffice. */
	two_threads(&both_often, turns / 2);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	set_config("ebs_max_rate=%lld", max_rate);
	change_number(SYSCTL("perf_cpu_time_max_percent"), 25);
	change_number(SYSCTL("perf_event_max_sample_rate"), rate);
	change_number(SYSCTL("perf_cpu_time_max_percent"), percent);
	unpin(0);
	wait_until_idle();
	return result();
}
