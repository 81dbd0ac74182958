/* SPDX-License-Identifier: GPL-2.0 */
/* Suspending and resuming the machine. */
#ifndef PMC_SUSPEND_H
#define PMC_SUSPEND_H

void pmc_suspend_init(void);
void pmc_suspend_exit(void);

#endif /* PMC_SUSPEND_H */
