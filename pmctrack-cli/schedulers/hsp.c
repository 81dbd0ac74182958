// SPDX-License-Identifier: GPL-2.0
/* pmc-hsp: the scheduler of hsp.bpf.c. */
#include "scheduler.h"

EMBED(OBJECT);

const struct scheduler scheduler = {
	.name = "pmc-hsp",
	.help =
"Usage: pmc-hsp [OPTION]...\n"
"Schedule threads for high speedup: those that gain the most by a big core get one.\n"
"\n"
"It is in force until it is ended (Ctrl-C, SIGTERM); then the kernel's own scheduler\n"
"is again. A monitoring module has to tell the speedup factor of threads; for example,\n"
"as root:\n"
"\n"
"  modprobe pmc_ipc_sampling_sf\n"
"  echo activate ipc_sampling_sf >/proc/pmc/mm_manager\n"
"\n"
"  -m, --margin=N      speedup factors have to differ by more than so many\n"
"                      thousandths for two threads to change places (default: 50)\n"
"  -e, --explore=MS    big-core time for a thread of which nothing is known (default:\n"
"                      400); at least two sampling periods of the module\n"
"  -s, --slice=MS      a thread's turn on a CPU that others wait for (default: 20)\n"
"  -v, --verbose       tell every second what was done\n"
"  -h, --help          this text\n",
	.object = scheduler_object,
	.object_end = scheduler_object_end,
	.margin_option = "margin",
	.margin = 50,
	.margin_unit = 1,
	.asks = 1,
};
