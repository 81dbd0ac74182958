// SPDX-License-Identifier: GPL-2.0
/*
 * A test of the emulated CPUs that run side by side: a CPU handles an interrupt soon that
 * another one sends, however long all of them have been busy. membarrier() waits until the CPUs
 * of the process's other threads have handled one.
 *
 * The emulator runs the CPUs by turns of some 50 us each. A turn grew with each short sleep of a
 * thread, up to 10 ms, until all CPUs were idle.
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

#define NR_CPUS		4
#define SECONDS		2
#define LIMIT_US	1000	/* in tens of rounds of turns that are no longer than 130 us each */

static volatile bool ended;

static long long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

/* Run a loop, with a short sleep in each round. */
static void *be_busy(void *cpu)
{
	pin(0, (int)(long)cpu);
	while (!ended) {
		spin(400000);
		usleep(20);
	}
	return NULL;
}

int main(void)
{
	long long begin, before, latency, most = 0, sum = 0, nr = 0;
	pthread_t threads[NR_CPUS];

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0))
		die("no membarrier()");
	pin(0, 0);
	for (long cpu = 1; cpu < NR_CPUS; cpu++)
		if (pthread_create(&threads[cpu], NULL, be_busy, (void *)cpu))
			die("no thread");
	for (begin = now_us(); now_us() - begin < SECONDS * 1000000LL; nr++) {
		spin(400000);
		before = now_us();
		if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
			die("membarrier()");
		latency = now_us() - before;
		sum += latency;
		most = latency > most ? latency : most;
	}
	ended = true;
	for (int cpu = 1; cpu < NR_CPUS; cpu++)
		pthread_join(threads[cpu], NULL);
	printf("%lld interrupts, mean %lld us, most %lld us\n", nr, sum / nr, most);
	within(most, 0, LIMIT_US, "latency, us");
	return result();
}
