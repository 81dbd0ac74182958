// SPDX-License-Identifier: GPL-2.0
/* Counting by pmctrack. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "pmctrack.h"

const char *const ours_events[MAX_EVENTS + 1] = {
	NULL, "instr", "instr,cycles", "instr,cycles,instr:u",
	"instr,cycles,instr:u,instr:u:k",
};

void ours_fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, pmc_last_error());
	exit(1);
}

pmc_session_t *ours_open(const char *events, const char *options)
{
	pmc_machine_t *machine = pmc_machine_open();
	pmc_config_t *config = machine ? pmc_config_new(machine) : NULL;
	pmc_session_t *session = config ? pmc_session_open() : NULL;

	if (!session || (options && pmc_session_command(session, "%s", options)) ||
	    pmc_config_add(config, events, PMC_EVERY_CORE_TYPE, 0) ||
	    pmc_session_configure(session, config))
		ours_fail("session");
	pmc_config_free(config);
	pmc_machine_close(machine);
	return session;
}

void ours_attach(pmc_session_t *session, pid_t pid)
{
	if (pmc_session_command(session, "attach-thread %d", pid))
		ours_fail("attach");
}
