/* SPDX-License-Identifier: GPL-2.0 */
/* System-wide counting starts and stops. */
#ifndef PMC_SYSWIDE_H
#define PMC_SYSWIDE_H

#include <linux/cpumask.h>
#include <linux/types.h>

struct pmc_session;

/**
 * struct pmc_syswide - the CPUs that a session counts
 * @active: CPUs are counted
 * @cpus: which; of a session that counts threads, those to interrupt
 * @link: in the list of sessions that count CPUs
 */
struct pmc_syswide {
	bool active;
	cpumask_var_t cpus;
	struct list_head link;
};

int pmc_syswide_start(struct pmc_session *s, const char *cpus);
void pmc_syswide_stop(struct pmc_session *s);

#endif /* PMC_SYSWIDE_H */
