// SPDX-License-Identifier: GPL-2.0
/*
 * Event-based sampling: exactly one sample for each period, and no events lost in between.
 *
 * A period goes on when the thread moves to another core type, where other counters count.
 * So there are floor(count / period) samples of a thread, however often it is moved or
 * preempted. In the test machine an instruction takes 1 or 2 cycles.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"
#include "suspend.h"

#define THREADS	8
#define MOVES	60
#define PERIOD	10000
#define NAPS	40

static cpu_set_t cpu_masks[CPU_SETSIZE];
static int nr_cpus;

/**
 * struct seen - what samples have shown
 * @late: the greatest delay of a sample after its period, events
 * @left_out: periods without a sample, as interrupts were throttled
 *
 * The machine's CPUs take turns. If others are busy while a sample is taken, it seems to
 * take a long time, and an eighth of a tick is the most that samples may take. On a quiet
 * machine that does not happen.
 */
struct seen {
	long late;
	long left_out;
};

static bool is_throttled(const struct record *r)
{
	return r->head.flags & PMC_REC_THROTTLED;
}

/* Check that no more than a period, and the delay of a sample, has neither a sample nor a flag. */
static void check_gap(const struct record *r, int count, uint64_t period, bool mine, uint64_t *gap)
{
	*gap += r->counts[count];
	if (!is_throttled(r) && *gap > period + 300)
		fail("thread %d: %llu events of count %d without a sample, or a flag why",
		     r->head.tid, (unsigned long long)*gap, count);
	if (mine || is_throttled(r))
		*gap = 0;
}

/*
 * Check the samples of one counter of a thread. While interrupts are throttled, a period stands
 * still. After that the periods end elsewhere in the count, so that the number of samples alone
 * is known. Return: the number of periods according to the records.
 */
static long check_thread(const struct records *records, pid_t tid, int count,
			 uint64_t period, struct seen *seen)
{
	uint64_t stretch = 0, before = 0, gap = 0;
	bool elsewhere = false;
	long samples = 0, all = 0;
	int i;

	for (i = 0; i < records->nr; i++) {
		const struct record *r = &records->all[i];
		bool mine = r->head.event == PMC_SAMPLE_EBS &&
			    (int)r->head.ebs_slot == count;

		if ((pid_t)r->head.tid != tid)
			continue;
		if (r->head.event != PMC_SAMPLE_EBS && r->head.ebs_slot)
			fail("event %u has ebs_slot %u", r->head.event, r->head.ebs_slot);
		before = stretch;
		stretch += r->counts[count];
		if (mine)
			samples++;
		elsewhere |= is_throttled(r);
		if (elsewhere) {
			check_gap(r, count, period, mine, &gap);
			seen->left_out += (long)(stretch / period) - samples;
			samples = stretch / period;
		} else if (mine) {
			if (stretch / period != (uint64_t)samples)
				fail("thread %d: sample %ld of count %d at event %llu",
				     tid, samples, count, (unsigned long long)stretch);
			if ((long)(stretch - samples * period) > seen->late)
				seen->late = stretch - samples * period;
		} else if (before / period != stretch / period &&
			   r->head.event != PMC_SAMPLE_EBS) {
			fail("thread %d: count %d went from %llu to %llu without a sample: event %u, flags %#x, CPU %u",
			     tid, count, (unsigned long long)before,
			     (unsigned long long)stretch, r->head.event, r->head.flags,
			     r->head.cpu);
		}
		if (r->head.event == PMC_SAMPLE_SELF) {
			same(samples, stretch / period,
			     "thread %d: samples of count %d in a stretch of %llu",
			     tid, count, (unsigned long long)stretch);
			all += samples;
			samples = 0;
			stretch = 0;
			gap = 0;
			elsewhere = false;
		}
	}
	return all;
}

/* Of one_thread() */
static int nr_runs, nr_throttled_runs;

static void one_thread(const char *events, uint64_t period0, uint64_t period1)
{
	struct records records = { };
	int fd = open_session();
	struct seen seen = { };
	long truth, n0, n1 = 0;
	uint64_t count1;

	pin(0, 0);
	command(fd, "ring 4096\nevents %s", events);
	truth = counted_loop(fd, 2000003);
	read_records(fd, &records);
	check_records(&records);
	same(sum_records(&records, 0, -1, -1, 0), truth, "%s: instructions", events);
	count1 = sum_records(&records, 0, -1, -1, 1);
	n0 = check_thread(&records, gettid(), 0, period0, &seen);
	same(n0, truth / period0, "%s: samples", events);
	if (period1) {
		n1 = check_thread(&records, gettid(), 1, period1, &seen);
		same(n1, count1 / period1, "%s: samples of the second", events);
	}
	same(nr_records(&records, 0, PMC_SAMPLE_EBS), n0 + n1 - seen.left_out, "%s: EBS records", events);
	nr_runs++;
	nr_throttled_runs += !!seen.left_out;
	printf("%s: %ld + %ld samples of %ld instructions, at most %ld late, %ld left out\n",
	       events, n0, n1, truth, seen.late, seen.left_out);
	forget_records(&records);
	close(fd);
	unpin(0);
}

