/* SPDX-License-Identifier: GPL-2.0 */
/* The event sets of a session. */
#ifndef PMC_EVSET_H
#define PMC_EVSET_H

#include <linux/types.h>

struct pmc_core_type;
struct pmc_session;

int pmc_session_init_sets(struct pmc_session *s);
void pmc_session_free_sets(struct pmc_session *s);
int pmc_session_add_events(struct pmc_session *s, const char *spec,
			   size_t len);
void pmc_session_clear_events(struct pmc_session *s);
void pmc_session_link_sets(struct pmc_session *s);
int pmc_session_move_sets(struct pmc_session *s, struct pmc_core_type *ct,
			  u64 taken);

#endif /* PMC_EVSET_H */
