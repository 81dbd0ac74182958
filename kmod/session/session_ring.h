/* SPDX-License-Identifier: GPL-2.0 */
/* The ring of a session. */
#ifndef PMC_SESSION_RING_H
#define PMC_SESSION_RING_H

struct pmc_err;
struct pmc_session;

int pmc_session_make_ring(struct pmc_session *s, struct pmc_err *err);

#endif /* PMC_SESSION_RING_H */