struct thread {
	pthread_t id;
	pid_t tid;
	int fd;
	struct step *steps;
};

static void *run(void *arg)
{
	struct thread *t = arg;

	t->tid = gettid();
	script(t->steps, MOVES + 2);
	return NULL;
}

/* Threads that move themselves to other CPUs, two on each CPU. Return: periods without a sample */
static long many_threads(void)
{
	struct records records = { };
	struct thread threads[THREADS];
	struct step *steps = aligned_alloc(4096, THREADS * (MOVES + 2) * sizeof(*steps));
	int fd = open_session(), i, j;
	struct seen seen = { };
	long all = 0;

	command(fd, "ring 65536\nevents " INSTRUCTIONS ":ebs=%d," CYCLES, PERIOD);
	for (i = 0; i < THREADS; i++) {
		struct step *s = steps + i * (MOVES + 2);

		make_step(&s[0], SYS_ioctl, fd, PMC_IOC_START, 0);
		for (j = 1; j <= MOVES; j++)
			make_step(&s[j], SYS_sched_setaffinity, 0, sizeof(cpu_set_t),
				  (long)&cpu_masks[(i + j * 3 / 2) % nr_cpus]);
		make_step(&s[j], SYS_ioctl, fd, PMC_IOC_STOP, 0);
		for (j = 0; j <= MOVES; j++)
			s[j].loops = 20011 + 1009 * i + 503 * j;
		threads[i].steps = s;
		if (pthread_create(&threads[i].id, NULL, run, &threads[i]))
			die("no thread");
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i].id, NULL);
	command(fd, "stop");
	read_records(fd, &records);
	check_records(&records);
	for (i = 0; i < THREADS; i++) {
		same(sum_records(&records, threads[i].tid, -1, -1, 0),
		     script_length(threads[i].steps, MOVES + 2),
		     "thread %d: instructions", i);
		all += check_thread(&records, threads[i].tid, 0, PERIOD, &seen);
	}
	same(nr_records(&records, 0, PMC_SAMPLE_EBS), all - seen.left_out, "EBS records of all threads");
	if (!all)
		fail("no samples");
	printf("%d threads, %d moves each: %ld samples, at most %ld late, %ld left out, %d stretches\n",
	       THREADS, MOVES, all, seen.late, seen.left_out, nr_records(&records, 0, PMC_SAMPLE_MIGRATION));
	forget_records(&records);
	free(steps);
	close(fd);
	return seen.left_out;
}

/* Each sample switches to the next set; no events are lost at a switch. */
static void sets_in_turn(void)
{
	struct records records = { };
	int fd = open_session(), i, n;
	long truth, left_out = 0;

	pin(0, 0);
	command(fd, "ring 4096\n"
		"events " INSTRUCTIONS ":ebs=%d," CYCLES "\n"
		"events " CYCLES "," INSTRUCTIONS ":ebs=%d", PERIOD, 2 * PERIOD);
	truth = counted_loop(fd, 2000003);
	read_records(fd, &records);
	check_records(&records);
	same(sum_records(&records, 0, -1, 0, 0) + sum_records(&records, 0, -1, 1, 1),
	     truth, "instructions, both sets");
	n = nr_records(&records, 0, PMC_SAMPLE_EBS);
	for (i = 0; i < n; i++) {
		const struct record *r = &records.all[i];

		same(r->head.set, i % 2, "sample %d: set", i);
		same(r->head.ebs_slot, i % 2, "sample %d: count whose period ended", i);
		within(r->counts[i % 2], (1 + i % 2) * PERIOD,
		       is_throttled(r) ? truth : (1 + i % 2) * PERIOD + 200,
		       "sample %d: instructions", i);
		left_out += is_throttled(r) ? r->counts[i % 2] : 0;
	}
	/* A round of the sets takes three periods, plus the delays of the samples. */
	within(n, (truth - left_out) / (3 * PERIOD + 400) * 2, (truth / (3 * PERIOD) + 1) * 2, "samples");
	forget_records(&records);
	close(fd);
	unpin(0);
}

/*
 * The periods of two counters end with the same instruction: one sample is taken, and the
 * next set's period has not ended.
 */
