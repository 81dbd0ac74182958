// SPDX-License-Identifier: GPL-2.0
/*
 * Many sessions on one thread, each with a page, as calipers have (the library's calipers
 * with the same events share a session). All count to the instruction, whatever happens to
 * the thread or to other sessions: switches, other CPUs and core types, readings, stops and
 * starts, samples and detaching by other processes, exec, and the end of the thread.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

#define CALIPERS	64
/* Pages that a switch writes: those that were opened last. */
#define WRITTEN_MAX	3
#define STEPS_MAX	512

/* Event sets on the same counter, on more counters (instructions are count 1), on another. */
static const char *const events[] = {
	"events pmc@2=@C,pmc@1=@I", "events pmc@1=@I", "events pmc@1=@I", "events pmc@1=@I",
	"events pmc@1=@I", "events pmc@1=@I", "events pmc@1=@I", "events pmc@3=@I",
};
#define KINDS	(sizeof(events) / sizeof(events[0]))
#define COUNT_OF(caliper)	((caliper) % KINDS == 0)

struct caliper {
	int fd;
	struct pmc_caliper_page *page;
};

static void open_all(struct caliper *c)
{
	int i;

	for (i = 0; i < CALIPERS; i++) {
		c[i].fd = open_session();
		command(c[i].fd, "ring 8");
		command(c[i].fd, events[i % KINDS]);
	}
}

/* Called by the thread that is to be counted: the calipers count it and have pages. */
static void map_all(struct caliper *c)
{
	int i;

	for (i = 0; i < CALIPERS; i++) {
		start(c[i].fd);
		c[i].page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, c[i].fd, PMC_MMAP_CALIPER);
		if (c[i].page == MAP_FAILED)
			die("mmap of page %d: %s", i, strerror(errno));
	}
}

static void stop_all(const struct caliper *c)
{
	int i;

	for (i = 0; i < CALIPERS; i++)
		stop(c[i].fd);
}

static void close_all(const struct caliper *c)
{
	int i;

	for (i = 0; i < CALIPERS; i++) {
		munmap(c[i].page, 4096);
		close(c[i].fd);
	}
}

static void take_totals_of(const struct caliper *c, int core_type, long *totals)
{
	int i;

	for (i = 0; i < CALIPERS; i++)
		totals[i] = total(c[i].fd, core_type, 0, COUNT_OF(i));
}

static void take_totals(const struct caliper *c, long *totals)
{
	take_totals_of(c, -1, totals);
}

static void sleep_a_little(void)
{
	const struct timespec wait = { .tv_nsec = 200000 };

	nanosleep(&wait, NULL);
}

/* ---- pages ---- */

static bool is_written(const struct caliper *c)
{
	return *(volatile __u8 *)&c->page->direct;
}

static int nr_written(const struct caliper *c)
{
	int i, nr = 0;

	for (i = 0; i < CALIPERS; i++)
		nr += is_written(&c[i]);
	return nr;
}

/* After a switch, too: the pages of other calipers, which are not read, are closed. */
static void stays_open(const struct caliper *c)
{
	int patience;

	for (patience = 0; patience < 1000; patience++) {
		own_count(c->fd, -1, 0, 0);
		sleep_a_little();
		if (is_written(c))
			return;
	}
	fail("the page that was opened last is closed at the next switch");
}

/* A caliper that was read by a system call can be read by instruction afterwards. */
static void test_pages(void)
{
	struct caliper c[CALIPERS];
	int i, patience;

	open_all(c);
	map_all(c);
	/* After direct reading was enabled. */
	for (patience = 0; patience < 1000; patience++) {
		sleep_a_little();
		if (nr_written(c))
			break;
	}
	if (nr_written(c)) {
		CHECK(nr_written(c) <= WRITTEN_MAX, "a switch writes %d pages", nr_written(c));
		for (i = 0; i < CALIPERS; i++) {
			sleep_a_little();
			for (patience = 0; patience < 1000; patience++) {
				own_count(c[i].fd, -1, 0, 0);
				if (is_written(&c[i]))
					break;
			}
			CHECK(patience < 1000, "caliper %d, read by a call, has no open page", i);
		}
		stays_open(&c[5]);
	}
	close_all(c);
}

/* ---- every type of step, each of known length ---- */

