// SPDX-License-Identifier: GPL-2.0
/*
 * A process that may execute RDPMC because of perf cannot read the counts of others. (The
 * kernel copies this right at a fork, and never takes it from the child, which has no
 * mapping of perf.)
 */
#include <errno.h>
#include <pmctrack.h>
#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

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

/* The attacker: read the counters, which went on while the attacker slept. */
static void read_counters(int ready)
{
	int i, round, nr = 0;
	uint64_t value;
	char c;

	pin(0, 0);
	if (read(ready, &c, 1) != 1)
		die("no message from the victim");
	for (round = 0; round < 3; round++) {
		usleep(20000);
		for (i = 0; i < NR_INDEXES; i++) {
			if (!rdpmc(indexes[i], &value))
				continue;
			nr++;
			within(value & MASK, 0, NOTHING, "round %d: RDPMC %#x", round, indexes[i]);
		}
	}
	CHECK(nr > 0, "no counter may be read: this tests nothing");
	_exit(result());
}

/* Return: a process that may execute RDPMC for ever, waiting for a word. */
static pid_t make_attacker(int ready, bool keep)
{
	int event = perf_own(PERF_COUNT_HW_INSTRUCTIONS, false, -1);
	void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, event, 0);
	pid_t pid;

	if (page == MAP_FAILED)
		die("mmap of perf's event: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(event);
		if (keep) {
			/* A process that has the permission itself. */
			event = perf_own(PERF_COUNT_HW_INSTRUCTIONS, false, -1);
			page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, event, 0);
			if (page == MAP_FAILED)
				die("mmap of perf's event: %s", strerror(errno));
		}
		read_counters(ready);
	}
	munmap(page, 4096);
	close(event);
	return pid;
}

static void attacked(bool keep)
{
	int fd, ready[2], status, i;
	pid_t attacker;

	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	attacker = make_attacker(ready[0], keep);
	usleep(10000);
	pin(0, 0);
	fd = open_session();
	command(fd, "events pmc@1=@I,pmc@2=@C,@F");
	start(fd);
	spin(LOOPS);
	if (write(ready[1], "", 1) != 1)
		die("write: %s", strerror(errno));
	for (i = 0; i < 20; i++)
		spin(LOOPS / 10);
	waitpid(attacker, &status, 0);
	same(status, 0, "status of the attacker");
	within(own_count(fd, -1, 0, 0), 6LL * LOOPS, 7LL * LOOPS, "the victim's instructions");
	stop(fd);
	close(fd);
	close(ready[0]);
	close(ready[1]);
	wait_until_idle();
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_fault };

	need_counters();
	sigaction(SIGSEGV, &action, NULL);
	attacked(false);
	/* perf has counters besides the module only if the module gets its own from perf. */
	if (!strcmp(backend, "perf"))
		attacked(true);
	return result();
}
