/* SPDX-License-Identifier: GPL-2.0 */
/* Reserving the counters of a session. */
#ifndef PMC_RESERVE_H
#define PMC_RESERVE_H

#include <linux/types.h>

struct list_head;
struct pmc_session;

int pmc_session_reserve(struct pmc_session *s);
void pmc_session_unreserve(struct pmc_session *s);
int pmc_reserve_locked(struct pmc_session *s);
void pmc_unreserve_locked(struct pmc_session *s);
bool pmc_revoke_uncore(const struct pmc_session *s, const struct list_head *refused);
void pmc_reserve_exit(void);

#endif /* PMC_RESERVE_H */