/* Also for the caliper of a child. */
struct common {
	struct step steps[STEPS_MAX];
	long before[CALIPERS];
};

static struct step *steps;
static int nr_steps;
/* Totals at the start. */
static long *before;

static struct step *add(long nr, long a0, long a1, long a2)
{
	if (nr_steps == STEPS_MAX)
		die("too many steps");
	make_step(&steps[nr_steps], nr, a0, a1, a2);
	steps[nr_steps].loops = 1 + random() % 500;
	return &steps[nr_steps++];
}

static const struct timespec short_sleep = { .tv_nsec = 50000 };

static void add_sleep(void)
{
	add(SYS_nanosleep, (long)&short_sleep, 0, 0);
}

static void add_move_to(int cpu)
{
	static cpu_set_t on[8];

	CPU_ZERO(&on[cpu]);
	CPU_SET(cpu, &on[cpu]);
	add(SYS_sched_setaffinity, 0, sizeof(on[cpu]), (long)&on[cpu]);
}

static void add_move(void)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);

	add_move_to(random() % (cpus < 8 ? cpus : 8));
}

/* The core type after a step; all steps are considered. */
static int core_type_after(int step)
{
	const cpu_set_t *on = NULL;
	int cpu = 0;

	for (; step >= 0 && !on; step--)
		if (steps[step].nr == SYS_sched_setaffinity)
			on = (const cpu_set_t *)steps[step].args[2];
	while (on && !CPU_ISSET(cpu, on))
		cpu++;
	return core_type_of(cpu);
}

/* Instructions from one step's call to another's on a core type; the first runs on CPU 0. */
static long length_on(int core_type, int from, int to)
{
	long length = 0;
	int i;

	for (i = from; i < to; i++)
		if (core_type_after(i) == core_type)
			length += script_length(steps + i, 2);
	return length;
}

/* A reading in the middle, and its right value. */
struct reading {
	int caliper;
	int step;
	struct pmc_read out;
};

#define READINGS	60

/* The step that started each caliper last. */
static int started[CALIPERS];

static void add_start(const struct caliper *c, int i)
{
	started[i] = nr_steps;
	add(SYS_ioctl, c[i].fd, PMC_IOC_START, 0);
}

static void check_results(void)
{
	int i;

	for (i = 0; i < nr_steps; i++)
		CHECK(steps[i].nr == SYS_sched_setaffinity || !steps[i].result,
		      "step %d, call %ld: %s", i, steps[i].nr, strerror(-steps[i].result));
}

/* The steps between which each caliper counts. */
struct part {
	int caliper;
	int from;
	int to;
};

static struct part parts[CALIPERS + READINGS];
static int nr_parts;

static void add_stop(const struct caliper *c, int i)
{
	parts[nr_parts++] = (struct part){ i, started[i], nr_steps };
	add(SYS_ioctl, c[i].fd, PMC_IOC_STOP, 0);
}

static void check_parts(const struct caliper *c, int core_type, const long *first,
			unsigned int seed)
{
	long after[CALIPERS], expected[CALIPERS] = { };
	int i;

	for (i = 0; i < nr_parts; i++)
		expected[parts[i].caliper] += length_on(core_type, parts[i].from, parts[i].to);
	take_totals_of(c, core_type, after);
	for (i = 0; i < CALIPERS; i++)
		same(after[i] - first[i], expected[i], "seed %u: caliper %d on core type %d",
		     seed, i, core_type);
}

/* Check each caliper's readings, between which it is not stopped. */
static void check_readings(const struct caliper *c, const struct reading *readings,
			   unsigned int seed)
{
	int i, k;

	for (i = 0; i < READINGS; i++) {
		const struct reading *r = &readings[i], *last = NULL;

		for (k = 0; k < i; k++)
			if (readings[k].caliper == r->caliper)
				last = &readings[k];
		for (k = last ? last->step : 0; last && k < r->step; k++)
			if (steps[k].args[0] == c[r->caliper].fd &&
			    (steps[k].args[1] == (long)PMC_IOC_STOP ||
			     steps[k].args[1] == (long)PMC_IOC_START))
				last = NULL;
		if (last)
			same(r->out.counts[COUNT_OF(r->caliper)] -
			     last->out.counts[COUNT_OF(r->caliper)],
			     script_length(steps + last->step, r->step - last->step + 1),
			     "seed %u: caliper %d between its readings", seed, r->caliper);
	}
}

