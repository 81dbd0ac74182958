// SPDX-License-Identifier: GPL-2.0
/*
 * A thousand threads at the same time, inherited from one attached process, repeatedly: each
 * has exactly one last record, all have the same count, and nothing is left when they have
 * ended. Every other process is an ordinary user's. (tests/bench has ten thousand of them on 64 CPUs.)
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leftovers.h"
#include "vm.h"

#define THREADS	1000
#define PAGES	3

static pthread_barrier_t all_here;

static void *run(void *unused)
{
	pthread_barrier_wait(&all_here);
	spin(1000);
	touch_pages(PAGES);
	pthread_barrier_wait(&all_here);
	return unused;
}

static uid_t user;

/* Of the calling thread alone: the C library would interrupt the thousand others. */
static void be(uid_t uid)
{
	if (syscall(SYS_setresuid, -1, uid, -1))
		die("setresuid: %s", strerror(errno));
}

/* The file is root's. */
static long long nr_threads(void)
{
	long long nr;

	be(0);
	nr = proc_value("stats", "threads");
	be(user);
	return nr;
}

static void run_threads(int fd)
{
	pthread_t *threads = calloc(THREADS, sizeof(*threads));
	pthread_attr_t attr;
	int i, ret;

	pthread_barrier_init(&all_here, NULL, THREADS + 1);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 131072);
	for (i = 0; i < THREADS; i++) {
		ret = pthread_create(&threads[i], &attr, run, NULL);
		if (ret)
			die("no thread %d: %s", i, strerror(ret));
	}
	pthread_barrier_wait(&all_here);
	if (fd >= 0)
		same(nr_threads(), THREADS + 1, "threads counted at once");
	pthread_barrier_wait(&all_here);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

static void counted(const char *options)
{
	const char *events = core_types[0].nr_hw ?
		INSTRUCTIONS "," INSTRUCTIONS ",sw=page_faults" :
		"sw=minor_faults,sw=migrations,sw=page_faults";
	struct records records = { };
	int fd = open_session(), i, ended = 0;

	command(fd, "ring 16384\nfollow threads\nevents %s\n%s", events, options);
	command(fd, "attach %d", getpid());
	run_threads(fd);
	/* A join may return before the thread's last record is written. */
	for (i = 0; i < 5000 && nr_threads() > 1; i++)
		usleep(1000);
	command(fd, "detach %d", getpid());
	same(nr_threads(), 0, "threads when they are gone");
	read_records(fd, &records);
	check_records(&records);
	for (i = 0; i < records.nr; i++) {
		const struct pmc_record *h = &records.all[i].head;

		if (!(h->flags & PMC_REC_LAST))
			continue;
		same(h->event, (pid_t)h->tid == getpid() ? PMC_SAMPLE_SELF : PMC_SAMPLE_EXIT,
		     "event of the last record of a thread");
		ended += (pid_t)h->tid != getpid();
	}
	same(ended, THREADS, "threads that ended");
	for (i = 0; i < records.nr; i++) {
		if (!(records.all[i].head.flags & PMC_REC_LAST))
			continue;
		if (sum_records(&records, records.all[i].head.tid, -1, -1, 2) < PAGES)
			fail("thread %u: %llu page faults", records.all[i].head.tid,
			     (unsigned long long)sum_records(&records, records.all[i].head.tid, -1, -1, 2));
	}
	if (core_types[0].nr_hw) {
		same(total(fd, -1, 0, 0), total(fd, -1, 0, 1), "two counters of the same");
		if (total(fd, -1, 0, 0) < THREADS * 2000)
			fail("only %llu instructions", (unsigned long long)total(fd, -1, 0, 0));
	}
	for (i = 0; i < 3; i++)
		same(total(fd, -1, 0, i), sum_records(&records, 0, -1, -1, i),
		     "count %d: the session's total", i);
	forget_records(&records);
	close(fd);
}

static void counted_by_user(const char *options)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		user = 1000;
		if (setresgid(user, user, user) || setresuid(user, user, 0))
			die("becoming a user: %s", strerror(errno));
		counted(options);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the user's process");
}

int main(void)
{
	int rounds = by_size(2, 6), i;
	long before, after = 0;

	read_machine();
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	/* The kernel keeps some memory of the first threads for later ones. */
	run_threads(-1);
	counted("");
	counted_by_user("period 10ms");
	wait_until_idle();
	sleep(1);
	before = kernel_memory();
	for (i = 0; i < rounds; i++)
		(i % 2 ? counted_by_user : counted)(i % 4 < 2 ? "period 10ms" : "");
	wait_until_idle();
	same(proc_value("stats", "pool_misses"), 0, "threads missed");
	/*
	 * A thread takes 512 bytes at least, so a leak would be noticed. Slabs with some free
	 * objects made a difference of up to 688 KiB, and memory that the kernel frees later
	 * still counts.
	 */
	for (i = 0; i < 10; i++) {
		sleep(1);
		after = kernel_memory();
		if (after - before <= rounds * THREADS * 400 / 1024)
			break;
	}
	if (i == 10)
		fail("%ld KiB of kernel memory are gone", after - before);
	printf("kernel memory afterwards: %+ld KiB\n", after - before);
	return result();
}
