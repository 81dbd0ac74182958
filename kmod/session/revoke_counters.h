/* SPDX-License-Identifier: GPL-2.0 */
/* Ending threads whose counters are revoked. */
#ifndef PMC_REVOKE_COUNTERS_H
#define PMC_REVOKE_COUNTERS_H

struct pmc_session;
struct pmc_thread;

void pmc_revoke_threads(struct pmc_session *s);
void pmc_end_revoked(struct pmc_thread *revoked);
void pmc_end_revoked_child(struct pmc_thread *revoked);
void pmc_wait_for_revocations(const struct pmc_session *s);

#endif /* PMC_REVOKE_COUNTERS_H */
