// SPDX-License-Identifier: GPL-2.0
/* fork(2) while another thread looks up names: its locks are not held for ever in the child. */
#include <perfmon/pfmlib.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib.h"

/* The other thread is this long in a call of libpfm4, and a child that waits longer is stuck. */
#define STALL_US	200000
#define STUCK_S		10

enum call { NONE, INITIALIZE, PMU_INFO };

static enum call stalled;	/* the next one of these takes long */
static sem_t has_stalled;

static void stall(enum call call)
{
	if (stalled != call)
		return;
	stalled = NONE;
	sem_post(&has_stalled);
	usleep(STALL_US);
}

pfm_err_t __real_pfm_initialize(void);
pfm_err_t __wrap_pfm_initialize(void);
pfm_err_t __wrap_pfm_initialize(void)
{
	stall(INITIALIZE);
	return __real_pfm_initialize();
}

pfm_err_t __real_pfm_get_pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *info);
pfm_err_t __wrap_pfm_get_pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *info);
pfm_err_t __wrap_pfm_get_pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *info)
{
	stall(PMU_INFO);
	return __real_pfm_get_pmu_info(pmu, info);
}

static int has_table(void)
{
	pmc_machine_t *machine = open_machine("skylake");
	const char *table = pmc_machine_event_table(machine, 0);
	int found = table && *table;

	pmc_machine_close(machine);
	return found;
}

static void *look_up(void *found)
{
	*(int *)found = has_table();
	return NULL;
}

static void fork_at(enum call call)
{
	int found = 0, status;
	pthread_t thread;
	pid_t pid;

	sem_init(&has_stalled, 0, 0);
	stalled = call;
	assert_int_equal(pthread_create(&thread, NULL, look_up, &found), 0);
	sem_wait(&has_stalled);
	pid = fork();
	if (!pid) {
		alarm(STUCK_S);
		_exit(!has_table());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	pthread_join(thread, NULL);
	assert_true(found);
}

/* libpfm4 is used by one thread at a time. */
static void test_libpfm(void **state)
{
	fork_at(INITIALIZE);
}

/* The text of an event table is made once for a machine. */
static void test_event_table(void **state)
{
	fork_at(PMU_INFO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libpfm),
		cmocka_unit_test(test_event_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
