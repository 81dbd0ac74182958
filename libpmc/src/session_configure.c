// SPDX-License-Identifier: LGPL-2.1-or-later
/* A configuration becomes that of a session. */
#include <stdlib.h>

#include "error.h"
#include "format_description.h"
#include "session_config.h"

/* Only the kernel module has listeners. */
static int describe(pmc_session_t *session, const pmc_config_t *config)
{
	const pmc_machine_t *machine = config_machine(config);
	char *text;
	int rc = 0;

	if (!pmc_machine_has_module(machine))
		return 0;
	text = description_print(config, pmc_machine_nr_core_types(machine));
	if (!text)
		return pmc_fail_nomem();
	if (*text)
		rc = pmc_session_command(session, "describe %s", text);
	free(text);
	return rc;
}

int pmc_session_configure(pmc_session_t *session, const pmc_config_t *config)
{
	const char *raw, *names;
	int i;

	for (i = 0; (raw = pmc_config_raw(config, i)); i++)
		if (pmc_session_command(session, "events %s", raw))
			return -1;
	names = config_virtual_names(config);
	if (names && pmc_session_command(session, "virtual %s", names))
		return -1;
	return describe(session, config);
}
