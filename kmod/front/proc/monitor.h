/* SPDX-License-Identifier: GPL-2.0 */
/* /proc/pmc/monitor: sessions. */
#ifndef PMC_PROC_MONITOR_H
#define PMC_PROC_MONITOR_H

#include <linux/proc_fs.h>

extern const struct proc_ops pmc_monitor_ops;

#endif /* PMC_PROC_MONITOR_H */
