// SPDX-License-Identifier: GPL-2.0
/*
 * A sampling period by event count goes on when the thread moves to another core type whose
 * event sets have the same periods: the rows from one sample to the next add up to a period,
 * wherever the thread ran. Core types whose sets differ have their own periods, which go on
 * when the thread is back; and so have sets without periods, which take turns by time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define MOVES	60
#define PERIOD	10007
/* Instructions until an interrupt is taken. */
#define DELAY	200
#define ANY	-1

static struct step steps[MOVES + 2];

static struct step move_to(int core_type)
{
	struct step s;

	make_step(&s, SYS_sched_setaffinity, 0, sizeof(cpu_set_t),
		  (long)&core_types[core_type].cpus);
	return s;
}

/*
 * Instructions between moves: from none of a period to two of them. Core types take turns,
 * so that each step is a move. Return: the instructions of all.
 */
static long make_moves(int fd)
{
	int i;

	make_step(&steps[0], SYS_ioctl, fd, PMC_IOC_START, 0);
	for (i = 1; i <= MOVES; i++)
		steps[i] = move_to(i % nr_core_types);
	make_step(&steps[i], SYS_ioctl, fd, PMC_IOC_STOP, 0);
	for (i = 0; i <= MOVES; i++)
		steps[i].loops = 1 + i * 7919 % PERIOD;
	return script_length(steps, MOVES + 2);
}

/* Count the calling thread with these sets while it moves. Return: its instructions. */
static long move_about(const char *events, struct records *records)
{
	int fd = open_session(), i;
	long truth = make_moves(fd);

	pin(0, core_types[0].first_cpu);
	command(fd, "ring 65536\n%s", events);
	script(steps, MOVES + 2);
	for (i = 0; i < MOVES + 2; i++)
		same(steps[i].result, 0, "%s: step %d", events, i);
	read_records(fd, records);
	check_records(records);
	close(fd);
	unpin(0);
	return truth;
}

/*
 * Check the samples of a count of a thread on one core type, or on all: there is one as soon
 * as the rows add up to a period, and none before. Return: their number.
 */
static long check_periods(const struct records *records, pid_t tid, int core_type, int count,
			  long period, const char *what)
{
	long sum = 0, samples = 0;
	int i;

	for (i = 0; i < records->nr; i++) {
		const struct record *r = &records->all[i];

		if ((pid_t)r->head.tid != tid ||
		    (core_type != ANY && r->head.core_type != core_type))
			continue;
		sum += r->counts[count];
		if (r->head.event == PMC_SAMPLE_EBS && (int)r->head.ebs_slot == count) {
			samples++;
			within(sum, samples * period, samples * period + DELAY,
			       "%s: count %d at sample %ld", what, count, samples);
		} else if (r->head.event != PMC_SAMPLE_EBS) {
			same(samples, sum / period, "%s: samples of count %d in %ld events",
			     what, count, sum);
		}
	}
	same(samples, sum / period, "%s: samples of count %d in all", what, count);
	return samples;
}

/*
 * Check the samples of two sets that take turns, the first with instructions and a period in
 * front, the second with them behind another event and twice the period: each set is in force
 * for a period.
 */
static void check_turns(const struct records *records, int core_type, const char *what)
{
	int i, set = 0, samples = 0;
	long sum = 0;

	for (i = 0; i < records->nr; i++) {
		const struct record *r = &records->all[i];

		if (core_type != ANY && r->head.core_type != core_type)
			continue;
		same(r->head.set, set, "%s: set of record %d", what, i);
		sum += r->counts[set];
		if (r->head.event != PMC_SAMPLE_EBS)
			continue;
		within(sum, (1 + set) * PERIOD, (1 + set) * PERIOD + DELAY,
		       "%s: instructions of sample %d, set %d", what, samples, set);
		samples++;
		sum = 0;
		set = 1 - set;
	}
	within(sum, 0, (1 + set) * PERIOD - 1, "%s: instructions after the last sample", what);
	CHECK(samples > 4, "%s: %d samples", what, samples);
}

static void same_sets(void)
{
	struct records records = { };
	long truth = move_about("events " INSTRUCTIONS ":ebs=10007," CYCLES ":ebs=20011", &records);
	long n;

	same(sum_records(&records, 0, ANY, ANY, 0), truth, "instructions");
	same(nr_records(&records, 0, PMC_SAMPLE_MIGRATION), MOVES, "moves");
	n = check_periods(&records, gettid(), ANY, 0, PERIOD, "same sets");
	same(n, truth / PERIOD, "samples of %ld instructions", truth);
	n += check_periods(&records, gettid(), ANY, 1, 20011, "same sets");
	same(nr_records(&records, 0, PMC_SAMPLE_EBS), n, "records of samples");
	printf("%d moves, %ld instructions: %ld samples\n", MOVES, truth, n);
	forget_records(&records);
}

/*
 * Two core types have a set each, as the library writes them. If there are more types, these
 * count nothing, and the period goes on when the thread is back from there.
 */
static void sets_by_core_type(void)
{
	struct records records = { };

	move_about("events " INSTRUCTIONS ":ebs=10007," CYCLES ",coretype=0\n"
		   "events " INSTRUCTIONS ":ebs=10007,coretype=1", &records);
	CHECK(check_periods(&records, gettid(), ANY, 0, PERIOD, "by core type") > 4,
	      "by core type: few samples");
	forget_records(&records);
}

