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
"The scheduler is in force until the command ends (Ctrl-C, SIGTERM). Then the kernel's own\n"
"scheduler takes over again. pmc-rr needs root.\n"
"\n"
"  -t, --turn=MS       two threads swap places if one had MS more big-core time than the\n"
"                      other (default: 50)\n"
"  -s, --slice=MS      time that a thread runs while others wait for its CPU (default: 20)\n"
"  -v, --verbose       print a statistic of each decision every second\n"
"  -h, --help          show this text\n",
	.object = scheduler_object,
	.object_end = scheduler_object_end,
	.margin_option = "turn",
	.margin = 50,
	.margin_unit = 1000000,
};
