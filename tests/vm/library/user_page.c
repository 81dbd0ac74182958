// SPDX-License-Identifier: GPL-2.0
/*
 * A thread reads its counters by <pmctrack/user_page.h> alone. The counts are those of
 * PMC_IOC_READ, on every CPU, and the loop of a known number of instructions is counted to the
 * instruction. The instruction that reads a counter is used where calipers use it.
 */
#include <pmctrack/user_page.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define N	100000
#define ROUNDS	20
#define MOVES	by_size(200, 2000)

static struct pmc_user_page *page;

static uint64_t reading(int fd)
{
	uint64_t counts[PMC_USER_PAGE_COUNTS];

	same(pmc_user_read(fd, page, counts), 2, "number of counts");
	return counts[0];
}

/* Instructions from one reading to the next, with n rounds of the loop: the least of several */
static uint64_t measure(int fd, long n)
{
	uint64_t least = UINT64_MAX, before, count;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		before = reading(fd);
		if (n)
			spin(n);
		count = reading(fd) - before;
		if (count < least)
			least = count;
	}
	return least;
}

static void test_loop(int fd)
{
	int cpu;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		pin(0, cpu);
		within(measure(fd, N) - measure(fd, 0), 2 * N, 2 * N + 10,
		       "CPU %d: instructions of a loop", cpu);
	}
}

/* A reading of the page is between those of two system calls. */
static void test_beside_call(int fd)
{
	uint64_t counts[PMC_USER_PAGE_COUNTS], before, after;
	int cpu, nr, direct = 0;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		pin(0, cpu);
		before = own_count(fd, -1, 0, 0);
		nr = pmc_user_page_read(page, counts);
		after = own_count(fd, -1, 0, 0);
		if (nr < 0)
			continue;
		direct++;
		within(counts[0], before, after, "CPU %d: instructions by the page", cpu);
		same(page->core_type, core_type_of(cpu), "core type of the page");
	}
	printf("read by instruction on %d CPUs\n", direct);
}

/* By instruction on every CPU where the module says that calipers are direct */
static void test_direct(int fd, bool direct)
{
	uint64_t counts[PMC_USER_PAGE_COUNTS];
	int cpu, tries, nr = -1;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		pin(0, cpu);
		/* The first reading after a system call may need one more. */
		for (tries = 0, nr = -1; tries < 1000 && nr < 0; tries++) {
			nr = pmc_user_page_read(page, counts);
			if (nr < 0 && direct)
				usleep(1000);
			else if (nr < 0)
				break;
		}
		same(nr, direct ? 2 : -1, "CPU %d: counts by instruction", cpu);
	}
	same(reading(fd) > 0, 1, "the thread counts");
}

/* The page is no page of a child's. */
static void test_child(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		_exit(page->nr_counts);
	}
	waitpid(pid, &status, 0);
	same(WIFSIGNALED(status) ? WTERMSIG(status) : 0, SIGSEGV, "signal of a child that reads");
}

/*
 * A general counter that the other core type has not, in a set with all that there are. A read
 * of it is a fault there, also if the thread had the counter's number before it moved.
 */
static void test_moves(void)
{
	int many = core_types[0].nr_hw > core_types[1].nr_hw ? 0 : 1;
	int more = __builtin_popcountll(core_types[many].general), i, fd, status;
	char set[512] = "", *end = set;
	uint64_t counts[PMC_USER_PAGE_COUNTS];
	pid_t pid;

	for (i = 1; i <= more; i++)
		end += sprintf(end, "pmc%d=@I,", general_slot(many, i));
	pid = fork();
	if (!pid) {
		pin(0, core_types[many].first_cpu);
		fd = open_session();
		command(fd, "events %scoretype=%d", set, many);
		command(fd, "events %s,coretype=%d", INSTRUCTIONS, !many);
		if (ioctl(fd, PMC_USER_START))
			die("PMC_USER_START: %s", why(fd));
		page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd,
			    PMC_USER_PAGE_OFFSET);
		if (page == MAP_FAILED)
			die("mmap: %m");
		for (;;)
			CHECK(pmc_user_read(fd, page, counts) > 0, "a reading: %m");
	}
	for (i = 0; i < 2 * MOVES; i++) {
		usleep(2000);
		pin(pid, core_types[i & 1 ? many : !many].first_cpu);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	same(WIFSIGNALED(status) ? WTERMSIG(status) : 0, SIGKILL,
	     "signal of a thread that read counters while it was moved");
}

static bool calipers_are_direct(void)
{
	char text[4096];
	FILE *f = fopen("/proc/pmc/info", "r");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	text[n] = '\0';
	if (f)
		fclose(f);
	return strstr(text, "\ncaliper direct\n");
}

int main(void)
{
	int fd;

	need_counters();
	fd = open_session();
	command(fd, "events %s,%s", INSTRUCTIONS, CYCLES);
	if (ioctl(fd, PMC_USER_START))
		die("PMC_USER_START: %s", why(fd));
	page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, PMC_USER_PAGE_OFFSET);
	if (page == MAP_FAILED)
		die("mmap: %m");
	test_direct(fd, calipers_are_direct());
	test_loop(fd);
	test_beside_call(fd);
	test_child();
	if (nr_core_types == 2 && core_types[0].nr_hw != core_types[1].nr_hw)
		test_moves();
	if (ioctl(fd, PMC_USER_STOP))
		die("PMC_USER_STOP: %s", why(fd));
	return result();
}
