/* SPDX-License-Identifier: GPL-2.0 */
/* /proc/pmc/stats: numbers of events since the module was loaded. */
#ifndef PMC_PROC_STATS_H
#define PMC_PROC_STATS_H

struct seq_file;

int pmc_stats_show(struct seq_file *m, void *unused);

#endif /* PMC_PROC_STATS_H */