static void two_at_once(void)
{
	/* Few enough that none are throttled, however expensive a switch of sets is. */
	const int period = 10 * PERIOD;
	struct records records = { };
	int fd = open_session(), i, n;
	long truth;

	pin(0, 0);
	command(fd, "ring 4096\n"
		"events " INSTRUCTIONS ":ebs=%1$d," INSTRUCTIONS ":ebs=%1$d\n"
		"events " INSTRUCTIONS ":ebs=%1$d," INSTRUCTIONS ":ebs=%1$d", period);
	truth = counted_loop(fd, 2000003);
	read_records(fd, &records);
	check_records(&records);
	for (i = 0; i < 2; i++)
		same(sum_records(&records, 0, -1, -1, i), truth, "instructions, count %d", i);
	n = nr_records(&records, 0, PMC_SAMPLE_EBS);
	for (i = 0; i < n; i++) {
		same(records.all[i].head.set, i % 2, "two at once, sample %d: set", i);
		within(records.all[i].counts[0], period, period + 200,
		       "two at once, sample %d: instructions", i);
	}
	within(n, truth / (period + 200), truth / period, "two at once: samples");
	forget_records(&records);
	close(fd);
	unpin(0);
}

/*
 * Interrupts are throttled if they are too many or take too much time; the counts stay
 * exact.
 */
static void throttled(int rate, int a_tick)
{
	long long before, held, begin, elapsed;
	struct records records = { };
	const struct pmc_ring_info *info;
	int fd = open_session(), i, flagged = 0;
	bool few_interrupts;
	long truth, most;

	set_config("ebs_max_rate=%d", rate);
	before = proc_value("stats", "throttled");
	pin(0, 0);
	command(fd, "ring 65536\nevents " INSTRUCTIONS ":ebs=1000");
	info = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);
	if (info == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	begin = now(CLOCK_MONOTONIC);
	truth = counted_loop(fd, 20000000);
	elapsed = now(CLOCK_MONOTONIC) - begin;
	/*
	 * There are so many samples in each tick of 4 ms, or fewer than the 40 000 periods, because
	 * samples take more than an eighth of the time. A sample of a period of 1 000 instructions
	 * takes some 350 ns: that is an eighth where an instruction takes 2.8 ns. It takes 1.5 ns
	 * alone, interrupts included, and more while other CPUs are busy.
	 */
	few_interrupts = !a_tick && elapsed > 2.2 * truth;
	most = a_tick ? a_tick * (elapsed / 4000000 + 3) : few_interrupts ? 40000 : 39000;
	read_records(fd, &records);
	same(sum_records(&records, 0, -1, -1, 0), truth, "instructions, throttled");
	held = proc_value("stats", "throttled") - before;
	if (!held && !few_interrupts)
		fail("nothing was throttled");
	same(info->throttled, held, "throttled, by the ring");
	for (i = 0; i < records.nr; i++)
		flagged += !!(records.all[i].head.flags & PMC_REC_THROTTLED);
	same(flagged, held, "records flagged as throttled");
	i = nr_records(&records, 0, PMC_SAMPLE_EBS);
	within(i, 4, most, "samples in spite of throttling");
	munmap((void *)info, 4096);
	printf("throttled %lld times, %d samples for %ld periods, %.1f ns an instruction\n", held,
	       i, truth / 1000, (double)elapsed / truth);
	forget_records(&records);
	close(fd);
	unpin(0);
}

/*
 * A thread that was throttled when it left the CPU is sampled again as soon as it returns
 * in a later tick: it may run for a short time only.
 */
static void held_back_before_it_slept(void)
{
	struct records records = { };
	int fd = open_session(), i;

	/* 4 in a tick, and the one that exceeds the limit */
	set_config("ebs_max_rate=1");
	pin(0, 0);
	command(fd, "ring 4096\nevents " INSTRUCTIONS ":ebs=1000");
	start(fd);
	for (i = 0; i < 10; i++) {
		spin(100000);
		usleep(20000);
	}
	stop(fd);
	read_records(fd, &records);
	within(nr_records(&records, 0, PMC_SAMPLE_EBS), 10 * 4, 10 * 10,
	       "samples of 10 short stretches, each in another tick");
	forget_records(&records);
	close(fd);
	unpin(0);
}

