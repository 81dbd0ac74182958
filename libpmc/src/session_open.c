// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Open a session: of the kernel module (kernel_session.c), or of perf_event_open() where there
 * is no module (perf_session.c).
 */
#include <errno.h>

#include "perf_session.h"
#include "session.h"

pmc_session_t *pmc_session_open(void)
{
	pmc_session_t *session = kernel_session_open();

	return session || errno != ENOENT ? session : perf_session_open();
}
