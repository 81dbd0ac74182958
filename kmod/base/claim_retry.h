/* SPDX-License-Identifier: GPL-2.0 */
/* Counters that are missing: tried again, by functions of a file that knows CPUs and sessions. */
#ifndef PMC_CLAIM_RETRY_H
#define PMC_CLAIM_RETRY_H

#include <linux/types.h>

/**
 * struct pmc_retry_ops - how missing counters are tried again
 * @cpus: try the CPUs whose counters were taken when they came online
 * @counters: the same, and try the lost counters of other CPUs. Return: nothing is missing
 *	any more, or what is missing can never be had
 *
 * Both may sleep, and are called with CPUs kept from coming and going.
 */
struct pmc_retry_ops {
	void (*cpus)(void);
	bool (*counters)(void);
};

void pmc_retry_init(const struct pmc_retry_ops *ops);
void pmc_retry_exit(void);
void pmc_retry_cpus(void);
void pmc_retry_soon(void);

#endif /* PMC_CLAIM_RETRY_H */
