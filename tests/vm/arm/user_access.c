// SPDX-License-Identifier: GPL-2.0
/*
 * A thread that may read counters by instruction keeps this right until it leaves the CPU,
 * even if it loses its counters, its session or its page meanwhile: it may be between its
 * look at the right and the instruction, which kills a program without the right. No other
 * thread gets the right with the CPU, not even from a task whose virtual CPU's state KVM
 * restores after the switch.
 */
#include <errno.h>
#include <fcntl.h>
#include <pmctrack/user_page.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf.h"
#include "suspend.h"
#include "vm.h"

#define CPU		1
#define EVENTS		"events pmc@1=@I"
#define CYCLE_COUNTER	31

enum { READ = 1, LOOK_AND_READ };

static struct shared {
	volatile int ready;	/* the reader has access */
	volatile int go;	/* it is to read: READ or LOOK_AND_READ */
	volatile int left;	/* it has no access any more */
	volatile int direct;	/* what its page said then */
	long switches;		/* the reader's until it had access, involuntary ones */
} *shared;

/* Return the page of the calling thread, once counters may be read by instruction. */
static struct pmc_user_page *open_page(int fd)
{
	struct pmc_user_page *page;
	int tries;

	if (ioctl(fd, PMC_USER_START))
		die("PMC_USER_START: %s", why(fd));
	page = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, PMC_USER_PAGE_OFFSET);
	if (page == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	for (tries = 0; !page->direct || !pmc_user_page_allowed(); tries++) {
		if (tries == 5000)
			die("the page is not direct");
		usleep(1000);
	}
	return page;
}

/* Reads a counter when it is asked to, without a system call since it looked at the right. */
static void read_when_asked(const struct pmc_user_page *page)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	shared->switches = usage.ru_nivcsw;
	shared->ready = 1;
	while (!shared->go)
		;
	if (shared->go == READ || pmc_user_page_allowed())
		pmc_user_page_counter(CYCLE_COUNTER);
	shared->direct = page->direct;
}

/*
 * The caller leaves its CPU seldom: the kernel's lockup detector takes the CPU for a moment every
 * few seconds, and Linux 6.12 and later give other tasks some time.
 */
static void be_alone(void)
{
	struct sched_param param = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler: %s", strerror(errno));
}

static pid_t user_reads(bool alone)
{
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	pid = fork();
	if (!pid) {
		int fd;

		if (alone)
			be_alone();
		change_user(1000);
		pin(0, CPU);
		fd = open_session();
		command(fd, EVENTS);
		read_when_asked(open_page(fd));
		_exit(result());
	}
	while (!shared->ready)
		usleep(1000);
	return pid;
}

/* Return: whether the reader stayed on its CPU. Otherwise it may have been killed, as it did not look. */
static bool reader_stays(pid_t pid, int *status)
{
	struct rusage usage;

	shared->go = READ;
	wait4(pid, status, 0, &usage);
	return usage.ru_nivcsw == shared->switches;
}

static void check_reader(int status, const char *what)
{
	same(WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0, "%s: signal of the reader", what);
	same(status, 0, "%s: status of the reader", what);
	same(shared->direct, 0, "%s: counters by instruction, says the page", what);
}

/* Root takes the counters of a session that is not root's. */
static bool revoked(void)
{
	pid_t pid = user_reads(true);
	int fd = open_session(), status;
	bool stayed;

	command(fd, EVENTS "\nsyswide");
	stayed = reader_stays(pid, &status);
	if (stayed)
		check_reader(status, "root counts CPUs");
	close(fd);
	return stayed;
}

/* Perf's driver takes the right away from threads that perf counts. */
static bool counted_by_perf(void)
{
	struct perf_event_attr attr = {
		.type = perf_type(core_type_of(CPU)),
		.config = event_codes()->instructions,
		.exclude_kernel = 1,
	};
	pid_t pid = user_reads(true);
	int event = perf_open(&attr, pid, -1, -1), status;
	bool stayed = reader_stays(pid, &status);

	if (stayed)
		check_reader(status, "perf counts the thread");
	close(event);
	return stayed;
}

static void until_the_reader_stays(bool (*test)(void))
{
	int tries;

	for (tries = 0; !test(); tries++)
		if (tries == 20)
			die("the reader left its CPU each time");
}

