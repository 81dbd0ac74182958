// SPDX-License-Identifier: GPL-2.0
/*
 * Permission to execute RDPMC on x86: a process has it from mapping the page of one of its
 * threads until it has unmapped the last page. Other processes do not have it, and if the
 * administrator forbids it no process has it. A process reads its own counts only.
 */
#include <errno.h>
#include <glob.h>
#include <linux/perf_event.h>
#include <pmctrack.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#ifndef __x86_64__

int main(void)
{
	die("only x86 has RDPMC");
}

#else

static _Thread_local sigjmp_buf fault;
static int nr_cpus;

static void on_fault(int signal)
{
	siglongjmp(fault, signal);
}

static uint64_t value_of(uint32_t index)
{
	uint32_t low, high;

	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return (uint64_t)high << 32 | low;
}

/* Read a counter. Return: the signal that this caused, or 0 and the counter's value. */
static int rdpmc(uint32_t index, uint64_t *value)
{
	int signal = sigsetjmp(fault, 1);
	uint64_t v;

	if (signal)
		return signal;
	v = value_of(index);
	if (value)
		*value = v;
	return 0;
}

static uint32_t index_of(uint8_t hw)
{
	return (hw & 0x3f) | (uint32_t)(hw & 0x40) << 24;
}

/* Checked on every CPU, as each has its own register for the permission. */
static void everywhere(int signal, uint32_t index, const char *when)
{
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		pin(0, cpu);
		same(rdpmc(index, NULL), signal, "%s: signal of RDPMC %#x on CPU %d", when, index,
		     cpu);
	}
	pin(0, 0);
}

static struct pmc_caliper_page *map_page(int fd)
{
	struct pmc_caliper_page *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd,
					     PMC_MMAP_CALIPER);

	if (page == MAP_FAILED)
		die("mmap of the page: %s", strerror(errno));
	return page;
}

/* Wait: the page says "direct" after a moment, and an interrupt or a switch. */
static void await_direct(const struct pmc_caliper_page *page)
{
	int patience;

	for (patience = 0; !*(volatile __u8 *)&page->direct; patience++) {
		if (patience == 1000)
			die("the page does not say that counters may be read");
		usleep(1000);
	}
}

/* In a child: a thread of the same process may, another process may not. */
static void *other_thread(void *index)
{
	everywhere(0, (uintptr_t)index, "another thread of the process");
	return NULL;
}

static void other_process(int signal, uint32_t index, const char *when)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		everywhere(signal, index, when);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "%s: status", when);
}

static void comes_and_goes(void)
{
	struct pmc_caliper_page *page, *again;
	int fd = open_session(), round;
	pthread_t id;
	uint32_t index;

	everywhere(SIGSEGV, 0, "nothing is counted");
	command(fd, "events " INSTRUCTIONS);
	everywhere(SIGSEGV, 0, "events are configured");
	start(fd);
	everywhere(SIGSEGV, 0, "it is counted");
	for (round = 0; round < 3; round++) {
		page = map_page(fd);
		await_direct(page);
		index = index_of(page->hw[0]);
		everywhere(0, index, "the page is mapped");
		pthread_create(&id, NULL, other_thread, (void *)(uintptr_t)index);
		pthread_join(id, NULL);
		other_process(SIGSEGV, index, "a child of the process");
		again = map_page(fd);
		munmap(page, 4096);
		everywhere(0, index, "one of two mappings is left");
		munmap(again, 4096);
		everywhere(SIGSEGV, index, "the page is unmapped");
		other_process(SIGSEGV, index, "a child of the process, unmapped");
	}
	/* The mapping is still valid after the file was closed. */
	page = map_page(fd);
	await_direct(page);
	close(fd);
	everywhere(0, index, "the file is closed, the page is mapped");
	munmap(page, 4096);
	everywhere(SIGSEGV, index, "the last of the session is gone");
	wait_until_idle();
}

/* A page of an ended process leaves nothing behind on its CPUs. */
static void dies(void)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		int fd = open_session();

		command(fd, "events " INSTRUCTIONS);
		start(fd);
		await_direct(map_page(fd));
		everywhere(0, index_of(0), "before it dies");
		raise(SIGKILL);
	}
	waitpid(pid, &status, 0);
	same(WTERMSIG(status), SIGKILL, "the signal it died of");
	everywhere(SIGSEGV, 0, "another has died");
	wait_until_idle();
}

