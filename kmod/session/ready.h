/* SPDX-License-Identifier: GPL-2.0 */
/* A session gets ready to count, and stops. */
#ifndef PMC_READY_H
#define PMC_READY_H

#include <linux/types.h>

struct pmc_session;

int pmc_session_prepare(struct pmc_session *s);
void pmc_session_unprepare(struct pmc_session *s, bool before);
int pmc_session_prepare_module(struct pmc_session *s);
void pmc_session_stop(struct pmc_session *s);

#endif /* PMC_READY_H */
