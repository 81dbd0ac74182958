/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that the tests of libpmcpapi share. */
#ifndef PAPI_CALLS_H
#define PAPI_CALLS_H

#include <papi.h>
#include <string.h>

#include "vm.h"

/* A call has to return PAPI_OK. */
#define OK(call) do {								\
	int rc_ = (call);							\
	if (rc_ != PAPI_OK)							\
		fail("line %d: %s: %s", __LINE__, #call, PAPI_strerror(rc_));	\
} while (0)

/* A call has to return another value. */
#define RETURNS(value, call) do {						\
	int rc_ = (call);							\
	if (rc_ != (value))							\
		fail("line %d: %s: %d (%s), not %s", __LINE__, #call, rc_,	\
		     rc_ < 0 ? PAPI_strerror(rc_) : "", #value);		\
} while (0)

static inline void begin_papi(void)
{
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		die("PAPI_library_init() failed");
}

/* An EventSet with an event, or with several and commas between */
static inline int new_set(const char *events)
{
	int set = PAPI_NULL, rc;
	char copy[512], *name, *save;

	OK(PAPI_create_eventset(&set));
	snprintf(copy, sizeof(copy), "%s", events);
	for (name = strtok_r(copy, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
		rc = PAPI_add_named_event(set, name);
		if (rc != PAPI_OK)
			die("%s: %s", name, PAPI_strerror(rc));
	}
	return set;
}

static inline void end_set(int set)
{
	OK(PAPI_cleanup_eventset(set));
	OK(PAPI_destroy_eventset(&set));
}

#endif
