// SPDX-License-Identifier: LGPL-2.1-or-later
/* The machine as the kernel module describes it; without the module, as sysfs does. */
#include <errno.h>
#include <stdlib.h>

#include "machine.h"
#include "proc.h"

pmc_machine_t *pmc_machine_open(void)
{
	pmc_machine_t *machine;
	char *text = proc_read("info");

	if (!text)
		return errno == ENOENT ? machine_from_sysfs("/sys") : NULL;
	machine = machine_parse(text);
	free(text);
	if (machine && machine->direct)
		machine->direct = !rdpmc_forbidden("/sys/bus/event_source/devices");
	return machine;
}