/*
 * The counts of another process' thread on this CPU cannot be read. A counter begins at half
 * of its range, or at 0.
 */
static void hidden(void)
{
	int theirs = open_session(), ours = open_session(), i, nr;
	struct pmc_caliper_page *page;
	uint64_t value;
	uint32_t first;

	pin(0, 0);
	command(theirs, "events pmc@4=@I,pmc@3=@C");
	command(ours, "events pmc@1=@I");
	start(theirs);
	spin(30000000);
	stop(theirs);
	start(ours);
	page = map_page(ours);
	await_direct(page);
	first = index_of(page->hw[0]);
	nr = __builtin_popcountll(core_types[core_type_of(0)].general);
	for (i = 1; i < nr; i++)
		if (!rdpmc(first + i, &value))
			within(value & ((1ULL << 40) - 1), 0, 20000000,
			       "counter %d, which another process used", first + i);
	munmap(page, 4096);
	close(ours);
	close(theirs);
}

/* The same for a thread of the process that is not counted, or not any more. */
static void *look(void *arg)
{
	uint64_t *value = arg;

	pin(0, 0);
	/* Run another process in between: counters are cleared at switches. */
	usleep(1000);
	same(rdpmc(*value, value), 0, "signal of RDPMC in a thread that is not counted");
	return NULL;
}

static void hidden_from_uncounted(void)
{
	int theirs = open_session(), ours = open_session();
	struct pmc_caliper_page *page;
	uint64_t value;
	pthread_t id;
	pid_t pid;

	pin(0, 0);
	command(theirs, "events pmc@4=@I");
	command(ours, "events pmc@1=@I");
	start(ours);
	page = map_page(ours);
	await_direct(page);
	/* Their counter has a number higher by three. */
	value = index_of(page->hw[0]) + 3;
	stop(ours);
	pid = fork();
	if (!pid) {
		pin(0, 0);
		start(theirs);
		spin(30000000);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	pthread_create(&id, NULL, look, &value);
	pthread_join(id, NULL);
	within(value & ((1ULL << 40) - 1), 0, 20000000, "the counter that a child used");
	munmap(page, 4096);
	close(ours);
	close(theirs);
}

/* The reading of count 0 by the page's own thread. */
static uint64_t reading(const volatile struct pmc_caliper_page *page)
{
	uint64_t count;
	uint32_t seq;

	do {
		seq = page->seq;
		if (!page->direct)
			die("the counter can't be read any more");
		count = page->total[0] +
			((value_of(index_of(page->hw[0])) - page->start[0]) & page->mask);
	} while (page->seq != seq);
	return count;
}

/*
 * One thread, two sessions with a page each: neither reading decreases, even before the next
 * switch, at which pages are written. Tried several times, as a switch may come in between.
 */
static void two_pages(void)
{
	struct pmc_caliper_page *page, *second;
	uint64_t before, after;
	int fd, other, round;

	pin(0, 0);
	fd = open_session();
	command(fd, "events " INSTRUCTIONS);
	start(fd);
	page = map_page(fd);
	await_direct(page);
	for (round = 0; round < 20; round++) {
		other = open_session();
		command(other, "events " CYCLES);
		start(other);
		spin(10000);
		before = reading(page);
		second = map_page(other);
		after = reading(page);
		if (!within(after - before, 1, 1000, "round %d: instructions, over a second page",
			    round))
			break;
		munmap(second, 4096);
		close(other);
	}
	munmap(page, 4096);
	close(fd);
}

/*
 * perf writes 0 to counters that it has used at the next switch to a process that may read
 * counters. It must not do so if the module uses them by then.
 */
static void after_perf(void)
{
	static const int events[] = {
		PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
		PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	};
	struct pmc_caliper_page *page;
	int fd, cpu, perf[3], i;
	pid_t pid;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		pin(0, cpu);
		for (i = 0; i < 3; i++) {
			struct perf_event_attr attr = {
				.type = PERF_TYPE_HARDWARE,
				.size = sizeof(attr),
				.config = events[i],
			};

			perf[i] = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
			if (perf[i] < 0)
				die("perf_event_open: %s", strerror(errno));
		}
		spin(100000);
		for (i = 0; i < 3; i++)
			close(perf[i]);
	}
	fd = open_session();
	command(fd, "events ev=@I,ev=@C");
	start(fd);
	page = map_page(fd);
	await_direct(page);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		pin(0, cpu);
		pid = fork();
		if (!pid)
			for (;;)
				sched_yield();
		for (i = 0; i < 20; i++)
			usleep(1000);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	within(own_count(fd, -1, 0, 0), 1, 1LL << 40, "instructions, after perf");
	within(own_count(fd, -1, 0, 1), 1, 1LL << 40, "cycles, after perf");
	munmap(page, 4096);
	close(fd);
	pin(0, 0);
}

