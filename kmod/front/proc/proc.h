/* SPDX-License-Identifier: GPL-2.0 */
/* The entries of /proc/pmc, one file each. */
#ifndef PMC_PROC_H
#define PMC_PROC_H

#include <linux/proc_fs.h>

extern const struct proc_ops pmc_monitor_ops;
extern const struct proc_ops pmc_config_ops;
extern const struct proc_ops pmc_info_ops;
extern const struct proc_ops pmc_mm_manager_ops;
extern const struct proc_ops pmc_virtual_ops;

struct seq_file;

int pmc_stats_show(struct seq_file *m, void *unused);

int pmc_proc_init(void);
void pmc_proc_exit(void);

#endif /* PMC_PROC_H */
