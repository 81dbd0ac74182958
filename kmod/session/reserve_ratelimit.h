/* SPDX-License-Identifier: GPL-2.0 */
/* How often counters are reserved. */
#ifndef PMC_RESERVE_RATELIMIT_H
#define PMC_RESERVE_RATELIMIT_H

struct pmc_session;

int pmc_reserve_paced(struct pmc_session *s, int (*reserve)(struct pmc_session *s));

#endif /* PMC_RESERVE_RATELIMIT_H */
