/* SPDX-License-Identifier: GPL-2.0 */
/* /proc/pmc itself. */
#ifndef PMC_PROC_H
#define PMC_PROC_H

int pmc_proc_init(void);
void pmc_proc_exit(void);

#endif /* PMC_PROC_H */
