/* SPDX-License-Identifier: GPL-2.0 */
/* The totals of a session. */
#ifndef PMC_TOTALS_H
#define PMC_TOTALS_H

struct pmc_session;
struct pmc_totals;

int pmc_session_totals(struct pmc_session *s, struct pmc_totals *totals);
void pmc_session_forget_totals(struct pmc_session *s);

#endif /* PMC_TOTALS_H */
