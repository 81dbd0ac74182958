/* SPDX-License-Identifier: GPL-2.0 */
/* /proc/pmc/mm_manager: monitoring modules. */
#ifndef PMC_PROC_MM_MANAGER_H
#define PMC_PROC_MM_MANAGER_H

#include <linux/proc_fs.h>

extern const struct proc_ops pmc_mm_manager_ops;

#endif /* PMC_PROC_MM_MANAGER_H */
