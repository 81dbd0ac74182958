/* SPDX-License-Identifier: GPL-2.0 */
/* Choosing the virtual counters of a session. */
#ifndef PMC_VIRTUAL_H
#define PMC_VIRTUAL_H

#include <linux/types.h>

struct pmc_module;
struct pmc_session;

int pmc_session_add_virtuals(struct pmc_session *s, char *names);
void pmc_session_clear_virtuals(struct pmc_session *s);
int pmc_session_check_virtuals(struct pmc_session *s, bool syswide);
const struct pmc_session *pmc_virtual_user(const struct pmc_module *m);

#endif /* PMC_VIRTUAL_H */
