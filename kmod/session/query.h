/* SPDX-License-Identifier: GPL-2.0 */
/* What clients ask of a session. */
#ifndef PMC_QUERY_H
#define PMC_QUERY_H

struct pmc_evset;
struct pmc_placement;
struct pmc_session;

const struct pmc_evset *pmc_session_set(const struct pmc_session *s,
					unsigned int ct, unsigned int set);
int pmc_session_no_set(struct pmc_session *s, unsigned int ct,
		       unsigned int set);
int pmc_session_placement(struct pmc_session *s, struct pmc_placement *p);

#endif /* PMC_QUERY_H */
