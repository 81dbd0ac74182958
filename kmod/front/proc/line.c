// SPDX-License-Identifier: GPL-2.0
/* What entries of /proc/pmc that show and take lines have in common. */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "front/proc/line.h"

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
