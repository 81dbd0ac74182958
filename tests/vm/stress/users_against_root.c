// SPDX-License-Identifier: GPL-2.0
/*
 * Unprivileged users do what they are allowed to do, in the most inconvenient order, while
 * root counts threads and CPUs, and perf counts too. All work in bursts, and sleep between
 * them: longer than the kernel keeps freed memory (kfree_rcu, 5 s).
 *
 * - Root is never refused a counter, and has exact counts.
 * - A user who keeps the counters has exact counts. Flags report counters that were lost.
 * - The kernel does not complain, and nothing is left: see nothing_is_left().
 *
 * Idle time costs the host next to nothing, so with SIZE=long this lasts an hour of the
 * machine's time. Its random numbers are the same in every run.
 *
 * usage: stress/users_against_root [BURSTS [SEED]]
 */
#include <errno.h>
#include <fcntl.h>
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

#include "genl.h"
#include "leftovers.h"
#include "perf.h"
#include "vm.h"

/* The most bursts, in multiples of those asked for */
#define MORE_BURSTS	10

/* Root's sessions have counters of their own, so that only users can be in their way. */
#define FOR_CPUS	"events pmc@1=@I"
#define FOR_THREADS	"events pmc@2=@I"

/* Instructions of a thread between a stop and the interrupt of a revocation, at most */
#define UNTIL_REVOKED	5000

#define LISTENERS	20
#define SESSIONS	12
#define MAX_SETS	300
#define MAX_CPUS	4

enum outcome { EXACT, LOST, REFUSED, NR_OUTCOMES };

static const char *const outcomes[] = { "exact", "lost their counters", "refused" };

/* What all processes know */
static struct {
	atomic_long threads[2][NR_OUTCOMES];	/* of root, of users */
	atomic_long cpus[NR_OUTCOMES];
	atomic_long taken;	/* users' threads that root has counted */
	atomic_long perf_exact;
	atomic_long failures;
	pid_t users[16];	/* processes to be counted by others */
} *shared;

static long bursts;
static long burst_ms;	/* the length of one */
static long period_ms;	/* from one to the next */
static unsigned int seed;
static struct timespec begin;

static unsigned int below(unsigned int n)
{
	return rand_r(&seed) % n;
}

/* ---- bursts ---- */

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000;
}

static void sleep_until(long ms)
{
	long left = ms - now_ms();

	if (left > 0)
		usleep(left * 1000);
}

static bool in_burst(void)
{
	return now_ms() % period_ms < burst_ms;
}

/* Has each outcome been seen that is to be seen? Users and root need not meet in six bursts. */
static bool everything_happened(void)
{
	return shared->threads[0][EXACT] && shared->cpus[EXACT] && shared->threads[1][EXACT] &&
	       shared->threads[1][LOST] && shared->taken && shared->perf_exact;
}

/* Return: false when all bursts are over: more of them, if something has not happened yet. */
static bool next_burst(void)
{
	long nr = now_ms() / period_ms + !in_burst();

	if (nr >= bursts && (everything_happened() || nr >= MORE_BURSTS * bursts))
		return false;
	sleep_until(nr * period_ms);
	usleep(below(2000));
	return true;
}

/* For what goes on after the burst */
static void over_the_burst(void)
{
	sleep_until((now_ms() / period_ms + 1) * period_ms + below(burst_ms));
}

static void note_failure(void)
{
	if (result())
		shared->failures++;
}

/* ---- counts that have to be exact ---- */

struct claim {
	int who;	/* 0: root, 1: a user */
	const char *what;
	int fd;
};

static void refused_counters(const struct claim *c, int error)
{
	shared->threads[c->who][REFUSED]++;
	if (!c->who)
		fail("root, %s: %s: %s", c->what, strerror(error), why(c->fd));
}

/* Return: the flags of all records of a session that has stopped. */
static unsigned int read_outcome(int fd, long *count)
{
	struct records records = {};
	unsigned int flags = 0;
	int i;

	read_records(fd, &records);
	*count = sum_records(&records, 0, -1, -1, 0);
	for (i = 0; i < records.nr; i++)
		flags |= records.all[i].head.flags;
	forget_records(&records);
	return flags;
}