/* Return how often this CPU, which the caller shares with the reader, permits counters. */
static int permitted(int ms)
{
	long long end = now(CLOCK_MONOTONIC) + ms * 1000000LL;
	int nr = 0;

	pin(0, CPU);
	while (now(CLOCK_MONOTONIC) < end)
		nr += pmc_user_page_allowed();
	/* The reader comes back to the CPU. */
	pin(0, 0);
	usleep(20000);
	return nr;
}

/* The reader is not counted any more when it leaves the CPU. */
static void next_thread(void)
{
	pid_t pid = user_reads(false);
	int fd = open_session(), status;

	same(permitted(200), 0, "another thread while the reader is counted: right to read");
	command(fd, EVENTS "\nsyswide");
	same(permitted(200), 0, "another thread after the reader: right to read");
	shared->go = LOOK_AND_READ;
	waitpid(pid, &status, 0);
	check_reader(status, "the reader has left the CPU");
	close(fd);
}

/* When no switch is reported any more, nobody could take the right away later. */
static void last_session(void)
{
	int fd = open_session(), status;
	pid_t pid;

	command(fd, EVENTS);
	memset(shared, 0, sizeof(*shared));
	pid = fork();
	if (!pid) {
		be_alone();
		pin(0, CPU);
		open_page(fd);
		shared->ready = 1;
		while (pmc_user_page_allowed())
			;
		shared->left = 1;
		_exit(result());
	}
	while (!shared->ready)
		usleep(1000);
	command(fd, "stop");
	usleep(3000000);
	same(shared->left, 1, "a thread that runs on after the last session has no right");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(fd);
}

/* The same for one that has been in a guest meanwhile: KVM restores the register afterwards. */
static void last_session_in_a_guest(void)
{
	int fd = open_session(), status;
	pid_t pid;

	load_module("test_vcpu");
	command(fd, EVENTS);
	memset(shared, 0, sizeof(*shared));
	pid = fork();
	if (!pid) {
		int vcpu = open("/proc/test_vcpu", O_WRONLY | O_CLOEXEC);

		be_alone();
		pin(0, CPU);
		open_page(fd);
		if (write(vcpu, "enter", 5) != 5)
			die("test_vcpu: %s", strerror(errno));
		shared->ready = 1;
		while (!shared->go)
			;
		if (write(vcpu, "leave", 5) != 5)
			die("test_vcpu: %s", strerror(errno));
		same(pmc_user_page_allowed(), 0, "back from a guest after the last session: right to read");
		_exit(result());
	}
	while (!shared->ready)
		usleep(1000);
	command(fd, "stop");
	usleep(3000000);
	shared->go = 1;
	waitpid(pid, &status, 0);
	same(status, 0, "status of the process that was in a guest");
	close(fd);
	unload_module("test_vcpu");
}

/* The reader has a virtual CPU while it sleeps, and then none. */
static void virtual_cpu(void)
{
	int status;
	pid_t pid;

	load_module("test_vcpu");
	memset(shared, 0, sizeof(*shared));
	pid = fork();
	if (!pid) {
		int fd, i, vcpu = open("/proc/test_vcpu", O_WRONLY | O_CLOEXEC);
		struct pmc_user_page *page;

		change_user(1000);
		pin(0, CPU);
		fd = open_session();
		command(fd, EVENTS);
		page = open_page(fd);
		if (write(vcpu, "enter", 5) != 5)
			die("test_vcpu: %s", strerror(errno));
		shared->ready = 1;
		for (i = 0; i < 20; i++)
			usleep(10000);
		same(page->direct, 0, "with a virtual CPU: counters by instruction, says the page");
		if (write(vcpu, "leave", 5) != 5)
			die("test_vcpu: %s", strerror(errno));
		usleep(10000);
		same(page->direct, 1, "without it: counters by instruction");
		_exit(result());
	}
	while (!shared->ready)
		usleep(1000);
	same(permitted(150), 0, "another thread beside a virtual CPU: right to read");
	waitpid(pid, &status, 0);
	same(status, 0, "status of the process with a virtual CPU");
	unload_module("test_vcpu");
}

int main(void)
{
	need_counters();
	pin(0, 0);
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	/* It would have threads that are alone leave the CPU for a while. */
	if (write_file("/proc/sys/kernel/sched_rt_runtime_us", "-1"))
		die("sched_rt_runtime_us can't be set");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	until_the_reader_stays(revoked);
	until_the_reader_stays(counted_by_perf);
	next_thread();
	last_session();
	last_session_in_a_guest();
	virtual_cpu();
	return result();
}