static void test_steps(unsigned int seed)
{
	static long first[16][CALIPERS];
	static struct reading readings[READINGS];
	struct caliper c[CALIPERS];
	int i, k;

	srandom(seed);
	open_all(c);
	pin(0, 0);
	map_all(c);
	stop_all(c);
	for (i = 0; i < nr_core_types; i++)
		take_totals_of(c, i, first[i]);
	nr_steps = 0;
	nr_parts = 0;
	for (i = 0; i < CALIPERS; i++)
		add_start(c, i);
	add_sleep();
	for (i = 0; i < READINGS; i++) {
		struct reading *r = &readings[i];

		memset(r, 0, sizeof(*r));
		r->out.core_type = PMC_ALL_CORE_TYPES;
		if (random() % 2)
			add_sleep();
		if (random() % 4 == 0)
			add_move();
		r->caliper = random() % CALIPERS;
		r->step = nr_steps;
		add(SYS_ioctl, c[r->caliper].fd, PMC_IOC_READ, (long)&r->out);
		if (random() % 4)
			continue;
		k = random() % CALIPERS;
		add_stop(c, k);
		add_sleep();
		add_start(c, k);
	}
	for (i = 0; i < CALIPERS; i++)
		add_stop(c, i);
	script(steps, nr_steps);
	unpin(0);
	check_results();
	for (i = 0; i < nr_core_types; i++)
		check_parts(c, i, first[i], seed);
	check_readings(c, readings, seed);
	close_all(c);
}

/* ---- others interfere ---- */

/* A thread that counts itself: switches, waits for a word, runs for long, switches. */
static struct worker {
	struct caliper c[CALIPERS];
	int word[2];
	atomic_int tid;
	int waits, spins;
} worker;

#define LONG_LOOP	100000000L

static void forget_samples(int fd)
{
	struct records records = { };

	read_records(fd, &records);
	forget_records(&records);
}

static void *work(void *unused)
{
	static char byte;
	int i;

	pin(0, 0);
	map_all(worker.c);
	stop_all(worker.c);
	take_totals(worker.c, before);
	for (i = 0; i < CALIPERS; i++)
		forget_samples(worker.c[i].fd);
	nr_steps = 0;
	for (i = 0; i < CALIPERS; i++)
		add_start(worker.c, i);
	for (i = 0; i < 4; i++)
		add_sleep();
	worker.waits = nr_steps;
	add(SYS_read, worker.word[0], (long)&byte, 1);
	for (i = 0; i < 4; i++)
		add_sleep();
	add_move_to(0);
	worker.spins = nr_steps;
	add(SYS_write, worker.word[1], (long)&byte, 0)->loops = LONG_LOOP;
	for (i = 0; i < 4; i++)
		add_sleep();
	for (i = 0; i < CALIPERS; i++)
		add(SYS_ioctl, worker.c[i].fd, PMC_IOC_STOP, 0);
	worker.tid = gettid();
	script(steps, nr_steps);
	return unused;
}

/*
 * State of a thread: 'S' if it sleeps, 'R' if it runs, 'X' if it has ended; and its user
 * time in ticks, LONG_MAX if it has ended.
 */
static char state_of(int tid, long *ticks)
{
	char path[64], state = '?';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	f = fopen(path, "r");
	if (!f) {
		*ticks = LONG_MAX;
		return 'X';
	}
	if (fscanf(f, "%*d %*s %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld", &state,
			 ticks) != 2)
		die("%s: %s", path, strerror(errno));
	fclose(f);
	return state;
}

/* The requested sample, and that of the stop. */
static void check_samples(int i, long first, long last, unsigned int seed)
{
	struct records records = { };

	read_records(worker.c[i].fd, &records);
	if (same(nr_records(&records, 0, PMC_SAMPLE_SELF), 2, "seed %u: samples of caliper %d", seed,
		 i))
		within(records.all[0].counts[COUNT_OF(i)], first, last,
		       "seed %u: sample of caliper %d", seed, i);
	forget_records(&records);
}

