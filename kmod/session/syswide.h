/* SPDX-License-Identifier: GPL-2.0 */
/* System-wide counting starts and stops. */
#ifndef PMC_SYSWIDE_H
#define PMC_SYSWIDE_H

struct pmc_session;

int pmc_syswide_start(struct pmc_session *s, const char *cpus);
void pmc_syswide_stop(struct pmc_session *s);

#endif /* PMC_SYSWIDE_H */
