// SPDX-License-Identifier: LGPL-2.1-or-later
/* The beginning and the end of the library's use. */
#include <pthread.h>

#include "by_core_type.h"
#include "components.h"
#include "errors.h"
#include "eventset.h"
#include "library.h"
#include "native.h"
#include "papi.h"
#include "presets.h"
#include "papi_thread.h"

/*
 * A child of fork() has the library's state, but none of its parent's counters. It goes on with
 * stopped EventSets.
 */
static void in_child(void)
{
	papi_lock_anew();
	eventsets_forget_parent();
	threads_in_child();
}

static void prepare_forks(void)
{
	pthread_atfork(papi_lock, papi_unlock, in_child);
}

static int init(pmc_machine_t *machine)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare_forks);
	papi_set_machine(machine);
	threads_init(eventsets_leave_thread);
	natives_init(preset_add_part);
	components_init(machine);
	by_core_type_init(machine);
	return presets_init(machine);
}

/* The lock is held. */
static int open_machine(void)
{
	pmc_machine_t *machine = pmc_machine_open();
	int rc = machine ? init(machine) : PAPI_ESYS;

	if (rc == PAPI_OK) {
		papi_set_level(PAPI_LOW_LEVEL_INITED);
		return PAPI_OK;
	}
	presets_exit();
	pmc_machine_close(papi_set_machine(NULL));
	return rc;
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
	if (!papi_machine())
		rc = open_machine();
	papi_unlock();
	return rc == PAPI_OK ? version : papi_fail(rc);
}

void PAPI_shutdown(void)
{
	if (!papi_machine())
		return;
	threads_stop();
	eventsets_exit();
	threads_exit();
	natives_exit();
	presets_exit();
	pmc_machine_close(papi_set_machine(NULL));
}