/* Wait until the thread has run further in its loop; false: the loop is over. */
static bool runs_on(int tid)
{
	long ticks, now;
	char state;

	state_of(tid, &ticks);
	do {
		usleep(1000);
		state = state_of(tid, &now);
	} while (state == 'R' && now == ticks);
	return state == 'R';
}

/* Do something to a caliper while its thread sleeps or runs. */
enum fate { STAYS, SAMPLED, SAMPLED_AWAKE, LET_GO, LET_GO_AWAKE };

static void do_to(enum fate wanted, enum fate *fates, int tid, long *order)
{
	int i, nr = 0;

	for (i = 0; i < CALIPERS; i++) {
		if (fates[i] != wanted)
			continue;
		if (wanted == LET_GO_AWAKE) {
			/* If a grace period takes long the loop may have ended. */
			if (nr++ && (!runs_on(tid) ||
				     try_command(worker.c[i].fd, "detach-thread %d", tid)))
				fates[i] = STAYS;
			else if (nr == 1)
				command(worker.c[i].fd, "detach-thread %d", tid);
		} else if (wanted == LET_GO) {
			command(worker.c[i].fd, "detach-thread %d", tid);
		} else {
			command(worker.c[i].fd, "sample");
		}
		order[i] = total(worker.c[i].fd, -1, 0, COUNT_OF(i)) - before[i];
	}
}

static void check_fates(const enum fate *fates, const long *counted, unsigned int seed)
{
	long after[CALIPERS], length, last = 0;
	int i;

	take_totals(worker.c, after);
	for (i = 0; i < CALIPERS; i++) {
		length = script_length(steps + i, nr_steps - CALIPERS + 1);
		if (fates[i] == LET_GO)
			length = script_length(steps + i, worker.waits - i + 1);
		if (fates[i] != LET_GO_AWAKE) {
			same(after[i] - before[i], length, "seed %u: caliper %d, fate %d", seed, i,
			     fates[i]);
		} else {
			/* In the middle of the loop, or at its end, each later than the previous one. */
			length = script_length(steps + i, worker.spins - i + 1);
			within(counted[i], length, script_length(steps + i, worker.spins - i + 2),
			       "seed %u: caliper %d, let go in a loop", seed, i);
			CHECK(counted[i] - length > last, "seed %u: caliper %d is detached later", seed,
			      i);
			last = counted[i] - length;
			same(after[i] - before[i], counted[i], "seed %u: caliper %d goes on", seed, i);
		}
		/* A sample requested while the thread sleeps is taken before it runs further. */
		length = script_length(steps + i, worker.waits - i + 1);
		if (fates[i] == SAMPLED)
			check_samples(i, length, length, seed);
		length = script_length(steps + i, worker.spins - i + 1);
		if (fates[i] == SAMPLED_AWAKE)
			check_samples(i, length, length + 2 * LONG_LOOP, seed);
	}
}

/*
 * Wait until the threads have run as long as the first one, which sleeps longer than it runs. The
 * last one has been started later by the time that 63 starts take: with slub_debug= on x86, 12 %.
 */
static void check_times(const enum fate *fates, unsigned int seed)
{
	struct pmc_totals totals = { .core_type = PMC_ALL_CORE_TYPES };
	unsigned long long longest = 0;
	int i;

	for (i = 0; i < CALIPERS; i++) {
		if (fates[i] != STAYS)
			continue;
		if (ioctl(worker.c[i].fd, PMC_IOC_TOTALS, &totals))
			die("PMC_IOC_TOTALS: %s", strerror(errno));
		if (!longest)
			longest = totals.running;
		within(totals.running, longest * 3 / 4, longest * 11 / 10,
		       "seed %u: running time of caliper %d", seed, i);
	}
}

