/* SPDX-License-Identifier: GPL-2.0 */
/* /proc/pmc/info: core types, their counters and events. */
#ifndef PMC_PROC_INFO_H
#define PMC_PROC_INFO_H

#include <linux/proc_fs.h>

extern const struct proc_ops pmc_info_ops;

#endif /* PMC_PROC_INFO_H */
