// SPDX-License-Identifier: GPL-2.0
/*
 * Time-based sampling, and multiplexed event sets: samples are on time, none is early, and
 * their times and counts follow each other without a gap.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

#define MS	1000000LL

/* Each sample begins at the end of the previous one. */
static void check_times(const struct records *records)
{
	const struct pmc_record *last = NULL, *h;
	int i;

	for (i = 0; i < records->nr; i++, last = h) {
		h = &records->all[i].head;
		if (last)
			same(h->time - h->elapsed, last->time, "sample %d: where it begins", i);
		if (h->running > h->elapsed)
			fail("sample %d (event %u): ran %llu ns of %llu ns", i, h->event,
			     h->running, h->elapsed);
	}
}

/* A thread that is always running: a sample each period, on a steady beat. */
static void busy(long long period, long loops)
{
	struct records records = { };
	int fd = open_session(), i, ticks = 0;
	long long begin, end, running = 0;
	long truth;

	pin(0, 1);
	command(fd, "ring 4096\nevents " INSTRUCTIONS "," CYCLES "\nperiod %lldus", period / 1000);
	truth = counted_loop(fd, loops);
	read_records(fd, &records);
	check_records(&records);
	check_times(&records);
	same(sum_records(&records, 0, -1, -1, 0), truth, "%lld ns: instructions", period);
	begin = records.all[0].head.time - records.all[0].head.elapsed;
	end = records.all[records.nr - 1].head.time;
	for (i = 0; i < records.nr; i++) {
		const struct pmc_record *h = &records.all[i].head;

		running += h->running;
		if (h->event != PMC_SAMPLE_TICK)
			continue;
		ticks++;
		/* Never early; a delay below a period does not shift later samples. */
		if ((long long)h->time < begin + ticks * period)
			fail("%lld ns: tick %d is %lld ns early", period, ticks,
			     begin + ticks * period - (long long)h->time);
	}
	same(ticks, records.nr - 1, "%lld ns: ticks among the records", period);
	same(records.all[records.nr - 1].head.event, PMC_SAMPLE_SELF, "last record");
	/* At worst other threads run at some of the ticks. */
	within(ticks, (end - begin) / period * 9 / 10, (end - begin) / period,
	       "%lld ns: ticks in %lld ns", period, end - begin);
	within(running, truth, end - begin, "%lld ns: running time", period);
	printf("period %lld us: %d samples in %lld us, %ld instructions\n",
	       period / 1000, ticks, (end - begin) / 1000, truth);
	forget_records(&records);
	close(fd);
	unpin(0);
}

/* A thread that sleeps: one sample when it wakes, not one for each period. */
static void asleep(void)
{
	struct timespec nap = { .tv_nsec = 95 * MS };
	struct records records = { };
	int fd = open_session(), i, slept = 0;
	struct step s[12];

	pin(0, 1);
	command(fd, "ring 4096\nevents " INSTRUCTIONS "\nperiod 10ms");
	make_step(&s[0], SYS_ioctl, fd, PMC_IOC_START, 0);
	for (i = 1; i < 11; i++)
		make_step(&s[i], SYS_nanosleep, (long)&nap, 0, 0);
	make_step(&s[11], SYS_ioctl, fd, PMC_IOC_STOP, 0);
	script(s, 12);
	read_records(fd, &records);
	check_records(&records);
	check_times(&records);
	same(sum_records(&records, 0, -1, -1, 0), script_length(s, 12), "instructions of a sleeper");
	for (i = 0; i < records.nr; i++)
		slept += records.all[i].head.elapsed >= 85 * MS &&
			 records.all[i].head.event == PMC_SAMPLE_TICK &&
			 records.all[i].head.running < 10 * MS;
	same(slept, 10, "samples over a sleep");
	within(nr_records(&records, 0, PMC_SAMPLE_TICK), 10, 20, "samples of a sleeper");
	forget_records(&records);
	close(fd);
	unpin(0);
}

/* Three sets on one core type, two on the other, all with instructions. */
static void multiplexed(void)
{
	static const int where[2][3] = { { 1, 0, 2 }, { 0, 1, -1 } };
	int nr_sets[2] = { 3, 2 }, next[2] = { 0, 0 }, fd = open_session(), i, ct, set, n = 0;
	struct records records = { };
	cpu_set_t masks[2];
	struct step s[42];
	uint64_t sum = 0;

	CPU_ZERO(&masks[0]);
	CPU_SET(0, &masks[0]);
	CPU_ZERO(&masks[1]);
	CPU_SET(core_types[nr_core_types - 1].first_cpu, &masks[1]);
	pin(0, 0);
	command(fd, "ring 4096\nperiod 1ms\n"
		"events coretype=0," CYCLES "," INSTRUCTIONS "\n"
		"events coretype=0,pmc@4=@I," CYCLES "\n"
		"events coretype=0,sw=task_clock," CYCLES "," INSTRUCTIONS);
	if (nr_core_types > 1)
		command(fd, "events coretype=1," INSTRUCTIONS "\n"
			"events coretype=1," CYCLES "," INSTRUCTIONS);
	make_step(&s[0], SYS_ioctl, fd, PMC_IOC_START, 0);
	for (i = 1; i < 41; i++)
		make_step(&s[i], SYS_sched_setaffinity, 0, sizeof(cpu_set_t), (long)&masks[i % 2]);
	make_step(&s[41], SYS_ioctl, fd, PMC_IOC_STOP, 0);
	for (i = 0; i < 41; i++)
		s[i].loops = 900001 + 70001 * i;
	script(s, 42);
	read_records(fd, &records);
	check_records(&records);
	check_times(&records);
	for (i = 0; i < records.nr; i++) {
		const struct pmc_record *h = &records.all[i].head;

		ct = h->core_type;
		same(h->set, next[ct], "sample %d, core type %d: set", i, ct);
		if (h->event == PMC_SAMPLE_TICK) {
			next[ct] = (next[ct] + 1) % nr_sets[ct];
			n++;
		}
	}
	if (n < 20)
		fail("only %d ticks", n);
	for (ct = 0; ct < nr_core_types; ct++) {
		for (set = 0; set < nr_sets[ct]; set++) {
			uint64_t part = sum_records(&records, 0, ct, set, where[ct][set]);

			if (!part)
				fail("core type %d, set %d counted nothing", ct, set);
			same(own_count(fd, ct, set, where[ct][set]), part,
			     "core type %d, set %d: by PMC_IOC_READ", ct, set);
			same(total(fd, ct, set, where[ct][set]), part,
			     "core type %d, set %d: by PMC_IOC_TOTALS", ct, set);
			sum += part;
		}
	}
	same(sum, script_length(s, 42), "instructions, all sets and core types");
	printf("multiplexed: %d ticks, %d records\n", n, records.nr);
	forget_records(&records);
	close(fd);
	unpin(0);
}

