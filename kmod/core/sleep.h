/* SPDX-License-Identifier: GPL-2.0 */
/* The machine's sleep. */
#ifndef PMC_SLEEP_H
#define PMC_SLEEP_H

void pmc_sleep_init(void);
void pmc_sleep_exit(void);

#endif /* PMC_SLEEP_H */
