// SPDX-License-Identifier: GPL-2.0
/*
 * Inheritance: threads, child processes and other programs are counted, however they are
 * started, until they end. Each executes a program of known length or a script, so every
 * count can be checked exactly.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "vm.h"

#define PROGRAM	"/tests/programs/known_loop"

extern char **environ;
static char *const program_args[] = { PROGRAM, NULL };

static void ends_with(pid_t pid, int status)
{
	int found;

	if (waitpid(pid, &found, 0) != pid)
		die("waitpid: %s", strerror(errno));
	same(WIFEXITED(found) ? WEXITSTATUS(found) : -WTERMSIG(found), status,
	     "exit status of child %d", pid);
}

/* Check the last record of a thread: its end, and its whole count. */
static void ended_once(const struct records *records, pid_t pid, pid_t tid, const char *what)
{
	int i, last = 0;

	for (i = 0; i < records->nr; i++) {
		const struct pmc_record *h = &records->all[i].head;

		if ((pid_t)h->tid != tid)
			continue;
		same(h->pid, pid, "%s: pid of a record of thread %d", what, tid);
		if (last)
			fail("%s: thread %d has a record behind its last", what, tid);
		if (h->flags & PMC_REC_LAST) {
			last++;
			same(h->event, PMC_SAMPLE_EXIT, "%s: event of the last record", what);
		}
	}
	same(last, 1, "%s: last records of thread %d", what, tid);
}

static void exec_program(void)
{
	execv(PROGRAM, program_args);
}

static void *exec_program_thread(void *unused)
{
	exec_program();
	return unused;
}

/* The thread's pid becomes that of the process, whose other threads end. */
static void exec_from_thread(void)
{
	pthread_t id;

	pthread_create(&id, NULL, exec_program_thread, NULL);
	pause();
}

/* The same program twice: the second time in a child of the first. */
static void exec_in_child(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		exec_program();
	waitpid(pid, &status, 0);
	exec_program();
}

static void vfork_and_spawn(void)
{
	pid_t pid = vfork();
	int status;

	if (!pid) {
		execv(PROGRAM, program_args);
		_exit(97);
	}
	waitpid(pid, &status, 0);
	if (posix_spawn(&pid, PROGRAM, NULL, NULL, program_args, environ))
		_exit(96);
	waitpid(pid, &status, 0);
	exec_program();
}

/* The memory of an ended thread is used for a later one, some grace periods later. */
#define ONE_BY_ONE	40

static void one_by_one(void)
{
	int status, i;
	pid_t pid;

	pin(0, 0);
	for (i = 0; i < ONE_BY_ONE; i++) {
		pid = vfork();
		if (!pid) {
			exec_program();
			_exit(97);
		}
		waitpid(pid, &status, 0);
		usleep(5000);
	}
	exec_program();
}

/*
 * Programs started by a process that is attached, counted from their exec on:
 * each has the program's length.
 */
static void programs(const char *what, const char *follow, void (*work)(void), int nr,
		     const char *options)
{
	struct records records = { };
	int fd = open_session(), go, i, n = 0;
	pid_t pid = child_start(work, &go);

	command(fd, "events " INSTRUCTIONS "\nfollow %s\nenable exec\n%s\nattach %d",
		follow, options, pid);
	child_go(go);
	ends_with(pid, KNOWN_STATUS);
	read_to_end(fd, &records);
	check_records(&records);
	for (i = 0; i < records.nr; i++) {
		const struct pmc_record *h = &records.all[i].head;

		if (h->flags & PMC_REC_LAST) {
			n++;
			same(sum_records(&records, h->tid, -1, -1, 0), KNOWN_LOOP,
			     "%s: instructions of %d", what, h->tid);
			ended_once(&records, h->tid, h->tid, what);
		}
	}
	same(n, nr, "%s: programs", what);
	same(sum_records(&records, pid, -1, -1, 0), KNOWN_LOOP, "%s: of the first", what);
	same(total(fd, -1, 0, 0), (long)nr * KNOWN_LOOP, "%s: in all", what);
	forget_records(&records);
	close(fd);
}

/* ---- scripts that make threads and processes ---- */

static struct step *family;

/* A process of @depth generations, each with two children; 2^n - 1 of them. */
static void make_family(void)
{
	int i, n = 0;

	family = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	/* Three forks, made by everyone there is: 8 processes. */
	for (i = 0; i < 3; i++)
		make_step(&family[n++], SYS_clone, SIGCHLD, 0, 0);
	make_step(&family[n++], SYS_wait4, -1, 0, 0);
	make_step(&family[n++], SYS_wait4, -1, 0, 0);
	make_step(&family[n++], SYS_wait4, -1, 0, 0);
	make_step(&family[n++], SYS_getppid, 0, 0, 0);
	make_step(&family[n++], SYS_exit_group, KNOWN_STATUS, 0, 0);
	for (i = 0; i < n; i++)
		family[i].loops = 10000 + 1000 * i;
}