/* The session's records: is the count exact, or do flags say why not? */
static void judge(const struct claim *c, long truth)
{
	long count;
	unsigned int flags = read_outcome(c->fd, &count);

	if (flags & (PMC_REC_EVICTED | PMC_REC_COUNTER_LOST)) {
		shared->threads[c->who][LOST]++;
		if (count > truth)
			fail("%s, lost (flags 0x%x): %ld of %ld", c->what, flags, count, truth);
		if (!c->who)
			fail("root, %s: counters lost (flags 0x%x)", c->what, flags);
		return;
	}
	shared->threads[c->who][EXACT]++;
	same(count, truth, "%s, %s, flags 0x%x", c->who ? "a user" : "root", c->what, flags);
}

static const char *events_of(int who)
{
	static const char *const lines[] = {
		"events ev=@I", "events ev=@I,ev=@C", "events pmc@2=@I,pmc@3=@C",
		"events pmc@1=@I", "period 1ms\nevents ev=@I,ev=@I", "events ev=@I,ev=@I:ebs=50000",
	};

	return who ? lines[below(6)] : FOR_THREADS;
}

/* A program whose instructions are known, counted from its exec to its end. */
static void count_program(int who)
{
	struct claim c = { .who = who, .what = "a program" };
	int go[2], status, ret;
	pid_t pid;
	char byte;

	if (pipe(go))
		die("no pipe");
	pid = fork();
	if (!pid) {
		close(go[1]);
		if (read(go[0], &byte, 1) == 1)
			execl("/tests/programs/known_loop", "known_loop", NULL);
		_exit(97);
	}
	close(go[0]);
	c.fd = open_session();
	ret = try_command(c.fd, "%s\nenable exec\nattach %d", events_of(who), pid);
	if (!ret && write(go[1], "", 1) != 1)
		die("pipe: %s", strerror(errno));
	close(go[1]);
	waitpid(pid, &status, 0);
	if (ret) {
		refused_counters(&c, -ret);
	} else {
		same(WEXITSTATUS(status), KNOWN_STATUS, "status of the program");
		command(c.fd, "stop");
		judge(&c, KNOWN_LOOP);
	}
	close(c.fd);
}

/* The thread itself, from a start to a stop */
static void count_self(int who)
{
	struct claim c = { .who = who, .what = "itself", .fd = open_session() };
	struct step steps[2];

	make_step(&steps[0], SYS_ioctl, c.fd, PMC_IOC_START, 0);
	make_step(&steps[1], SYS_ioctl, c.fd, PMC_IOC_STOP, 0);
	steps[0].loops = 1 + below(300000);
	if (below(2))
		pin(0, below(MAX_CPUS));
	steps[0].result = try_command(c.fd, "%s", events_of(who));
	if (!steps[0].result)
		script(steps, 2);
	if (steps[0].result) {
		refused_counters(&c, -steps[0].result);
	} else {
		try_command(c.fd, "stop");
		/* A stop is refused while counters are revoked: the thread counts until they are. */
		judge(&c, script_length(steps, 2) + (steps[1].result ? UNTIL_REVOKED : 0));
	}
	unpin(0);
	close(c.fd);
}

/* A user has root's counter before root starts in the next burst, and after that. */
static void lose_counters(void)
{
	struct claim c = { .who = 1, .what = "over a burst", .fd = open_session() };
	int ret = try_command(c.fd, FOR_CPUS);
	long count;

	if (!ret)
		ret = try_start(c.fd);
	if (ret) {
		refused_counters(&c, -ret);
	} else {
		over_the_burst();
		usleep(200000);
		try_command(c.fd, "stop");
		if (read_outcome(c.fd, &count) & PMC_REC_EVICTED)
			shared->threads[1][LOST]++;
	}
	close(c.fd);
}

static void count_cpus(void)
{
	int fd = open_session(), ret;
	unsigned int flags;
	long count;

	command(fd, FOR_CPUS);
	ret = try_command(fd, "syswide");
	if (ret) {
		shared->cpus[REFUSED]++;
		fail("root, CPUs: %s: %s", strerror(-ret), why(fd));
	} else {
		usleep(500 + below(4000));
		command(fd, "stop");
		flags = read_outcome(fd, &count) & (PMC_REC_EVICTED | PMC_REC_COUNTER_LOST);
		shared->cpus[flags ? LOST : EXACT]++;
		CHECK(!flags, "root, CPUs: counters lost (flags 0x%x)", flags);
		CHECK(count > 0, "root counts %ld instructions of all CPUs", count);
		same(total(fd, -1, 0, 0), count, "root, CPUs: the total, by records");
	}
	close(fd);
}

