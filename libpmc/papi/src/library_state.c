// SPDX-License-Identifier: LGPL-2.1-or-later
/* The state that all files use: the machine, the level of initialization, the locks. */
#include <pthread.h>

#include "errors.h"
#include "library.h"
#include "papi.h"

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

/* It cannot be unlocked: its owner is a thread of the parent. */
void papi_lock_anew(void)
{
	lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

const pmc_machine_t *papi_machine(void)
{
	return machine;
}

pmc_machine_t *papi_set_machine(pmc_machine_t *now)
{
	pmc_machine_t *before = machine;

	machine = now;
	if (!now)
		level = PAPI_NOT_INITED;
	return before;
}

void papi_set_level(int add)
{
	level |= add;
}

int PAPI_is_initialized(void)
{
	return level;
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