/* Two sessions, each with its own period, do not disturb each other. */
static void two_sessions(void)
{
	struct records r1 = { }, r2 = { };
	int fd1 = open_session(), fd2 = open_session();
	struct step s[4];

	pin(0, 1);
	command(fd1, "ring 4096\nevents pmc@1=@I\nperiod 1ms");
	command(fd2, "ring 4096\nevents pmc@1=@I," CYCLES "\nperiod 3ms");
	make_step(&s[0], SYS_ioctl, fd1, PMC_IOC_START, 0);
	make_step(&s[1], SYS_ioctl, fd2, PMC_IOC_START, 0);
	make_step(&s[2], SYS_ioctl, fd1, PMC_IOC_STOP, 0);
	make_step(&s[3], SYS_ioctl, fd2, PMC_IOC_STOP, 0);
	s[0].loops = s[2].loops = 3000017;
	s[1].loops = 9000011;
	script(s, 4);
	read_records(fd1, &r1);
	read_records(fd2, &r2);
	check_times(&r1);
	check_times(&r2);
	same(sum_records(&r1, 0, -1, -1, 0), script_length(s, 3), "first session");
	same(sum_records(&r2, 0, -1, -1, 0), script_length(s + 1, 3), "second session");
	within(nr_records(&r1, 0, PMC_SAMPLE_TICK), 20, 40, "ticks of the first session");
	within(nr_records(&r2, 0, PMC_SAMPLE_TICK), 6, 14, "ticks of the second session");
	forget_records(&r1);
	forget_records(&r2);
	close(fd1);
	close(fd2);
	unpin(0);
}

/* Software events: each sample has the events since the previous one; together they have all. */
static void software(void)
{
	struct records records = { };
	int fd = open_session(), i, some = 0;

	pin(0, 1);
	command(fd, "ring 4096\nevents sw=page_faults," INSTRUCTIONS ",sw=minor_faults\nperiod 1ms");
	start(fd);
	for (i = 0; i < 10; i++) {
		touch_pages(20);
		spin(1000000);
	}
	stop(fd);
	read_records(fd, &records);
	check_records(&records);
	CHECK(records.nr >= 10, "%d samples", records.nr);
	for (i = 0; i < records.nr; i++)
		some += !!records.all[i].counts[0];
	within(some, 5, 25, "samples with page faults in them");
	within(sum_records(&records, 0, -1, -1, 0), 200, 220, "page faults of all samples");
	same(sum_records(&records, 0, -1, -1, 2), sum_records(&records, 0, -1, -1, 0),
	     "minor faults of all samples");
	same(total(fd, -1, 0, 0), sum_records(&records, 0, -1, -1, 0), "page faults, total");
	forget_records(&records);
	close(fd);
	unpin(0);
}

/* A program is counted from its exec on: that is when its first period begins. */
static void period_after_exec(void)
{
	struct records records = { };
	int fd = open_session(), i, go[2];
	char c;
	pid_t pid;

	if (pipe(go))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		if (read(go[0], &c, 1) == 1)
			execl("/tests/programs/known_loop", "known_loop", NULL);
		_exit(97);
	}
	command(fd, "ring 64\nevents " INSTRUCTIONS "\nperiod 40ms\nenable exec\nattach %d", pid);
	usleep(100000);
	if (write(go[1], "", 1) != 1)
		die("pipe: %s", strerror(errno));
	waitpid(pid, NULL, 0);
	read_to_end(fd, &records);
	for (i = 0; i < records.nr; i++) {
		const struct pmc_record *h = &records.all[i].head;

		CHECK(h->running, "record %d (event %u): nothing ran", i, h->event);
		within(h->elapsed, h->running, 60 * MS, "record %d (event %u): its time", i, h->event);
	}
	forget_records(&records);
	close(fd);
	close(go[0]);
	close(go[1]);
}

static void bad_periods(void)
{
	int fd = open_session();

	refused(fd, EINVAL, "tbs_min_us", "period 999us");
	refused(fd, EINVAL, "10", "period 10");
	refused(fd, EINVAL, "1.s", "period 1.s");
	refused(fd, EINVAL, "-1ms", "period -1ms");
	refused(fd, EINVAL, "99999999999999999999s", "period 99999999999999999999s");
	command(fd, "period 1ms\nperiod 0.5s\nperiod 0");
	close(fd);
}

int main(void)
{
	need_counters();
	bad_periods();
	busy(1 * MS, 20000000);
	busy(10 * MS, 100000000);
	asleep();
	multiplexed();
	two_sessions();
	software();
	period_after_exec();
	wait_until_idle();
	return result();
}