/*
 * A counter with a sampling period is set again after it was throttled; readings do not
 * include that.
 */
static void held_back(void)
{
	long long rate = proc_value("config", "ebs_max_rate"), held;
	struct pmc_caliper_page *page;
	uint64_t before, now;
	int fd = open_session(), i;

	set_config("ebs_max_rate=1");
	pin(0, 0);
	held = proc_value("stats", "throttled");
	command(fd, "ring 64\nevents " INSTRUCTIONS ":ebs=1000");
	start(fd);
	page = map_page(fd);
	await_direct(page);
	before = reading(page);
	for (i = 0; i < 400000; i++) {
		spin(50);
		now = reading(page);
		if (!within(now - before, 100, 1000, "instructions, held back at times"))
			break;
		before = now;
	}
	same(own_count(fd, -1, 0, 0) - before < 1000, true, "the last reading is the count");
	held = proc_value("stats", "throttled") - held;
	CHECK(held >= 10, "held back %lld times", held);
	munmap(page, 4096);
	close(fd);
	set_config("ebs_max_rate=%lld", rate);
}

static void set_all(const glob_t *files, const char *value)
{
	size_t i;

	for (i = 0; i < files->gl_pathc; i++)
		if (write_file(files->gl_pathv[i], "%s", value))
			die("%s: cannot be written", files->gl_pathv[i]);
}

/* If the administrator forbids RDPMC, the library reads by system calls. */
static void forbidden(void)
{
	uint64_t a[PMC_MAX_COUNTS], b[PMC_MAX_COUNTS];
	struct pmc_caliper_page *page;
	pmc_machine_t *machine;
	int fd = open_session();
	pmc_caliper_t *c;
	glob_t files;

	if (glob("/sys/bus/event_source/devices/cpu*/rdpmc", 0, NULL, &files))
		die("the kernel has no setting for RDPMC");
	command(fd, "events " INSTRUCTIONS);
	start(fd);
	page = map_page(fd);
	await_direct(page);
	everywhere(0, index_of(page->hw[0]), "before it is forbidden");
	set_all(&files, "0");
	everywhere(SIGSEGV, index_of(page->hw[0]), "forbidden");
	set_all(&files, "1");
	everywhere(0, index_of(page->hw[0]), "allowed again");
	munmap(page, 4096);
	close(fd);
	set_all(&files, "0");
	machine = pmc_machine_open();
	same(pmc_machine_direct(machine), 0, "direct reading, by the library");
	pmc_machine_close(machine);
	c = pmc_caliper_open("instr");
	if (!c)
		die("%s", pmc_last_error());
	same(pmc_caliper_read(c, a), 1, "counts read by calls");
	spin(100000);
	same(pmc_caliper_read(c, b), 1, "counts read by calls");
	within(b[0] - a[0], 200000, 201000, "instructions, where RDPMC is forbidden");
	pmc_caliper_close(c);
	set_all(&files, "1");
	globfree(&files);
	machine = pmc_machine_open();
	same(pmc_machine_direct(machine), 1, "direct reading, allowed again");
	pmc_machine_close(machine);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_fault };

	need_counters();
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	sigaction(SIGSEGV, &action, NULL);
	comes_and_goes();
	dies();
	hidden();
	hidden_from_uncounted();
	two_pages();
	after_perf();
	held_back();
	forbidden();
	wait_until_idle();
	return result();
}

#endif