/* Two sets with the same number of turns on both core types. */
static void sets_in_turn(void)
{
	struct records records = { };

	move_about("events " INSTRUCTIONS ":ebs=10007," CYCLES "\n"
		   "events sw=page_faults," INSTRUCTIONS ":ebs=20014", &records);
	check_turns(&records, ANY, "sets in turn");
	forget_records(&records);
}

/* @second: what core type 1 counts, with @period at position @count; 0: with none */
static void differs(const char *what, const char *second, int count, long period)
{
	struct records records = { };
	char events[200];

	snprintf(events, sizeof(events), "events " INSTRUCTIONS ":ebs=10007," CYCLES ",coretype=0\n%s",
		 second);
	move_about(events, &records);
	CHECK(check_periods(&records, gettid(), 0, 0, PERIOD, what) > 4, "%s: few samples", what);
	if (period)
		CHECK(check_periods(&records, gettid(), 1, count, period, what) > 4,
		      "%s: few samples on core type 1", what);
	forget_records(&records);
}

/* Two sets that take turns on core type 0, and one on core type 1. */
static void more_sets(void)
{
	struct records records = { };

	move_about("events " INSTRUCTIONS ":ebs=10007," CYCLES ",coretype=0\n"
		   "events " CYCLES "," INSTRUCTIONS ":ebs=20014,coretype=0\n"
		   "events " INSTRUCTIONS ":ebs=10007," CYCLES ",coretype=1", &records);
	check_turns(&records, 0, "more sets on core type 0");
	check_periods(&records, gettid(), 1, 0, PERIOD, "more sets on core type 0");
	forget_records(&records);
}

/* The sets of each core type take turns by themselves. */
static void turns_by_time(void)
{
	int fd = open_session(), next[2] = { }, i;
	struct records records = { };

	make_moves(fd);
	for (i = 0; i <= MOVES; i++)
		steps[i].loops = 200000 + i * 7919 % 200000;
	pin(0, core_types[0].first_cpu);
	command(fd, "ring 65536\nperiod 1ms\nevents " INSTRUCTIONS "\nevents " CYCLES);
	script(steps, MOVES + 2);
	read_records(fd, &records);
	for (i = 0; i < records.nr; i++) {
		const struct pmc_record *h = &records.all[i].head;

		if (h->core_type > 1)
			continue;
		same(h->set, next[h->core_type] % 2, "by time: set of record %d", i);
		next[h->core_type] += h->event == PMC_SAMPLE_TICK;
	}
	CHECK(next[0] > 4 && next[1] > 4, "by time: %d and %d samples", next[0], next[1]);
	forget_records(&records);
	close(fd);
	unpin(0);
}

/* Steps of make_moves() that are forks instead. */
static const int forks[] = { 10, 20 };
#define NR_FORKS	2

/* Instructions of the process that began with this fork. */
static long length_from(int step)
{
	return script_length(steps + step, MOVES + 2 - step);
}

/* Children begin a period of their own, and take it along as their parent does. */
static void children(void)
{
	struct records records = { };
	int fd = open_session(), i, processes = 0, samples = 0, found[NR_FORKS + 1] = { };
	pid_t parent = getpid();

	make_moves(fd);
	for (i = 0; i < NR_FORKS; i++)
		make_step(&steps[forks[i]], SYS_clone, SIGCHLD, 0, 0);
	pin(0, core_types[0].first_cpu);
	command(fd, "ring 65536\nfollow children\nevents " INSTRUCTIONS ":ebs=%d," CYCLES, PERIOD);
	script(steps, MOVES + 2);
	if (getpid() != parent)
		_exit(0);
	while (wait(NULL) > 0)
		;
	command(fd, "stop");
	read_records(fd, &records);
	check_records(&records);
	for (i = 0; i < records.nr; i++) {
		const struct pmc_record *h = &records.all[i].head;
		long count = sum_records(&records, h->tid, ANY, ANY, 0);

		if (!(h->flags & PMC_REC_LAST))
			continue;
		processes++;
		found[0] += count == length_from(0);
		found[1] += count == length_from(forks[0]);
		found[2] += count == length_from(forks[1]);
		samples += check_periods(&records, h->tid, ANY, 0, PERIOD, "a process of four");
	}
	same(processes, 4, "processes");
	same(found[0], 1, "processes with the instructions of the first");
	same(found[1], 1, "processes with the instructions from the first fork on");
	same(found[2], 2, "processes with the instructions from the second fork on");
	same(nr_records(&records, 0, PMC_SAMPLE_EBS), samples, "samples of all processes");
	printf("4 processes: %d samples\n", samples);
	forget_records(&records);
	close(fd);
	unpin(0);
}

int main(void)
{
	long long rate;

	need_core_types();
	rate = proc_value("config", "ebs_max_rate");
	set_config("ebs_max_rate=10000");
	same_sets();
	sets_by_core_type();
	sets_in_turn();
	children();
	differs("no set", "", 0, 0);
	differs("no period", "events " INSTRUCTIONS "," CYCLES ",coretype=1", 0, 0);
	differs("another period", "events " INSTRUCTIONS ":ebs=7001," CYCLES ",coretype=1", 0, 7001);
	differs("another position", "events " CYCLES "," INSTRUCTIONS ":ebs=10007,coretype=1", 1,
		PERIOD);
	differs("a software event before it", "events sw=page_faults," INSTRUCTIONS
		":ebs=10007,coretype=1", 1, PERIOD);
	more_sets();
	turns_by_time();
	set_config("ebs_max_rate=%lld", rate);
	wait_until_idle();
	return result();
}
