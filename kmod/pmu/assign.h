/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which counter counts which event, decided once, when an event set is made.
 */
#ifndef PMC_ASSIGN_H
#define PMC_ASSIGN_H

#include <linux/types.h>

int pmc_assign(const u64 *candidates, unsigned int nr, u64 avoid, u8 *slot,
	       unsigned int *culprit);

#endif /* PMC_ASSIGN_H */
