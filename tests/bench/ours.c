// SPDX-License-Identifier: GPL-2.0
/* Counting by pmctrack. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "pmctrack.h"

/* Instructions and cycles, by turns: the same that theirs.c counts. */
static const char *const events[MAX_EVENTS + 1] = {
	NULL,
	"events ev=0x8",
	"events ev=0x8,ev=0x11",
	"events ev=0x8,ev=0x11,ev=0x8",
	"events ev=0x8,ev=0x11,ev=0x8,ev=0x8",
};

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, pmc_last_error());
	exit(1);
}

pmc_session_t *ours_open(int nr, const char *options)
{
	pmc_session_t *session = pmc_session_open();

	if (!session || (options && pmc_session_command(session, "%s", options)) ||
	    (nr && pmc_session_command(session, "%s", events[nr])))
		fail("session");
	return session;
}

void ours_attach(pmc_session_t *session, pid_t pid)
{
	if (pmc_session_command(session, "attach-thread %d", pid))
		fail("attach");
}
