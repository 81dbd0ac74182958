/* SPDX-License-Identifier: GPL-2.0 */
/* The counters of an event set. */
#ifndef PMC_PLACEMENT_H
#define PMC_PLACEMENT_H

#include <linux/types.h>

struct pmc_core_type;
struct pmc_evset;
struct pmc_session;
struct pmc_setreq;

u64 pmc_evset_id(void);
int pmc_place_evset(struct pmc_session *s, struct pmc_core_type *ct,
		    struct pmc_setreq *req, struct pmc_evset *set);
int pmc_move_evset(struct pmc_session *s, struct pmc_core_type *ct,
		   struct pmc_evset *set, u64 taken);
void pmc_evset_add_users(struct pmc_core_type *ct, const struct pmc_evset *set);
void pmc_evset_remove_users(struct pmc_core_type *ct, const struct pmc_evset *set);

#endif /* PMC_PLACEMENT_H */
