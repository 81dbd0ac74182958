// SPDX-License-Identifier: GPL-2.0
/*
 * A thread that reads a caliper again and again loses the right to read counters while another
 * thread has its CPU, because perf begins to count it. Wherever in the reading it left the CPU,
 * it lives on, and its counts never fall.
 */
#include <pmctrack.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf.h"
#include "vm.h"

#define CPU	1
#define ROUNDS	by_size(60, 600)

static struct shared {
	volatile int ready;
	volatile int stop;
	volatile long readings;
} *shared;

static int read_on(void)
{
	uint64_t counts[PMC_MAX_COUNTS], before = 0;
	pmc_caliper_t *caliper;
	long falls = 0;

	pin(0, CPU);
	caliper = pmc_caliper_open("instr,cycles");
	if (!caliper)
		die("%s", pmc_last_error());
	for (; !shared->stop; shared->readings++) {
		if (pmc_caliper_read(caliper, counts) != 2)
			die("pmc_caliper_read: %s", pmc_last_error());
		falls += counts[0] < before;
		before = counts[0];
		shared->ready = 1;
	}
	same(falls, 0, "readings that were less than the one before");
	pmc_caliper_close(caliper);
	return result();
}

/* Has the CPU half of the time, with many switches. */
static void be_in_the_way(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin(0, CPU);
	for (;;) {
		spin(20000);
		usleep(50);
	}
}

int main(void)
{
	struct perf_event_attr attr = {
		.config = event_codes()->instructions,
		.exclude_kernel = 1,
	};
	pid_t reader, other;
	int status, round, event;

	need_counters();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		die("no memory");
	attr.type = perf_type(core_type_of(CPU));
	pin(0, 0);
	reader = fork();
	if (!reader)
		_exit(read_on());
	while (!shared->ready)
		usleep(1000);
	other = fork();
	if (!other)
		be_in_the_way();
	for (round = 0; round < ROUNDS; round++) {
		long readings = shared->readings;

		usleep(1000 + round % 10 * 100);
		event = perf_try(&attr, reader, -1, -1);
		/* It has been killed. */
		if (event < 0)
			break;
		usleep(2000);
		close(event);
		CHECK(shared->readings > readings, "round %d: no reading", round);
	}
	shared->stop = 1;
	waitpid(reader, &status, 0);
	same(WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0, "signal of the reader in round %d", round);
	same(status, 0, "status of the reader");
	kill(other, SIGKILL);
	waitpid(other, &status, 0);
	printf("%ld readings\n", shared->readings);
	return result();
}
