// SPDX-License-Identifier: LGPL-2.1-or-later
/* The initialization that the high level and the rate calls do by themselves. */
#include <unistd.h>

#include "implicit_init.h"
#include "papi.h"

#define READY	(PAPI_LOW_LEVEL_INITED | PAPI_THREAD_LEVEL_INITED)

static unsigned long thread_number(void)
{
	return gettid();
}

static unsigned long process_number(void)
{
	return getpid();
}

int papi_implicit_init(bool one_thread)
{
	int version;

	/* The program's function for numbers of threads stays. */
	if ((PAPI_is_initialized() & READY) == READY)
		return PAPI_OK;
	version = PAPI_library_init(PAPI_VER_CURRENT);
	if (version != PAPI_VER_CURRENT)
		return version < 0 ? version : PAPI_EINVAL;
	return PAPI_thread_init(one_thread ? process_number : thread_number);
}