static void test_others(unsigned int seed)
{
	enum fate fates[CALIPERS];
	long counted[CALIPERS], ticks, now;
	pthread_t thread;
	int i, tid;

	open_all(worker.c);
	worker.tid = 0;
	if (pipe(worker.word) || pthread_create(&thread, NULL, work, NULL))
		die("no pipe, or no thread");
	pin(0, 1);
	while (!worker.tid)
		usleep(100);
	tid = worker.tid;
	/* Past its short sleeps. */
	do
		usleep(20000);
	while (state_of(tid, &ticks) != 'S');
	srandom(seed);
	/* Detaching more than a few takes longer than the loop. */
	for (i = 0; i < CALIPERS; i++)
		fates[i] = (unsigned int)i % 16 == seed ? LET_GO_AWAKE : random() % LET_GO_AWAKE;
	do_to(SAMPLED, fates, tid, counted);
	do_to(LET_GO, fates, tid, counted);
	/* Longer than RCU keeps memory that is to be freed (5 s), if the thread uses it still. */
	if (seed == 1)
		sleep(9);
	state_of(tid, &ticks);
	if (write(worker.word[1], "", 1) != 1)
		die("no word");
	do {
		usleep(1000);
		state_of(tid, &now);
	} while (now < ticks + 2);
	do_to(SAMPLED_AWAKE, fates, tid, counted);
	do_to(LET_GO_AWAKE, fates, tid, counted);
	pthread_join(thread, NULL);
	unpin(0);
	check_fates(fates, counted, seed);
	check_times(fates, seed);
	close_all(worker.c);
	close(worker.word[0]);
	close(worker.word[1]);
}

/* ---- exec, and the end ---- */

/* The count of each caliper for the same instructions, from its own start. */
static void check_ends(const struct caliper *c, const char *what)
{
	long after[CALIPERS], rest, first = 0;
	int i;

	take_totals(c, after);
	for (i = 0; i < CALIPERS; i++) {
		rest = after[i] - before[i] - script_length(steps + i, CALIPERS - i);
		if (!i)
			first = rest;
		same(rest, first, "%s: caliper %d less its beginning", what, i);
	}
	CHECK(first > 0, "%s: nothing was counted", what);
}

static void start_and_switch(struct caliper *c)
{
	int i;

	map_all(c);
	/* To start a caliper that counts changes nothing. */
	for (i = 0; i < CALIPERS; i++)
		start(c[i].fd);
	stop_all(c);
	take_totals(c, before);
	nr_steps = 0;
	for (i = 0; i < CALIPERS; i++)
		add_start(c, i);
	for (i = 0; i < 4; i++)
		add_sleep();
	script(steps, nr_steps);
}

static void *start_and_end(void *c)
{
	start_and_switch(c);
	return c;
}

static void test_end(void)
{
	struct caliper c[CALIPERS];
	pthread_t thread;

	open_all(c);
	if (pthread_create(&thread, NULL, start_and_end, c))
		die("no thread");
	pthread_join(thread, NULL);
	check_ends(c, "end");
	close_all(c);
}

static void exec_is_reported(const struct caliper *c, const char *what)
{
	int caliper, i;

	for (caliper = 0; caliper < CALIPERS; caliper++) {
		struct records records = { };

		read_records(c[caliper].fd, &records);
		for (i = 0; i < records.nr; i++)
			if (records.all[i].head.flags & PMC_REC_EXEC)
				break;
		CHECK(i < records.nr, "%s: no sample of caliper %d says so", what, caliper);
		forget_records(&records);
	}
}

/*
 * @attached: the threads wait for the exec, but are started before it. For them it is then an
 * exec like any other.
 */
static void test_exec(bool attached)
{
	const char *what = attached ? "exec of an attached process" : "exec";
	struct caliper c[CALIPERS];
	int i, status;
	pid_t pid;

	open_all(c);
	for (i = 0; i < CALIPERS && attached; i++)
		command(c[i].fd, "enable exec");
	pid = fork();
	if (!pid) {
		for (i = 0; i < CALIPERS && attached; i++)
			command(c[i].fd, "attach %d", getpid());
		start_and_switch(c);
		execl("/tests/programs/known_loop", "known_loop", NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	same(WEXITSTATUS(status), KNOWN_STATUS, "status of the other program");
	check_ends(c, what);
	exec_is_reported(c, what);
	for (i = 0; i < CALIPERS; i++)
		close(c[i].fd);
}

int main(void)
{
	struct common *common;
	unsigned int seed;

	need_counters();
	common = mmap(NULL, sizeof(*common), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (common == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	steps = common->steps;
	before = common->before;
	test_pages();
	for (seed = 1; seed <= 4; seed++)
		test_steps(seed);
	for (seed = 1; seed <= 4; seed++)
		test_others(seed);
	test_end();
	test_exec(false);
	test_exec(true);
	return result();
}
