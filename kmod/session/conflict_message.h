/* SPDX-License-Identifier: GPL-2.0 */
/* The message that explains why two sessions can't count one thread. */
#ifndef PMC_CONFLICT_MESSAGE_H
#define PMC_CONFLICT_MESSAGE_H

struct pmc_err;
struct pmc_thread;

int pmc_conflict_explain(const struct pmc_thread *t, struct pmc_err *err);

#endif /* PMC_CONFLICT_MESSAGE_H */