/* A user's thread that interrupts as often as it may; the caller kills it. */
static pid_t user_interrupts(void)
{
	int fd, ready[2];
	pid_t pid;
	char c;

	if (pipe(ready))
		die("no pipe");
	pid = fork();
	if (!pid) {
		change_user(1000);
		pin(0, 0);
		fd = open_session();
		command(fd, "ring 16\nevents " INSTRUCTIONS ":ebs=1000");
		start(fd);
		if (write(ready[1], "", 1) != 1)
			die("pipe");
		for (;;)
			spin(100000);
	}
	if (read(ready[0], &c, 1) != 1)
		die("no user");
	close(ready[0]);
	close(ready[1]);
	return pid;
}

/*
 * Interrupts of a user's thread on the same CPU do not have root's throttled. Root's thread
 * sleeps in between, so that both run in each tick, to which the limit applies.
 */
static void beside_a_user(void)
{
	const struct timespec nap = { .tv_nsec = 1300000 };
	const int period = 100000;
	struct records records = { };
	struct step steps[NAPS + 2];
	long long before;
	int fd, i;
	long truth;
	pid_t pid;

	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	before = proc_value("stats", "throttled");
	pid = user_interrupts();
	fd = open_session();
	pin(0, 0);
	/* A counter of its own: the user's has a sampling period. */
	command(fd, "ring 4096\nevents pmc@3=@I,ebs@3=%d", period);
	for (i = 0; i < NAPS + 1; i++) {
		make_step(&steps[i], SYS_nanosleep, (long)&nap, 0, 0);
		steps[i].loops = 150000;
	}
	make_step(&steps[0], SYS_ioctl, fd, PMC_IOC_START, 0);
	make_step(&steps[NAPS + 1], SYS_ioctl, fd, PMC_IOC_STOP, 0);
	script(steps, NAPS + 2);
	truth = script_length(steps, NAPS + 2);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	same(steps[0].result, 0, "start beside a user");
	if (proc_value("stats", "throttled") == before)
		fail("the user's interrupts were not too many");
	read_records(fd, &records);
	for (i = 0; i < records.nr; i++)
		if (records.all[i].head.flags)
			fail("beside a user: record %d of %d has flags 0x%x", i, records.nr,
			     records.all[i].head.flags);
	same(sum_records(&records, 0, -1, -1, 0), truth, "beside a user: instructions");
	same(nr_records(&records, 0, PMC_SAMPLE_EBS), truth / period, "beside a user: samples");
	forget_records(&records);
	close(fd);
	unpin(0);
	wait_until_idle();
}

static void floor_refused(void)
{
	long long floor = proc_value("config", "ebs_min_period");
	int fd = open_session();

	refused(fd, EINVAL, "ebs_min_period", "events " INSTRUCTIONS ":ebs=%lld", floor - 1);
	refused(fd, EINVAL, "999", "events pmc@1=@I,ebs@1=999");
	refused(fd, EINVAL, "ebs=0", "events " INSTRUCTIONS ":ebs=0");
	refused(fd, EINVAL, "too long", "events " INSTRUCTIONS ":ebs=0x7fffffffffffffff");
	refused(fd, EINVAL, "nothing to count", "attach %d", getpid());
	command(fd, "events " INSTRUCTIONS ":ebs=%lld", floor);
	command(fd, "clear");
	set_config("ebs_min_period=%lld", floor * 2);
	refused(fd, EINVAL, "ebs_min_period", "events " INSTRUCTIONS ":ebs=%lld", floor);
	set_config("ebs_min_period=%lld", floor);
	close(fd);
}

/*
 * A set without a sampling period would never be switched, so it is refused beside others.
 * With a period it is accepted, and alone it needs none.
 */
static void set_without_period(void)
{
	int fd = open_session();

	command(fd, "events coretype=0," INSTRUCTIONS ":ebs=%d\nevents coretype=0," CYCLES, PERIOD);
	refused(fd, EINVAL, "event set 1 of core type 0", "attach %d", getpid());
	same(ioctl(fd, PMC_IOC_START), -1, "start with a set that would never end");
	same(errno, EINVAL, "errno of it");
	command(fd, "period 10ms\nattach %d\nstop\nperiod 0\nclear", getpid());
	command(fd, "events coretype=0," CYCLES "\nevents coretype=0," INSTRUCTIONS ":ebs=%d", PERIOD);
	refused(fd, EINVAL, "event set 0 of core type 0", "attach %d", getpid());
	command(fd, "clear");
	if (nr_core_types > 1) {
		command(fd, "events coretype=0," INSTRUCTIONS ":ebs=%d\nevents coretype=1," CYCLES,
			PERIOD);
		command(fd, "attach %d\nstop\nevents coretype=1," INSTRUCTIONS, getpid());
		refused(fd, EINVAL, "event set 0 of core type 1", "attach %d", getpid());
	}
	close(fd);
}

/*
 * A counter with a sampling period is not shared between sessions, whichever is first. If
 * counting a thread is refused, nothing of it is counted.
 */
