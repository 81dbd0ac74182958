// SPDX-License-Identifier: GPL-2.0
/*
 * fork(2) while another thread looks up names: its locks are not held for ever in the child, which
 * may use its parent's description of the machine.
 */
#include <fcntl.h>
#include <perfmon/pfmlib.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib.h"
#include "made_files.h"

/* The other thread is this long in a call, and a child that waits longer is stuck. */
#define STALL_US	200000
#define STUCK_S		10

enum call { NONE, INITIALIZE, PMU_INFO, OPEN };

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

/* The library opens files of events for reading. */
int __real_open(const char *path, int flags);
int __wrap_open(const char *path, int flags);
int __wrap_open(const char *path, int flags)
{
	if (strstr(path, ".events"))
		stall(OPEN);
	return __real_open(path, flags);
}

static pmc_machine_t *machine;
static int (*works)(void);

static int has_table(void)
{
	const char *table = pmc_machine_event_table(machine, 0);

	return table && *table;
}

static int has_event(void)
{
	pmc_config_t *config = pmc_config_new(machine);
	int found = !pmc_config_add(config, "OF_A_FILE", 0, 0) &&
		    strstr(pmc_config_raw(config, 0), "ev=0x1c0");

	pmc_config_free(config);
	return found;
}

static void *look_up(void *found)
{
	*(int *)found = works();
	return NULL;
}

/* @function works in another thread, which @call delays, and in a child that is made meanwhile. */
static void fork_at(enum call call, int (*function)(void))
{
	int found = 0, status;
	pthread_t thread;
	pid_t pid;

	machine = open_machine("skylake");
	works = function;
	sem_init(&has_stalled, 0, 0);
	stalled = call;
	assert_int_equal(pthread_create(&thread, NULL, look_up, &found), 0);
	sem_wait(&has_stalled);
	pid = fork();
	if (!pid) {
		alarm(STUCK_S);
		_exit(!works());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	pthread_join(thread, NULL);
	assert_true(found);
	pmc_machine_close(machine);
}

/* libpfm4 is used by one thread at a time. */
static void test_libpfm(void **state)
{
	fork_at(INITIALIZE, has_table);
}

/* The text that lists event tables is kept with the machine. */
static void test_event_table(void **state)
{
	fork_at(PMU_INFO, has_table);
}

static void test_event_file(void **state)
{
	static const char index[] = "* - a.events\n", events[] = "event\tOF_A_FILE\t0x1c0\n";
	char folder[] = "/tmp/pmctrack-forks.XXXXXX";

	assert_non_null(mkdtemp(folder));
	made_write(folder, "index", "w", index, sizeof(index) - 1);
	made_write(folder, "a.events", "w", events, sizeof(events) - 1);
	setenv("PMCTRACK_EVENTS", folder, 1);
	fork_at(OPEN, has_event);
	setenv("PMCTRACK_EVENTS", "", 1);
	assert_int_equal(made_remove(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libpfm),
		cmocka_unit_test(test_event_table),
		cmocka_unit_test(test_event_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
