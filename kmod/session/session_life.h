/* SPDX-License-Identifier: GPL-2.0 */
/* Making a session. */
#ifndef PMC_SESSION_LIFE_H
#define PMC_SESSION_LIFE_H

struct pmc_session;

struct pmc_session *pmc_session_create(void);
struct pmc_session *pmc_session_create_internal(void);
void pmc_session_destroy(struct pmc_session *s);

#endif /* PMC_SESSION_LIFE_H */