/* A user's process, which may have ended, and may have sessions of its own on this counter. */
static void count_user(void)
{
	pid_t pid = shared->users[below(16)];
	int fd = open_session();

	if (pid && !try_command(fd, FOR_THREADS ",pmc@3=@C\nfollow threads\nattach %d", pid)) {
		usleep(below(3000));
		shared->taken++;
	}
	close(fd);
}

/* ---- perf ---- */

/* An event of the process itself; others of perf's may come and go on the CPU. */
static void use_perf(void)
{
	int cpu = below(MAX_CPUS), fd;
	struct value v;
	void *page;

	pin(0, cpu);
	fd = perf_own(event_codes()->instructions, below(2), -1);
	page = below(2) ? mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	spin(1 + below(100000));
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	shared->perf_exact += perf_read(fd, &v) && v.running && v.running == v.enabled;
	if (page != MAP_FAILED)
		munmap(page, 4096);
	close(fd);
	unpin(0);
}

/* ---- what users try ---- */

/* Sessions on the calling thread: started, attached, waiting for an exec, with pages. */
static int many_sessions(int *fds, bool for_exec)
{
	int nr = 1 + below(SESSIONS), i;

	for (i = 0; i < nr; i++) {
		fds[i] = open("/proc/pmc/monitor", O_RDWR | O_NONBLOCK);
		try_command(fds[i], "ring 1\nevents %s", below(4) ? "ev=@I" : "ev=@I,ev=@C");
		if (for_exec)
			try_command(fds[i], "enable exec\nfollow none\nattach-thread %d", gettid());
		try_start(fds[i]);
		if (below(4))
			mmap(NULL, 4096, PROT_READ, MAP_SHARED, fds[i], PMC_MMAP_CALIPER);
	}
	return nr;
}

static void naps(const int *fds, int nr)
{
	while (nr--) {
		struct pmc_read r = { .core_type = PMC_ALL_CORE_TYPES };

		ioctl(fds[below(SESSIONS)], PMC_IOC_READ, &r);
		spin(1 + below(3000));
		usleep(below(300));
	}
}

/* The new program has the sessions' files, and closes them at its end. */
static void exec_with_sessions(void)
{
	int fds[SESSIONS] = { 0 };

	many_sessions(fds, below(2));
	naps(fds, below(8));
	execl("/tests/programs/known_loop", "known_loop", NULL);
	_exit(1);
}

static void *sleep_long(void *arg)
{
	int *fds = arg;

	many_sessions(fds, false);
	naps(fds, 3);
	atomic_thread_fence(memory_order_seq_cst);
	fds[SESSIONS] = 1;
	over_the_burst();
	naps(fds, 3);
	return NULL;
}

/* Another thread stops sessions while the counted one goes to sleep. */
static void stop_sleeper(void)
{
	int fds[SESSIONS + 1] = { 0 }, nr, i;
	pthread_t id;

	if (pthread_create(&id, NULL, sleep_long, fds))
		_exit(1);
	for (i = 0; i < 1000 && !((volatile int *)fds)[SESSIONS]; i++)
		usleep(10);
	for (nr = below(SESSIONS); nr >= 0; nr--) {
		int fd = fds[below(SESSIONS)];

		if (below(2))
			try_command(fd, "stop");
		else
			try_command(fd, "detach %d", getpid());
	}
	pthread_join(id, NULL);
	_exit(0);
}