static void run_family(void)
{
	script(family, 8);
}

/*
 * The instructions of each of the 8 processes depend only on the fork that made it: they
 * are those from there to the end of the script. Parent and child both continue after the
 * call.
 */
static void children(void)
{
	long whole = script_length(family, 8), len[4];
	int fd = open_session(), go, i, born, found[4] = { }, expected[4] = { 1, 1, 2, 4 };
	struct records records = { };
	pid_t pid;

	/* Made by fork number i: the script after that call. */
	for (born = 1; born <= 3; born++)
		len[born] = script_length(family + born - 1, 8 - (born - 1));
	(void)whole;
	pid = child_start(run_family, &go);
	command(fd, "events " INSTRUCTIONS ",sw=context_switches\nfollow children\nattach %d", pid);
	child_go(go);
	ends_with(pid, KNOWN_STATUS);
	read_to_end(fd, &records);
	check_records(&records);
	for (i = 0; i < records.nr; i++) {
		const struct pmc_record *h = &records.all[i].head;
		long count = sum_records(&records, h->tid, -1, -1, 0);

		if (!(h->flags & PMC_REC_LAST))
			continue;
		ended_once(&records, h->tid, h->tid, "family");
		if ((pid_t)h->tid == pid) {
			found[0]++;
			continue;
		}
		for (born = 1; born <= 3; born++)
			if (count == len[born])
				break;
		if (born > 3)
			fail("family: process %d has %ld instructions, expected %ld, %ld or %ld",
			     h->tid, count, len[1], len[2], len[3]);
		else
			found[born]++;
	}
	for (i = 0; i < 4; i++)
		same(found[i], expected[i], "family: processes of birth %d", i);
	forget_records(&records);
	close(fd);
}

/* ---- threads ---- */


static void *short_thread(void *arg)
{
	spin(20000 + 1000 * (long)arg);
	return NULL;
}

static void make_threads(void)
{
	pthread_t id[20];
	pid_t pid;
	long i;

	pid = fork();
	if (!pid) {
		spin(5000000);
		_exit(0);
	}
	for (i = 0; i < 20; i++)
		pthread_create(&id[i], NULL, short_thread, (void *)i);
	for (i = 0; i < 20; i++)
		pthread_join(id[i], NULL);
	waitpid(pid, NULL, 0);
	_exit(KNOWN_STATUS);
}

static void threads_only(void)
{
	struct records records = { };
	int fd = open_session(), go, i, j, n = 0;
	pid_t pid = child_start(make_threads, &go);
	long fewest = 0, count;

	command(fd, "events " INSTRUCTIONS "\nfollow threads\nattach %d", pid);
	child_go(go);
	ends_with(pid, KNOWN_STATUS);
	read_to_end(fd, &records);
	check_records(&records);
	for (i = 0; i < records.nr; i++) {
		const struct pmc_record *h = &records.all[i].head;

		same(h->pid, pid, "threads: pid of a record");
		if (!(h->flags & PMC_REC_LAST))
			continue;
		n++;
		ended_once(&records, pid, h->tid, "threads");
	}
	same(n, 21, "threads that ended");
	/* The threads differ only in the length of their loops. */
	for (i = 1; i <= 20; i++) {
		for (j = 0, fewest = 0; j < records.nr; j++) {
			count = sum_records(&records, records.all[j].head.tid, -1, -1, 0);
			if ((pid_t)records.all[j].head.tid == pid)
				continue;
			if (count >= 40000 + 2000 * (i - 1) && count < 40000 + 2000 * i)
				fewest = count - 2000 * (i - 1);
		}
		if (!fewest)
			fail("threads: none with the instructions of number %d", i);
	}
	forget_records(&records);
	close(fd);
}

/* io_uring starts a thread of the process, which takes what is submitted, in kernel mode. */
static void io_uring_thread(void)
{
	struct io_uring_params params = {
		.flags = IORING_SETUP_SQPOLL,
		.sq_thread_idle = 10,
	};
	struct records records = { };
	int fd = open_session(), ring, i;
	uint64_t count = 0;

	command(fd, "follow threads\nevents " INSTRUCTIONS ":k");
	start(fd);
	ring = syscall(SYS_io_uring_setup, 4, &params);
	if (ring < 0)
		die("io_uring_setup: %s", strerror(errno));
	usleep(50000);
	close(ring);
	/* A worker of the kernel's has the thread end. */
	for (i = 0; i < 200 && !count; i++) {
		usleep(10000);
		read_records(fd, &records);
		count = sum_records(&records, 0, -1, -1, 0) -
			sum_records(&records, getpid(), -1, -1, 0);
	}
	CHECK(count > 1000, "io_uring's thread is not counted in kernel mode: %llu instructions",
	      (unsigned long long)count);
	stop(fd);
	forget_records(&records);
	close(fd);
}

