/* SPDX-License-Identifier: GPL-2.0 */
/* The counters that unprivileged sessions may have together. */
#ifndef PMC_COUNTER_QUOTA_H
#define PMC_COUNTER_QUOTA_H

#include <linux/types.h>

struct pmc_core_type;
struct pmc_session;

u64 pmc_slots_over_quota(const struct pmc_session *s, const struct pmc_core_type *ct, u64 used);
int pmc_check_quota(struct pmc_session *s, const struct pmc_core_type *ct, u64 used);
int pmc_check_set_quota(struct pmc_session *s, const struct pmc_core_type *ct, unsigned int nr);
void pmc_count_unprivileged(const struct pmc_session *s, int diff);
bool pmc_kept_over_quota(const struct pmc_core_type *ct, u64 used);

#endif /* PMC_COUNTER_QUOTA_H */