static void attach_and_stop(void)
{
	int fd = open_session(), i;
	pid_t pid = fork();

	if (!pid)
		for (;;)
			spin(100000);
	for (i = 0; i < 6; i++) {
		try_command(fd, "clear\nevents pmc@1=@I,pmc@2=@I%s", below(2) ? ",pmc@3=@C" : "");
		try_command(fd, "attach-thread %d", pid);
		usleep(below(3000));
		if (below(2))
			try_command(fd, "detach-thread %d", pid);
		try_command(fd, "stop");
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
}

/* Every counter there is, by a thread that sleeps. */
static void grab_all(void)
{
	char text[2000];
	int fd = open_session(), ct, nr, want;

	for (ct = 0; ct < nr_core_types; ct++) {
		snprintf(text, sizeof(text), "events coretype=%d", ct);
		want = 1 + below(core_types[ct].nr_hw);
		for (nr = 0; nr < core_types[ct].nr_hw && want; nr++) {
			if (!(core_types[ct].general & 1ull << nr))
				continue;
			snprintf(text + strlen(text), sizeof(text) - strlen(text), ",pmc%d=@I", nr);
			want--;
		}
		try_command(fd, "%s", text);
	}
	if (!try_start(fd))
		over_the_burst();
	close(fd);
}

static void start_repeatedly(void)
{
	int i, fd;

	for (i = 0; i < 5; i++) {
		fd = open_session();
		try_command(fd, "events %s", below(2) ? "sw=task_clock" : "ev=@I,ev=@C");
		try_start(fd);
		close(fd);
	}
}

/* Kernel memory: sets, rings, threads kept for forks. */
static void use_memory(void)
{
	int fds[SESSIONS], i, j;

	for (i = 0; i < SESSIONS; i++) {
		fds[i] = open_session();
		try_command(fds[i], "ring %u", 1 << below(17));
		for (j = below(MAX_SETS); j > 0; j--)
			if (try_command(fds[i], "events sw=task_clock,ev=@I"))
				break;
		try_command(fds[i], "period 1ms\nfollow children");
		try_start(fds[i]);
	}
	over_the_burst();
	for (i = 0; i < SESSIONS; i++)
		close(fds[i]);
}

static void *short_thread(void *unused)
{
	spin(2000);
	return unused;
}

/* A family is sampled, and moves between core types. */
static void family(void)
{
	static const char *const lines[] = {
		"period 1ms\nevents ev=@I,ev=@C", "events ev=@I:ebs=3000",
		"period 1ms\nevents ev=@I\nevents ev=@C", "events ev=@I:ebs=20000,ev=@C",
	};
	int fd = open_session(), i, nr;
	pthread_t id[4];
	pid_t pid;

	try_command(fd, "%s\nfollow children\nattach %d", lines[below(4)], getpid());
	for (i = below(4); i > 0; i--) {
		pid = fork();
		if (!pid) {
			pin(0, below(MAX_CPUS));
			for (i = 0, nr = 0; i < 4; i++)
				nr += !pthread_create(&id[nr], NULL, short_thread, NULL);
			if (below(2))
				exec_with_sessions();
			while (nr--)
				pthread_join(id[nr], NULL);
			_exit(0);
		}
		if (below(2))
			kill(pid, SIGKILL);
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
	close(fd);
}

/* More listeners than a user may have, most of which never read. None hears another user. */
static void listen_to_all(void)
{
	static struct message m;
	int all[LISTENERS], i, nr = 1 + below(LISTENERS);

	for (i = 0; i < nr; i++) {
		all[i] = genl_open();
		genl_listen(all[i], below(3) ? 0 : below(1000));
	}
	while (in_burst())
		if (genl_next(all[0], &m, 1) && m.command == PMC_NL_BEGIN && getuid() &&
		    m.uid != getuid())
			fail("user %d hears the session of user %d", (int)getuid(), (int)m.uid);
	note_failure();
	for (i = 0; i < nr; i++)
		close(all[i]);
}

/* In a process of its own, which may go on after the burst. */
static void in_child(void (*what)(void))
{
	pid_t pid = fork();

	if (pid)
		return;
	seed += getpid();
	what();
	_exit(0);
}

static void one_of_all(void)
{
	switch (below(12)) {
	case 0: case 1: in_child(exec_with_sessions); break;
	case 2: case 3: in_child(stop_sleeper); break;
	case 4: case 5: attach_and_stop(); break;
	case 6: in_child(grab_all); break;
	case 7: start_repeatedly(); break;
	case 8: in_child(use_memory); break;
	case 9: in_child(family); break;
	case 10: in_child(use_perf); break;
	case 11: in_child(listen_to_all); break;
	}
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/* ---- the processes ---- */

static void be_root_of_threads(void)
{
	if (below(2))
		count_program(0);
	else
		count_self(0);
}

static void be_root_of_others(void)
{
	if (below(2))
		count_user();
	else
		use_perf();
}

static void be_exact(void)
{
	if (below(2))
		count_program(1);
	else
		count_self(1);
}

static const struct role {
	uid_t uid;
	void (*act)(void);
} roles[] = {
	{ 0, count_cpus }, { 0, be_root_of_threads }, { 0, be_root_of_others },
	{ 0, listen_to_all },
	{ 1000, be_exact }, { 1001, be_exact }, { 1002, use_perf }, { 1002, lose_counters },
	{ 1000, one_of_all }, { 1001, one_of_all }, { 1001, one_of_all }, { 1002, one_of_all },
};

#define ROLES	((int)(sizeof(roles) / sizeof(*roles)))

static const uid_t users[] = { 1000, 1001, 1002 };

static pid_t begin_role(int nr)
{
	const struct role *role = &roles[nr];
	pid_t pid = fork();

	if (pid) {
		if (role->uid)
			shared->users[nr] = pid;
		return pid;
	}
	setpgid(0, 0);
	seed += 1000 * nr + now_ms();
	if (role->uid)
		change_user(role->uid);
	while (next_burst())
		do
			role->act();
		while (in_burst());
	note_failure();
	_exit(0);
}

/* For those who look at the log of an hour */
static void print_progress(void)
{
	printf("after %ld s: %ld burst(s) of %ld\n", now_ms() / 1000, now_ms() / period_ms, bursts);
	fflush(stdout);
}

/* In each burst one of the users is killed, with all children. */
static void kill_users(pid_t *pids)
{
	int nr, burst;

	for (burst = 0; next_burst(); burst++) {
		if (burst % 10 == 0)
			print_progress();
		usleep(1000 * below(burst_ms));
		nr = below(ROLES);
		if (roles[nr].act == one_of_all) {
			kill(-pids[nr], SIGKILL);
			waitpid(pids[nr], NULL, 0);
			pids[nr] = begin_role(nr);
		}
		over_the_burst();
	}
}

/* Users of kill_users() end at any time. All others end by themselves, without an error. */
static void end_role(int nr, pid_t pid)
{
	int status;

	if (roles[nr].act != one_of_all && (waitpid(pid, &status, 0) != pid || status))
		fail("role %d ended with status %d", nr, status);
	kill(-pid, SIGKILL);
}

static void print_outcomes(const char *who, const atomic_long *nr)
{
	int i;

	printf("%s:", who);
	for (i = 0; i < NR_OUTCOMES; i++)
		printf(" %ld %s%s", nr[i], outcomes[i], i < NR_OUTCOMES - 1 ? "," : "\n");
}

int main(int argc, char **argv)
{
	pid_t pids[ROLES];
	int i;

	/* An hour of long bursts takes the host several. */
	burst_ms = by_size(40, 8);
	period_ms = by_size(7200, 12000);
	bursts = argc > 1 ? atol(argv[1]) : by_size(6, 3600000 / period_ms);
	seed = argc > 2 ? atoi(argv[2]) : 1;
	printf("seed %u\n", seed);
	need_counters();
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		die("no memory");
	note_resources(users, 3);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (i = 0; i < ROLES; i++)
		pids[i] = begin_role(i);
	kill_users(pids);
	for (i = 0; i < ROLES; i++)
		end_role(i, pids[i]);
	for (i = 0; i < ROLES; i++)
		waitpid(pids[i], NULL, 0);
	printf("bursts for %ld s\n", now_ms() / 1000);
	print_outcomes("root's threads", shared->threads[0]);
	print_outcomes("root's CPUs", shared->cpus);
	print_outcomes("users' threads", shared->threads[1]);
	printf("root counted %ld threads of users; perf counted %ld times without a break\n",
	       shared->taken, shared->perf_exact);
	same(shared->failures, 0, "processes with failures");
	CHECK(everything_happened(), "something has never happened");
	nothing_is_left();
	return result();
}
