/* SPDX-License-Identifier: GPL-2.0 */
/* Claims of slots on all CPUs of a core type. */
#ifndef PMC_CLAIM_H
#define PMC_CLAIM_H

#include <linux/types.h>

struct pmc_core_type;
struct pmc_err;
struct pmc_evset;

extern unsigned int pmc_nr_claims;

int pmc_claim_slots(struct pmc_core_type *ct, struct pmc_evset *set,
		    struct pmc_err *err);
void pmc_release_slots(struct pmc_core_type *ct, const struct pmc_evset *set, bool keep);
void pmc_release_kept(struct pmc_core_type *ct);
u64 pmc_slots_bound_by(const struct pmc_core_type *ct, const struct pmc_evset *set);
void pmc_bind_slots(struct pmc_core_type *ct, const struct pmc_evset *set, u64 slots,
		    u64 *unbound);
int pmc_claim_cpu(unsigned int cpu);
void pmc_release_cpu(unsigned int cpu);

#endif /* PMC_CLAIM_H */
