// SPDX-License-Identifier: GPL-2.0
/*
 * A child of a program that samples itself has the library's objects, but neither the ring
 * nor the kernel's other mappings. Calls in the child fail with an error; closing or ending
 * something there affects neither the child's memory nor its parent's counting. This holds
 * for children made by fork(), _Fork() and clone().
 */
#include <errno.h>
#include <pmctrack.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define SIZE	(4 << 20)

/* New memory at the address of the ring, if the kernel chooses that. */
static unsigned char *fill(void)
{
	unsigned char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	memset(memory, 0xa5, SIZE);
	return memory;
}

static void in_child(pmc_session_t *session)
{
	unsigned char *memory[8];
	struct pmc_reading reading;
	size_t i, n, bad = 0;

	same(pmc_session_next(session, &reading), -1, "a child's reading of its parent's samples");
	same(errno, ECHILD, "its errno (%s)", pmc_last_error());
	same(pmc_session_lost(session), 0, "lost, for a child");
	same(pmc_session_throttled(session), 0, "throttled, for a child");
	same(pmc_session_missed_threads(session), 0, "missed, for a child");
	for (n = 0; n < sizeof(memory) / sizeof(*memory); n++)
		memory[n] = fill();
	pmc_session_close(session);
	for (n = 0; n < sizeof(memory) / sizeof(*memory); n++)
		for (i = 0; i < SIZE; i++)
			bad += memory[n][i] != 0xa5;
	same(bad, 0, "bytes of its own memory that changed");
	_exit(result());
}

/* How a child is made. Only fork() calls handlers of pthread_atfork(). */
enum way { BY_FORK, BY_BARE_FORK, BY_CLONE, NR_WAYS };

/* glibc has it since 2.34. */
#pragma weak _Fork
pid_t _Fork(void);

static pid_t make_child(enum way way)
{
	switch (way) {
	case BY_BARE_FORK:
		return _Fork();
	case BY_CLONE:
		return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	default:
		return fork();
	}
}

static void by_the_library(enum way way)
{
	pmc_session_t *session = pmc_session_open();
	struct pmc_reading reading;
	int status, nr = 0;
	pid_t pid;

	if (!session || pmc_session_command(session, "events sw=page_faults") ||
	    pmc_session_start(session) || pmc_session_stop(session))
		die("%s", pmc_last_error());
	pid = make_child(way);
	if (!pid)
		in_child(session);
	waitpid(pid, &status, 0);
	same(status, 0, "status of the child");
	if (pmc_session_start(session) || pmc_session_stop(session))
		die("%s", pmc_last_error());
	while (pmc_session_next(session, &reading) > 0)
		nr++;
	same(nr, 2, "samples that the parent gets");
	pmc_session_close(session);
}

static pmc_caliper_t *open_caliper(void)
{
	pmc_caliper_t *caliper = pmc_caliper_open("page_faults");

	if (!caliper)
		die("caliper: %s", pmc_last_error());
	return caliper;
}

/* Page faults of the calling thread */
static long faults(pmc_caliper_t *caliper)
{
	uint64_t counts[PMC_MAX_COUNTS];

	return pmc_caliper_read(caliper, counts) == 1 ? (long)counts[0] : -1;
}

static void with_calipers(pmc_caliper_t *caliper, pmc_caliper_t *other)
{
	size_t size = sysconf(_SC_PAGESIZE), n;
	unsigned char *memory[64];
	pmc_caliper_t *own;

	/* Where the kernel's page was, among others. */
	for (n = 0; n < sizeof(memory) / sizeof(*memory); n++)
		memory[n] = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				 -1, 0);
	same(faults(caliper), -1, "a child's reading of its parent's caliper");
	same(errno, ESRCH, "its errno");
	CHECK(pmc_region_begin(caliper, "r"), "a child enters a region of its parent's caliper");
	own = open_caliper();
	pmc_caliper_close(caliper);
	pmc_caliper_close(other);
	for (n = 0; n < sizeof(memory) / sizeof(*memory); n++)
		memset(memory[n], 0xa5, size);
	CHECK(faults(own) >= (long)n, "%ld page faults of a child, not %lu", faults(own), n);
	pmc_caliper_close(own);
	_exit(result());
}

/* Two calipers on one session */
static void by_caliper(enum way way)
{
	pmc_caliper_t *caliper = open_caliper(), *other = open_caliper();
	long before = faults(caliper);
	int status;
	pid_t pid;

	CHECK(before >= 0, "a caliper cannot be read");
	pid = make_child(way);
	if (!pid)
		with_calipers(caliper, other);
	waitpid(pid, &status, 0);
	same(status, 0, "status of the child");
	CHECK(faults(caliper) >= before && faults(other) >= 0, "the child ended its parent's calipers");
	pmc_caliper_close(other);
	CHECK(faults(caliper) >= before, "one caliper needs the other");
	pmc_caliper_close(caliper);
}

/* A program that uses PMCTrack's calls. */
static void by_pmctrack(enum way way)
{
	pmctrack_desc_t *desc = pmctrack_init(100);
	int status;
	pid_t pid;

	if (!desc || pmctrack_config_counters_mnemonic(desc, (const char *[]){ "page_faults", NULL }, NULL, 0, 0) ||
	    pmctrack_start_counters(desc))
		die("%s", pmc_last_error());
	pid = make_child(way);
	if (!pid) {
		CHECK(pmctrack_stop_counters(desc) < 0, "a child stops its parent's counters");
		CHECK(pmctrack_start_counters(desc) < 0, "a child starts its parent's counters");
		mentions(pmc_last_error(), "child of fork", "why a child can't");
		pmctrack_destroy(desc);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the child");
	CHECK(!pmctrack_stop_counters(desc), "the child has ended its parent's counting");
	pmctrack_destroy(desc);
}

int main(void)
{
	enum way way;

	/* A migration to another core type would be one sample more. */
	pin(0, 0);
	for (way = BY_FORK; way < NR_WAYS; way++) {
		if (way == BY_BARE_FORK && !_Fork) {
			printf("the C library has no _Fork()\n");
			continue;
		}
		by_the_library(way);
		by_caliper(way);
		by_pmctrack(way);
	}
	wait_until_idle();
	return result();
}
