/* SPDX-License-Identifier: GPL-2.0 */
/* The counts of CPUs. */
#ifndef PMC_SYSWIDE_CPUS_H
#define PMC_SYSWIDE_CPUS_H

#include <linux/types.h>

struct cred;
struct pmc_session;

unsigned int pmc_syswide_unprivileged(const struct cred *user);
int pmc_syswide_load(struct pmc_session *s);
void pmc_syswide_unload(struct pmc_session *s, u16 flags);
void pmc_syswide_revoke(struct pmc_session *s);
void pmc_syswide_cpu_missed(unsigned int cpu);
void pmc_syswide_cpu_up(unsigned int cpu, u16 flags);
void pmc_syswide_cpu_down(unsigned int cpu);

#endif /* PMC_SYSWIDE_CPUS_H */
