// SPDX-License-Identifier: GPL-2.0
/*
 * A thread's count is right to the instruction, whatever happens to the thread.
 *
 * Each of 64 threads (32 in short runs) on 4 CPUs of two core types executes a script of
 * its own length: loops, moves to other CPUs, forks, waits. Meanwhile the main thread also
 * moves them, and sends each a known number of signals. The script itself starts and stops
 * counting. So the right count contains no estimated constant: it is the number of the
 * script's instructions from the return of the start to the call of the stop, and
 * HANDLER_LENGTH for each signal (the handler and its trampoline).
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vm.h"

#define SELF_MOVES	200
#define FORKS		3
#define SIGNALS		16
#define NOT_YET		1
#define STEPS		(SELF_MOVES + 2 * FORKS + 5)

struct thread {
	pthread_t id;
	pid_t tid;
	int ready;		/* a pipe: its tid */
	int go;			/* a pipe: all signals are sent */
	int all_sent;
	long truth;
	uint64_t own[16];	/* by PMC_IOC_READ, each core type */
	struct step *steps;
	int nr_steps;
	long nr_signals;
};

static struct thread *threads;
static cpu_set_t cpu_masks[CPU_SETSIZE];
static unsigned long all_signals = ~0UL;
static int session, nr_cpus, nr_threads;

static long loops_of(int thread, int step)
{
	return 1000 + 97 * thread + 11 * step;
}

static int make_script(struct thread *t, int nr)
{
	struct step *s = t->steps;
	int i, n = 0;

	make_step(&s[n++], SYS_ioctl, session, PMC_IOC_START, 0);
	for (i = 0; i < SELF_MOVES; i++)
		make_step(&s[n++], SYS_sched_setaffinity, 0, sizeof(cpu_set_t),
			  (long)&cpu_masks[(nr + (i * 2 + i / 3)) % nr_cpus]);
	/* A pending signal would restart a fork. */
	make_step(&s[n], SYS_rt_sigprocmask, SIG_BLOCK, (long)&all_signals, 0);
	s[n++].args[3] = 8;
	for (i = 0; i < FORKS; i++) {
		make_step(&s[n], SYS_clone, SIGCHLD, 0, 0);
		s[n++].quit_if = 0;
		make_step(&s[n++], SYS_wait4, -1, 0, 0);
	}
	make_step(&s[n++], SYS_read, t->go, (long)&s[STEPS], 1);
	/* Pending signals are delivered now. */
	make_step(&s[n], SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&all_signals, 0);
	s[n++].args[3] = 8;
	make_step(&s[n++], SYS_ioctl, session, PMC_IOC_STOP, 0);
	for (i = 0; i < n; i++)
		s[i].loops = loops_of(nr, i);
	s[0].result = NOT_YET;
	return n;
}

static void *run(void *arg)
{
	struct thread *t = arg;
	int nr = t - threads, i, ct;

	t->tid = gettid();
	script(t->steps, t->nr_steps);
	for (i = 0; i < t->nr_steps; i++)
		if (t->steps[i].result < 0)
			fail("thread %d: step %d: %s", nr, i, strerror(-t->steps[i].result));
	same(t->nr_signals, SIGNALS, "thread %d: signals handled", nr);
	for (ct = 0; ct < nr_core_types; ct++)
		t->own[ct] = own_count(session, ct, 0, 0);
	return NULL;
}

/* Wait until the thread counts itself: earlier signals would not be counted. */
static void await(struct thread *t)
{
	while (__atomic_load_n(&t->steps[0].result, __ATOMIC_ACQUIRE) == NOT_YET)
		usleep(1000);
}

static void disturb(void)
{
	int i, round;

	for (i = 0; i < nr_threads; i++)
		await(&threads[i]);
	for (round = 0; round < SIGNALS; round++) {
		for (i = 0; i < nr_threads; i++) {
			struct thread *t = &threads[i];

			send_known_signal(t->tid, SIGRTMIN, &t->nr_signals);
			if (round % 4 != 3)
				pin(t->tid, (i * 7 + round * 5 + round / 4) % nr_cpus);
		}
	}
	for (i = 0; i < nr_threads; i++)
		if (write(threads[i].all_sent, "", 1) != 1)
			die("pipe: %s", strerror(errno));
}

static void check(const struct records *records, bool sampling)
{
	long long truth = 0, moves = 0;
	int i, ct;

	for (i = 0; i < nr_threads; i++) {
		struct thread *t = &threads[i];
		uint64_t sum = 0;

		truth += t->truth;
		for (ct = 0; ct < nr_core_types; ct++) {
			same(sum_records(records, t->tid, ct, -1, 0), t->own[ct],
			     "thread %d: instructions on core type %d, by records", i, ct);
			if (!t->own[ct])
				fail("thread %d: no instructions on core type %d", i, ct);
			sum += t->own[ct];
		}
		same(sum, t->truth, "thread %d: instructions", i);
		moves += sum_records(records, t->tid, -1, -1, 2);
	}
	for (ct = 0; ct < nr_core_types; ct++)
		for (i = 0; i < 3; i++)
			same(total(session, ct, 0, i), sum_records(records, 0, ct, -1, i),
			     "core type %d, count %d: the session's total", ct, i);
	same(total(session, -1, 0, 0), truth, "instructions of all threads");
	if (moves < nr_threads * SELF_MOVES / 2)
		fail("only %lld migrations", moves);
	printf("%s: %d threads, %lld instructions, %lld migrations, %d signals, %d forks, %d records\n",
	       sampling ? "samples" : "counts", nr_threads, truth, moves,
	       nr_threads * SIGNALS, nr_threads * FORKS, records->nr);
}

static void round_of(bool sampling)
{
	struct records records = { };
	int i, pipes[2];

	session = open_session();
	command(session, "ring 65536\nevents " INSTRUCTIONS "," CYCLES ",sw=migrations");
	if (sampling)
		command(session, "period 1ms");
	for (i = 0; i < nr_threads; i++) {
		struct step *steps = threads[i].steps;

		if (pipe(pipes))
			die("pipe: %s", strerror(errno));
		threads[i] = (struct thread){
			.steps = steps, .go = pipes[0], .all_sent = pipes[1],
		};
		threads[i].nr_steps = make_script(&threads[i], i);
		threads[i].truth = script_length(steps, threads[i].nr_steps) +
				   SIGNALS * HANDLER_LENGTH;
		if (pthread_create(&threads[i].id, NULL, run, &threads[i]))
			die("no thread %d", i);
	}
	disturb();
	for (i = 0; i < nr_threads; i++) {
		pthread_join(threads[i].id, NULL);
		close(threads[i].go);
		close(threads[i].all_sent);
	}
	command(session, "stop");
	read_records(session, &records);
	check_records(&records);
	check(&records, sampling);
	forget_records(&records);
	close(session);
}

/*
 * Scripts and counters are written between start and stop, so they are in shared memory:
 * after a fork, private memory would fault, and a faulting instruction is executed twice.
 */
static void *shared_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (p == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	return p;
}

int main(void)
{
	struct step *steps;
	int i;

	need_counters();
	nr_threads = by_size(32, 64);
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	for (i = 0; i < nr_cpus; i++)
		CPU_SET(i, &cpu_masks[i]);
	threads = shared_memory(nr_threads * sizeof(*threads));
	steps = shared_memory(nr_threads * (STEPS + 1) * sizeof(*steps));
	for (i = 0; i < nr_threads; i++)
		threads[i].steps = steps + i * (STEPS + 1);
	catch_known_signal(SIGRTMIN);
	round_of(false);
	round_of(true);
	wait_until_idle();
	return result();
}
