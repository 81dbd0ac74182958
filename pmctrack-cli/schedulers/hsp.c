// SPDX-License-Identifier: GPL-2.0
/* pmc-hsp: the scheduler of hsp.bpf.c. */
#include "scheduler.h"

EMBED(OBJECT);

const struct scheduler scheduler = {
	.name = "pmc-hsp",
	.help =
"Usage: pmc-hsp [OPTION]...\n"
"Schedule threads for high speedup: the big cores run the threads that gain most from them.\n"
"\n"
"The scheduler is in force until the command ends (Ctrl-C, SIGTERM). Then the kernel's own\n"
"scheduler takes over again. pmc-hsp needs root, and a monitoring module that provides the\n"
"speedup factor of threads, for example:\n"
"\n"
"  modprobe pmc_ipc_sampling_sf\n"
"  echo activate ipc_sampling_sf >/proc/pmc/mm_manager\n"
"\n"
"  -m, --margin=N      two threads swap places if their speedup factors differ by more\n"
"                      than N thousandths (default: 50)\n"
"  -e, --explore=MS    big-core time of a thread whose speedup factor is unknown, before\n"
"                      it gets a little core (default: 400); use at least two sampling\n"
"                      periods of the module\n"
"  -k, --keep=MS       two threads that swapped places keep them for so long (default: 200);\n"
"                      use some sampling periods of the module\n"
"  -s, --slice=MS      time that a thread runs while others wait for its CPU (default: 20)\n"
"  -v, --verbose       print a statistic of each decision every second\n"
"  -h, --help          show this text\n",
	.object = scheduler_object,
	.object_end = scheduler_object_end,
	.margin_option = "margin",
	.margin = 50,
	.margin_unit = 1,
	.asks = 1,
};
