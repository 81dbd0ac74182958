/* SPDX-License-Identifier: GPL-2.0 */
/* /proc/pmc/config: the settings, and the parameters of monitoring modules. */
#ifndef PMC_PROC_CONFIG_H
#define PMC_PROC_CONFIG_H

#include <linux/proc_fs.h>

extern const struct proc_ops pmc_config_ops;

#endif /* PMC_PROC_CONFIG_H */
