// SPDX-License-Identifier: GPL-2.0
/* /proc/pmc itself. */
#include <linux/stat.h>
#include "proc.h"

/* Everybody may open a session; what he may count in it is checked there. */
#define MONITOR_MODE	(S_IFREG | 0666)

static struct proc_dir_entry *dir;

/**
 * pmc_proc_init - make /proc/pmc
 *
 * Context: May sleep.
 * Return: 0 or -ENOMEM.
 */
int pmc_proc_init(void)
{
	dir = proc_mkdir("pmc", NULL);
	if (!dir)
		return -ENOMEM;
	if (proc_create("monitor", MONITOR_MODE, dir, &pmc_monitor_ops) &&
	    proc_create("config", 0644, dir, &pmc_config_ops) &&
	    proc_create("info", 0444, dir, &pmc_info_ops) &&
	    proc_create_single("stats", 0444, dir, pmc_stats_show) &&
	    proc_create("mm_manager", 0644, dir, &pmc_mm_manager_ops) &&
	    proc_create_single("virtual", 0444, dir, pmc_virtual_show))
		return 0;
	proc_remove(dir);
	return -ENOMEM;
}

void pmc_proc_exit(void)
{
	proc_remove(dir);
}
