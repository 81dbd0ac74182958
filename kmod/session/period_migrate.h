/* SPDX-License-Identifier: GPL-2.0 */
/* Sampling periods over core types. */
#ifndef PMC_PERIOD_MIGRATE_H
#define PMC_PERIOD_MIGRATE_H

struct pmc_session;

void pmc_session_link_periods(struct pmc_session *s);

#endif /* PMC_PERIOD_MIGRATE_H */
