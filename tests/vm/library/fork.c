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

static void by_the_library(bool by_clone)
{
	pmc_session_t *session = pmc_session_open();
	struct pmc_reading reading;
	int status, nr = 0;
	pid_t pid;

	if (!session || pmc_session_command(session, "events sw=page_faults") ||
	    pmc_session_start(session) || pmc_session_stop(session))
		die("%s", pmc_last_error());
	/* clone() itself calls no handlers of pthread_atfork(). */
	pid = by_clone ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
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

/* A program that uses PMCTrack's calls. */
static void by_pmctrack(void)
{
	pmctrack_desc_t *desc = pmctrack_init(100);
	int status;
	pid_t pid;

	if (!desc || pmctrack_config_counters_mnemonic(desc, (const char *[]){ "page_faults", NULL }, NULL, 0, 0) ||
	    pmctrack_start_counters(desc) || pmctrack_stop_counters(desc))
		die("%s", pmc_last_error());
	pid = fork();
	if (!pid) {
		CHECK(pmctrack_start_counters(desc) < 0, "a child starts its parent's counters");
		mentions(pmc_last_error(), "child of fork", "why a child can't");
		pmctrack_destroy(desc);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the child");
	pmctrack_destroy(desc);
}

int main(void)
{
	/* A migration to another core type would be one sample more. */
	pin(0, 0);
	by_the_library(false);
	by_the_library(true);
	by_pmctrack();
	wait_until_idle();
	return result();
}
