/* SPDX-License-Identifier: GPL-2.0 */
/* A thread that counts itself. */
#ifndef PMC_SELF_COUNT_H
#define PMC_SELF_COUNT_H

struct pmc_read;
struct pmc_session;

int pmc_self_start(struct pmc_session *s);
int pmc_self_stop(struct pmc_session *s);
int pmc_self_read(struct pmc_session *s, struct pmc_read *r);

#endif /* PMC_SELF_COUNT_H */
