/* SPDX-License-Identifier: GPL-2.0 */
/* /proc/pmc/virtual: virtual counters. */
#ifndef PMC_PROC_VIRTUAL_H
#define PMC_PROC_VIRTUAL_H

#include <linux/proc_fs.h>

extern const struct proc_ops pmc_virtual_ops;

#endif /* PMC_PROC_VIRTUAL_H */