/* ---- totals while threads end ---- */

#define CHILDREN	150

static int children_go[2];

/* A sample is taken when a child continues after its sleep: the totals then include it. */
static void make_children(void)
{
	char c;
	int i;

	close(children_go[1]);
	for (i = 0; i < CHILDREN; i++) {
		if (fork())
			continue;
		spin(20000);
		usleep(2000);
		spin(1000);
		_exit(read(children_go[0], &c, 1));
	}
	while (wait(NULL) > 0)
		;
	_exit(KNOWN_STATUS);
}

/* A thread that ends is always included, either with running or with ended threads. */
static void totals_never_fall(void)
{
	int fd = open_session(), go, status, same_again = 0, reads = 0, falls = 0, i;
	const uint64_t least = CHILDREN * 40000LL;
	uint64_t before = 0, now;
	pid_t pid;

	if (pipe(children_go))
		die("pipe: %s", strerror(errno));
	pid = child_start(make_children, &go);
	close(children_go[0]);
	command(fd, "events " INSTRUCTIONS "\nfollow children\nperiod 1ms\nattach %d", pid);
	child_go(go);
	/* An emulated CPU may stop for long, so wait until each child was there. */
	for (i = 0; i < 2000 && (before < least || same_again < 20); i++, before = now) {
		usleep(2000);
		now = total(fd, -1, 0, 0);
		same_again = now == before ? same_again + 1 : 0;
	}
	within(before, least, CHILDREN * 80000LL, "150 children: instructions before it ends");
	close(children_go[1]);
	while (!waitpid(pid, &status, WNOHANG)) {
		now = total(fd, -1, 0, 0);
		falls += now < before;
		before = now;
		reads++;
	}
	same(WIFEXITED(status) ? WEXITSTATUS(status) : -1, KNOWN_STATUS, "150 children: exit status");
	same(falls, 0, "150 children: totals that were less than before, of %d", reads);
	close(fd);
}

/* ---- a program that gains privileges ---- */

#define SETUID_PROGRAM	"/tmp/known_setuid"

static void exec_setuid(void)
{
	char *const args[] = { SETUID_PROGRAM, NULL };

	execv(SETUID_PROGRAM, args);
}

static int user_session(void)
{
	struct records records = { };
	struct pollfd p = { .events = POLLIN };
	int fd, go;
	pid_t pid;

	if (setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
		die("becoming a user: %s", strerror(errno));
	/* A process that has changed its user is protected, and so are its children. */
	prctl(PR_SET_DUMPABLE, 1);
	fd = open_session();
	pid = child_start(exec_setuid, &go);
	command(fd, "events " INSTRUCTIONS "\nfollow children\nattach %d", pid);
	child_go(go);
	ends_with(pid, KNOWN_STATUS);
	p.fd = fd;
	same(poll(&p, 1, 10000), 1, "poll() of a session whose process gained privileges");
	read_to_end(fd, &records);
	ended_once(&records, pid, pid, "setuid");
	/* The counts of the time before are included, those of the time after are not. */
	within(sum_records(&records, pid, -1, -1, 0), 1, KNOWN_LOOP / 2,
	       "setuid: reported instructions");
	within(total(fd, -1, 0, 0), 1, KNOWN_LOOP / 2, "setuid: instructions in total");
	refused(fd, EPERM, "", "attach 1");
	return result();
}

static void setuid_exec(void)
{
	char order[200];
	int status;
	pid_t pid;

	snprintf(order, sizeof(order), "cp %s %s && chown 0:0 %s && chmod 4755 %s", PROGRAM,
		 SETUID_PROGRAM, SETUID_PROGRAM, SETUID_PROGRAM);
	if (system(order))
		die("%s: failed", order);
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid cannot be set");
	pid = fork();
	if (!pid)
		_exit(user_session());
	waitpid(pid, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail("the session of a user: status %#x", status);
	write_file("/proc/sys/kernel/perf_event_paranoid", "3");
	unlink(SETUID_PROGRAM);
}

int main(void)
{
	int i;

	need_counters();
	make_family();
	for (i = 0; i < 2; i++) {
		const char *options = i ? "period 1ms\nring 8192" : "";

		programs("exec", "none", exec_program, 1, options);
		programs("exec from a thread", "threads", exec_from_thread, 1, options);
		programs("exec in a child", "children", exec_in_child, 2, options);
		programs("vfork and spawn", "children", vfork_and_spawn, 3, options);
		programs("one by one", "children", one_by_one, ONE_BY_ONE + 1, options);
		programs("exec in a child, not followed", "threads", exec_in_child, 1, options);
	}
	children();
	threads_only();
	io_uring_thread();
	for (i = 0; i < 3; i++)
		totals_never_fall();
	setuid_exec();
	wait_until_idle();
	return result();
}