static void one_that_interrupts(void)
{
	int counts = open_session(), samples = open_session(), i;
	pid_t other = fork();

	if (!other)
		for (;;)
			pause();
	command(counts, "events pmc@1=@I");
	command(samples, "events pmc@1=@I,ebs@1=%d", PERIOD);
	for (i = 0; i < 2; i++) {
		int first = i ? counts : samples, second = i ? samples : counts;

		command(first, "attach %d", getpid());
		command(second, "attach %d", other);
		refused(second, EBUSY, "something else", "attach %d", getpid());
		same(threads_counted(second), 1, "threads that the second session has counted");
		command(first, "stop");
		command(second, "attach %d\nstop", getpid());
	}
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	close(samples);
	close(counts);
}

/*
 * If the ring is full samples are lost. Their flags are set in the next sample that finds
 * room: here, that interrupts were throttled since.
 */
static void flag_of_a_lost_sample(void)
{
	static union {
		struct pmc_record head;
		char bytes[sizeof(struct pmc_record) + sizeof(uint64_t)];
	} full[16];
	struct records records = { };
	int fd = open_session(), i;

	/* 100 a ms, so 400 a tick: long after the ring is full. */
	set_config("ebs_max_rate=100");
	pin(0, 0);
	command(fd, "ring 16\nevents " INSTRUCTIONS ":ebs=1000");
	start(fd);
	spin(20000000);
	/* The thread is not throttled in the tick of its return, so more samples are lost. */
	usleep(20000);
	spin(20000);
	same(read(fd, full, sizeof(full)), sizeof(full), "bytes of a full ring");
	for (i = 0; i < 16; i++)
		CHECK(!(full[i].head.flags & PMC_REC_THROTTLED),
		      "sample %d of a full ring says that interrupts were held back", i);
	stop(fd);
	read_records(fd, &records);
	CHECK(records.nr > 0, "no sample after a full ring");
	CHECK(records.nr > 0 && records.all[0].head.lost, "the first sample reports no losses");
	CHECK(records.nr > 0 && records.all[0].head.flags & PMC_REC_THROTTLED,
	      "the first one does not say that interrupts were held back");
	forget_records(&records);
	close(fd);
	unpin(0);
}

#define MAX_RATE	"/proc/sys/kernel/perf_event_max_sample_rate"
#define MAX_PERCENT	"/proc/sys/kernel/perf_cpu_time_max_percent"

/* perf's own limit, here one interrupt in a tick, does not apply to the module's events. */
static void not_limited_by_perf(void)
{
	/* While this is 100 the other limit cannot be set. */
	int percent = change_number(MAX_PERCENT, 25), rate = change_number(MAX_RATE, 100);

	one_thread(INSTRUCTIONS ":ebs=10000," CYCLES, 10000, 0);
	change_number(MAX_RATE, rate);
	change_number(MAX_PERCENT, percent);
}

int main(void)
{
	long long rate;
	int i;

	need_counters();
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	for (i = 0; i < nr_cpus; i++)
		CPU_SET(i, &cpu_masks[i]);
	floor_refused();
	set_without_period();
	one_that_interrupts();
	rate = proc_value("config", "ebs_max_rate");
	set_config("ebs_max_rate=10000");
	one_thread(INSTRUCTIONS ":ebs=10000," CYCLES, 10000, 0);
	one_thread(INSTRUCTIONS ":ebs=5003," CYCLES, 5003, 0);
	one_thread(INSTRUCTIONS ":ebs=4000012," CYCLES, 4000012, 0);
	one_thread(INSTRUCTIONS ":ebs=10007," CYCLES ":ebs=7001", 10007, 7001);
	if (strcmp(backend, "perf"))
		one_thread("pmc@3=@I,ebs@3=20011,@F,ebs@f=30011", 20011, 30011);
	not_limited_by_perf();
	within(nr_throttled_runs, 0, nr_runs / 2, "runs of %d with throttled interrupts", nr_runs);
	many_threads();
	/* 8 in a tick */
	set_config("ebs_max_rate=2");
	if (!many_threads())
		fail("no interrupt of threads that move was throttled");
	set_config("ebs_max_rate=10000");
	sets_in_turn();
	two_at_once();
	throttled(10000, 0);
	/* 1 in a ms, so 4 in a tick, and the one that exceeds the limit */
	throttled(1, 5);
	held_back_before_it_slept();
	flag_of_a_lost_sample();
	set_config("ebs_max_rate=%lld", rate);
	if (strcmp(backend, "perf"))
		beside_a_user();
	wait_until_idle();
	return result();
}
