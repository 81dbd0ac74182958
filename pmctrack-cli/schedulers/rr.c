// SPDX-License-Identifier: GPL-2.0
/* pmc-rr: the scheduler of rr.bpf.c. */
#include "scheduler.h"

EMBED(OBJECT);

const struct scheduler scheduler = {
	.name = "pmc-rr",
	.help =
"Usage: pmc-rr [OPTION]...\n"
"Schedule threads round robin on machines whose cores differ: every thread gets its\n"
"fair share of big-core time.\n"
"\n"
"It is in force until it is ended (Ctrl-C, SIGTERM); then the kernel's own scheduler\n"
"is again.\n"
"\n"
"  -t, --turn=MS       two threads change places when one had so much more big-core\n"
"                      time than the other (default: 50)\n"
"  -s, --slice=MS      a thread's turn on a CPU that others wait for (default: 20)\n"
"  -v, --verbose       tell every second what was done\n"
"  -h, --help          this text\n",
	.object = scheduler_object,
	.object_end = scheduler_object_end,
	.margin_option = "turn",
	.margin = 50,
	.margin_unit = 1000000,
};
