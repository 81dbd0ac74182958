// SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
// SPDX-FileCopyrightText: the pmctrack developers
/*
 * Count events of the calling thread without a library: the header pmctrack/user_page.h is all
 * that this program needs.
 *
 *   cc -O2 -o user_page user_page.c
 *   ./user_page "$(pmc-events -e instr,cycles)"
 *
 * The argument has a line for each core type. The program prints how the counts grew during a
 * loop of 100 000 rounds.
 */
#include <fcntl.h>
#include <pmctrack/user_page.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Do this header and the kernel module have the same version? */
static int same_version(void)
{
	FILE *f = fopen("/proc/pmc/info", "r");
	unsigned int version = 0;

	if (!f)
		return 0;
	if (fscanf(f, "pmctrack %*s uapi %u", &version) != 1)
		version = 0;
	fclose(f);
	return version == PMC_USER_PAGE_VERSION;
}

/* Each line of @events is a command, the event set of a core type. */
static int configure(int fd, char *events)
{
	char line[512], *next = events, *set;
	int n;

	while ((set = strtok(next, "\n"))) {
		next = NULL;
		n = snprintf(line, sizeof(line), "events %s\n", set);
		if (n >= (int)sizeof(line) || write(fd, line, n) != n)
			return -1;
	}
	return 0;
}

/* The thread's page; NULL: there is none, and each reading is a system call. */
static struct pmc_user_page *map(int fd)
{
	void *page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd,
			  PMC_USER_PAGE_OFFSET);

	return page == MAP_FAILED ? NULL : page;
}

static void work(void)
{
	volatile int i;

	for (i = 0; i < 100000; i++)
		;
}

static int measure(int fd, const struct pmc_user_page *page)
{
	uint64_t before[PMC_USER_PAGE_COUNTS], after[PMC_USER_PAGE_COUNTS];
	int i, nr;

	if (pmc_user_read(fd, page, before) < 0)
		return -1;
	work();
	nr = pmc_user_read(fd, page, after);
	for (i = 0; i < nr; i++)
		printf("%llu\n", (unsigned long long)(after[i] - before[i]));
	return nr;
}

int main(int argc, char **argv)
{
	int fd;

	if (argc != 2) {
		fprintf(stderr, "usage: %s EVENTS (see pmc-events -e)\n", argv[0]);
		return 2;
	}
	if (!same_version()) {
		fprintf(stderr, "pmctrack.ko is not loaded, or has another version\n");
		return 1;
	}
	fd = open("/proc/pmc/monitor", O_RDWR | O_CLOEXEC);
	if (fd < 0 || configure(fd, argv[1]) || ioctl(fd, PMC_USER_START) ||
	    measure(fd, map(fd)) < 0) {
		perror("cannot count");
		return 1;
	}
	return 0;
}
