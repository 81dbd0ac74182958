/* SPDX-License-Identifier: GPL-2.0 */
/* A session gets ready to count, and stops. */
#ifndef PMC_SESSION_PREPARE_H
#define PMC_SESSION_PREPARE_H

#include <linux/types.h>

struct pmc_session;

/**
 * struct pmc_session_state - whether a session is ready to count
 * @reserved: in the list of sessions whose counters are reserved, or empty; under pmc_cpus_lock
 * @prepared: hooks and pool are at work; the configuration is final
 * @ending: hooks add no more threads
 */
struct pmc_session_state {
	struct list_head reserved;
	bool prepared;
	bool ending;
};

int pmc_session_prepare(struct pmc_session *s);
void pmc_session_unprepare(struct pmc_session *s, bool before);
int pmc_session_prepare_module(struct pmc_session *s);
void pmc_session_stop(struct pmc_session *s);

#endif /* PMC_SESSION_PREPARE_H */
