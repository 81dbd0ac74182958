// SPDX-License-Identifier: LGPL-2.1-or-later
/* The beginning and the end of the library's use. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "by_core_type.h"
#include "components.h"
#include "errors.h"
#include "eventset.h"
#include "library.h"
#include "native.h"
#include "papi.h"
#include "presets.h"
#include "papi_thread.h"

/* Recursive: an event may be looked up for another one's terms. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t user_locks[PAPI_NUM_LOCK] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER
};

static pmc_machine_t *machine;
static int level = PAPI_NOT_INITED;

void papi_lock(void)
{
	pthread_mutex_lock(&lock);
}

void papi_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

const pmc_machine_t *papi_machine(void)
{
	return machine;
}

/*
 * A child of fork() has the library's state, but none of its parent's counters. It goes on with
 * stopped EventSets.
 */
static void in_child(void)
{
	if (papi_this_thread)
		thread_clear_running(papi_this_thread);
	eventsets_forget_parent();
	/* It cannot be unlocked: its owner is a thread of the parent. */
	lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

static void prepare_forks(void)
{
	pthread_atfork(papi_lock, papi_unlock, in_child);
}

static int init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare_forks);
	machine = pmc_machine_open();
	if (!machine)
		return PAPI_ESYS;
	components_init(machine);
	by_core_type_init(machine);
	return presets_init(machine);
}

/*
 * Programs that were built for 7.0 or 7.1 find the calls and structures that they know, so the
 * version that the program was built for is returned. 7.2 has other structures.
 */
static int is_compatible(int version)
{
	return PAPI_VERSION_MAJOR(version) == PAPI_VERSION_MAJOR(PAPI_VERSION) &&
	       PAPI_VERSION_MINOR(version) <= PAPI_VERSION_MINOR(PAPI_VERSION);
}

int PAPI_library_init(int version)
{
	int rc = PAPI_OK;

	if (!is_compatible(version))
		return papi_fail(PAPI_EINVAL);
	papi_lock();
	if (!machine) {
		rc = init();
		if (rc == PAPI_OK) {
			level |= PAPI_LOW_LEVEL_INITED;
		} else {
			presets_exit();
			pmc_machine_close(machine);
			machine = NULL;
		}
	}
	papi_unlock();
	return rc == PAPI_OK ? version : papi_fail(rc);
}

int PAPI_is_initialized(void)
{
	return level;
}

void papi_set_level(int add)
{
	level |= add;
}

void PAPI_shutdown(void)
{
	if (!machine)
		return;
	threads_stop();
	eventsets_exit();
	threads_exit();
	natives_exit();
	presets_exit();
	pmc_machine_close(machine);
	machine = NULL;
	level = PAPI_NOT_INITED;
}

static pthread_mutex_t *user_lock(int number)
{
	return number >= 0 && number < PAPI_NUM_LOCK ? &user_locks[number] : NULL;
}

int PAPI_lock(int number)
{
	if (!machine || !user_lock(number))
		return papi_fail(PAPI_EINVAL);
	pthread_mutex_lock(user_lock(number));
	return PAPI_OK;
}

int PAPI_unlock(int number)
{
	if (!machine || !user_lock(number))
		return papi_fail(PAPI_EINVAL);
	pthread_mutex_unlock(user_lock(number));
	return PAPI_OK;
}
