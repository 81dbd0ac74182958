/* SPDX-License-Identifier: GPL-2.0 */
/* Taking processes into a session. */
#ifndef PMC_PROCESS_H
#define PMC_PROCESS_H

#include <linux/types.h>

struct pmc_session;

int pmc_attach_process(struct pmc_session *s, pid_t nr, bool whole);
int pmc_detach_process(struct pmc_session *s, pid_t nr, bool whole);

#endif /* PMC_PROCESS_H */
