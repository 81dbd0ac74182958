// SPDX-License-Identifier: GPL-2.0
/*
 * A thread that may read counters by instruction sees no counts of another user's process, which
 * perf counts and which ran before it on the same CPU. perf takes its counters off after the
 * module has cleared what is unused, and the right comes back with the next interrupt.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <pmctrack/user_page.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf.h"
#include "vm.h"

#define CPU		1
#define N		20000
#define NR_COUNTERS	6
#define NR_PERF		3

/* Two pipes: each end of the conversation waits for the other one. */
struct conversation {
	int to_counted[2];
	int to_reader[2];
};

/* Counts itself by perf; runs whenever the reader asks for it. */
static void be_counted(const struct conversation *c)
{
	int perf[NR_PERF], i;
	struct value v = {};
	char byte;

	pin(0, CPU);
	for (i = 0; i < NR_PERF; i++)
		perf[i] = perf_own(event_codes()->instructions, false, i ? perf[0] : -1);
	if (ioctl(perf[0], PERF_EVENT_IOC_ENABLE, 0))
		die("perf: %s", strerror(errno));
	while (read(c->to_counted[0], &byte, 1) == 1) {
		spin(N);
		if (write(c->to_reader[1], &byte, 1) != 1)
			break;
	}
	CHECK(perf_read(perf[0], &v) && v.count > N, "perf has counted %llu", (unsigned long long)v.count);
	_exit(result());
}

static void let_run(const struct conversation *c)
{
	char byte = 0;

	if (write(c->to_counted[1], &byte, 1) != 1 || read(c->to_reader[0], &byte, 1) != 1)
		die("the counted process has ended");
}

/* Wait for the right without a system call. Return: false if the page changed, or does not say so. */
static bool may_read(const struct pmc_user_page *page)
{
	long i;

	for (i = 0; i < 100000000 && !pmc_user_page_allowed(); i++)
		;
	return page->direct && pmc_user_page_allowed();
}

/* Return: how often perf took the right away */
static int look_at_counters(const struct conversation *c, const struct pmc_user_page *page, int rounds)
{
	int i, n, nr_taken = 0, nr_read = 0;
	uint64_t value;

	for (i = 0; i < rounds; i++) {
		let_run(c);
		nr_taken += !pmc_user_page_allowed();
		if (!may_read(page))
			continue;
		for (n = 0; n < NR_COUNTERS; n++) {
			if (n == page->hw[0] || !pmc_user_page_allowed())
				continue;
			value = pmc_user_page_counter(n);
			nr_read++;
			if (!same(value, 0, "event counter %d, which is unused", n))
				return nr_taken;
		}
	}
	CHECK(nr_read > rounds, "%d counters were read in %d rounds", nr_read, rounds);
	return nr_taken;
}

static const struct pmc_user_page *open_page(int fd)
{
	const struct pmc_user_page *page;
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

int main(void)
{
	struct conversation c;
	int fd, status, nr_taken;
	pid_t pid;

	need_counters();
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	if (pipe(c.to_counted) || pipe(c.to_reader))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(c.to_counted[1]);
		be_counted(&c);
	}
	close(c.to_counted[0]);
	change_user(1000);
	pin(0, CPU);
	fd = open_session();
	command(fd, "events pmc@1=@I");
	nr_taken = look_at_counters(&c, open_page(fd), by_size(50, 2000));
	printf("perf took the right away %d times\n", nr_taken);
	CHECK(nr_taken > 0, "perf never took the right away");
	close(c.to_counted[1]);
	waitpid(pid, &status, 0);
	same(status, 0, "status of the counted process");
	close(fd);
	return result();
}
