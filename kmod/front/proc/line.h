/* SPDX-License-Identifier: GPL-2.0 */
/* What entries of /proc/pmc that show and take lines have in common. */
#ifndef PMC_PROC_LINE_H
#define PMC_PROC_LINE_H

#include <linux/types.h>

struct file;
struct seq_file;

int pmc_seq_open(struct file *file,
		 int (*show)(struct seq_file *m, void *unused));
char *pmc_proc_line(struct file *file, const char __user *buf, size_t len,
		    size_t max);

#endif /* PMC_PROC_LINE_H */
