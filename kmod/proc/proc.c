// SPDX-License-Identifier: GPL-2.0
/* /proc/pmc itself. */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/moduleparam.h>
#include <linux/seq_file.h>
#include <linux/stat.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include "proc.h"

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

/**
 * pmc_proc_line - take a line that an administrator writes
 * @file: where it is written to
 * @buf: the line
 * @len: its length
 * @max: characters it may have
 *
 * Both the opener and the writer need the right.
 *
 * Context: May sleep.
 * Return: the line, ended by a zero, for kfree(); or an ERR_PTR, the reason for
 * which is in the log if it is the line.
 */
char *pmc_proc_line(struct file *file, const char __user *buf, size_t len,
		    size_t max)
{
	if (!file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN) ||
	    !capable(CAP_SYS_ADMIN))
		return ERR_PTR(-EPERM);
	if (len > max) {
		pr_notice("%pD: a line has at most %zu characters\n", file, max);
		return ERR_PTR(-EINVAL);
	}
	return memdup_user_nul(buf, len);
}

/**
 * pmc_seq_open - open a file that shows what pmc_modules_lock guards
 * @file: the file
 * @show: shows all of it
 *
 * Monitoring modules read files of sysfs under that lock: their locks are of the
 * same class as this file's, which is taken before it, but never the same.
 *
 * Context: May sleep.
 * Return: 0 or -ENOMEM.
 */
int pmc_seq_open(struct file *file, int (*show)(struct seq_file *m, void *unused))
{
	static struct lock_class_key key;
	int ret = single_open(file, show, NULL);

	if (!ret)
		lockdep_set_class(&((struct seq_file *)file->private_data)->lock,
				  &key);
	return ret;
}

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
