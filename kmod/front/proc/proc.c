// SPDX-License-Identifier: GPL-2.0
/* /proc/pmc itself. */
#include <linux/fs.h>
#include <linux/moduleparam.h>
#include <linux/seq_file.h>
#include <linux/stat.h>
#include <linux/uidgid.h>
#include "front/proc/config.h"
#include "front/proc/info.h"
#include "front/proc/mm_manager.h"
#include "front/proc/monitor.h"
#include "front/proc/proc.h"
#include "front/proc/stats.h"
#include "front/proc/virtual.h"

/* By default all users may open a session; it checks what they may count. */
static ushort monitor_mode = 0666;
module_param(monitor_mode, ushort, 0444);
MODULE_PARM_DESC(monitor_mode, "permissions of /proc/pmc/monitor, such as 0660 (default: 0666)");

static uint monitor_gid;
module_param(monitor_gid, uint, 0444);
MODULE_PARM_DESC(monitor_gid, "group of /proc/pmc/monitor (default: 0)");

/* Only administrators write; they may want to keep the settings from others. */
static ushort mm_manager_mode = 0644;
module_param(mm_manager_mode, ushort, 0444);
MODULE_PARM_DESC(mm_manager_mode, "permissions of /proc/pmc/mm_manager (default: 0644)");

static struct proc_dir_entry *dir;

static bool check_mode(const char *name, unsigned int mode)
{
	if (!(mode & ~0666))
		return true;
	pr_err("%s=%#o: permissions are to read and to write, 0666 at most\n",
	       name, mode);
	return false;
}

/**
 * pmc_proc_init - make /proc/pmc
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, or -EINVAL: the log says which parameter is wrong.
 */
int pmc_proc_init(void)
{
	struct proc_dir_entry *monitor;

	if (!check_mode("monitor_mode", monitor_mode) ||
	    !check_mode("mm_manager_mode", mm_manager_mode))
		return -EINVAL;
	dir = proc_mkdir("pmc", NULL);
	if (!dir)
		return -ENOMEM;
	monitor = proc_create("monitor", S_IFREG | monitor_mode, dir,
			      &pmc_monitor_ops);
	if (monitor)
		proc_set_user(monitor, GLOBAL_ROOT_UID, KGIDT_INIT(monitor_gid));
	if (monitor && proc_create("config", 0644, dir, &pmc_config_ops) &&
	    proc_create("info", 0444, dir, &pmc_info_ops) &&
	    /* Exact counts of others' samples are not for all users. */
	    proc_create_single("stats", 0400, dir, pmc_stats_show) &&
	    proc_create("mm_manager", mm_manager_mode, dir, &pmc_mm_manager_ops) &&
	    proc_create("virtual", 0444, dir, &pmc_virtual_ops))
		return 0;
	proc_remove(dir);
	return -ENOMEM;
}

void pmc_proc_exit(void)
{
	proc_remove(dir);
}
