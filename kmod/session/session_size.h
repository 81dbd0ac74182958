/* SPDX-License-Identifier: GPL-2.0 */
/* Room for the counts of a session. */
#ifndef PMC_SESSION_SIZE_H
#define PMC_SESSION_SIZE_H

struct pmc_session;

int pmc_session_size(struct pmc_session *s);

#endif /* PMC_SESSION_SIZE_H */
