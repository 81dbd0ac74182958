// SPDX-License-Identifier: GPL-2.0
/* /proc/pmc/mm_manager: the monitoring modules. None is built in. */
#include <linux/seq_file.h>
#include "proc.h"

int pmc_mm_manager_show(struct seq_file *m, void *unused)
{
	seq_puts(m, "# id state name\n");
	return 0;
}
