// SPDX-License-Identifier: GPL-2.0
/*
 * A process that may execute RDPMC because of perf cannot read the counts of others: one that
 * has the right from its parent (the kernel copies it at a fork, and never takes it from the
 * child, which has no mapping of perf), one that has mapped an event, and one that maps it
 * only when the others have run. It is an ordinary user's; the others are root's. Counters run
 * for a counted thread, for a session that counts CPUs, and for an active monitoring module.
 */
#include <errno.h>
#include <pmctrack.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

/* The victim's count, and a value far below it. A counter begins at half its range, or at 0. */
#define LOOPS		30000000
#define NOTHING		(LOOPS / 10)
#define MASK		((1ULL << 40) - 1)

static sigjmp_buf fault;

static void on_fault(int signal)
{
	siglongjmp(fault, signal);
}

static bool rdpmc(uint32_t index, uint64_t *value)
{
	uint32_t low, high;

	if (sigsetjmp(fault, 1))
		return false;
	asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	*value = (uint64_t)high << 32 | low;
	return true;
}

/* General counters, then fixed ones. */
static const uint32_t indexes[] = {
	0, 1, 2, 3, 4, 5, 6, 7, 1u << 30, 1u << 30 | 1, 1u << 30 | 2, 1u << 30 | 3,
};

#define NR_INDEXES	((int)(sizeof(indexes) / sizeof(*indexes)))

/* Where the attacker has the right from. */
enum right { INHERITED, MAPPED, MAPPED_LATE };

static void *map_event(int event)
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, event, 0);

	if (page == MAP_FAILED)
		die("mmap of perf's event: %s", strerror(errno));
	return page;
}

/* The attacker: read the counters, which went on while the attacker slept. */
static void read_counters(int ready, int event, enum right right)
{
	int i, round, nr = 0;
	uint64_t value;
	void *page;
	char c;

	pin(0, 0);
	if (read(ready, &c, 1) != 1)
		die("no message from the victim");
	for (round = 0; round < 3; round++) {
		usleep(20000);
		if (right == MAPPED_LATE)
			page = map_event(event);
		for (i = 0; i < NR_INDEXES; i++) {
			if (!rdpmc(indexes[i], &value))
				continue;
			nr++;
			within(value & MASK, 0, NOTHING, "right %d, round %d: RDPMC %#x", right,
			       round, indexes[i]);
		}
		if (right == MAPPED_LATE)
			munmap(page, 4096);
	}
	CHECK(nr > 0, "no counter may be read: this tests nothing");
	_exit(result());
}

/* Return: a process that may execute RDPMC, or will let itself, waiting for a word. */
static pid_t make_attacker(int ready, enum right right, bool counts_itself)
{
	int event = perf_own(PERF_COUNT_HW_INSTRUCTIONS, false, -1);
	void *page = right == INHERITED ? map_event(event) : NULL;
	pid_t pid;

	pid = fork();
	if (!pid) {
		close(event);
		change_user(1000);
		if (right != INHERITED)
			event = perf_own(PERF_COUNT_HW_INSTRUCTIONS, false, -1);
		if (right == MAPPED)
			map_event(event);
		if (counts_itself) {
			int fd = open_session();

			command(fd, "events pmc@1=@I,pmc@2=@C,@F");
			start(fd);
		}
		read_counters(ready, event, right);
	}
	if (page)
		munmap(page, 4096);
	close(event);
	return pid;
}

/* The object of the counting, for which the counters run */
enum counted { VICTIM, ATTACKER, CPUS, MODULE };

static int begin_counting(enum counted counted)
{
	int fd = -1;

	if (counted == VICTIM || counted == CPUS) {
		fd = open_session();
		command(fd, "events pmc@1=@I,pmc@2=@C,@F");
	}
	if (counted == VICTIM)
		start(fd);
	if (counted == CPUS)
		command(fd, "syswide");
	if (counted == MODULE) {
		if (system("insmod /lib/pmctrack/pmc_template.ko"))
			die("the monitoring module can't be loaded");
		same(write_file("/proc/pmc/mm_manager", "activate template"), 0, "activate");
	}
	return fd;
}

static void end_counting(enum counted counted, int fd)
{
	if (counted == MODULE) {
		same(write_file("/proc/pmc/mm_manager", "deactivate template"), 0, "deactivate");
		unload_module("pmc_template");
	}
	if (counted == VICTIM) {
		within(own_count(fd, -1, 0, 0), 6LL * LOOPS, 7LL * LOOPS,
		       "the victim's instructions");
		stop(fd);
	}
	if (counted == CPUS) {
		command(fd, "stop");
		CHECK(total(fd, -1, 0, 0) > 6LL * LOOPS, "CPUs: %llu instructions",
		      (unsigned long long)total(fd, -1, 0, 0));
	}
	close(fd);
}

static void attacked(enum right right, enum counted counted)
{
	int fd, ready[2], status, i;
	pid_t attacker;

	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	attacker = make_attacker(ready[0], right, counted == ATTACKER);
	usleep(10000);
	pin(0, 0);
	/* Hooks of the last session are disabled a second after it. */
	usleep(counted > ATTACKER ? 1500000 : 0);
	fd = begin_counting(counted);
	spin(LOOPS);
	if (write(ready[1], "", 1) != 1)
		die("write: %s", strerror(errno));
	for (i = 0; i < 20; i++)
		spin(LOOPS / 10);
	waitpid(attacker, &status, 0);
	same(status, 0, "status of the attacker");
	end_counting(counted, fd);
	close(ready[0]);
	close(ready[1]);
	wait_until_idle();
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_fault };
	int paranoid;

	need_counters();
	/* While hooks are enabled, a child loses the right at the fork. */
	wait_until_idle();
	/* The attacker may count itself. */
	paranoid = change_number(PARANOID, 2);
	sigaction(SIGSEGV, &action, NULL);
	attacked(INHERITED, VICTIM);
	/* perf has counters besides the module only if these are shared. */
	if (proc_value("info", "exclusive") != 1) {
		attacked(MAPPED, VICTIM);
		attacked(MAPPED_LATE, VICTIM);
		attacked(MAPPED_LATE, ATTACKER);
		attacked(MAPPED, CPUS);
		attacked(MAPPED, MODULE);
	}
	change_number(PARANOID, paranoid);
	return result();
}
