/* SPDX-License-Identifier: GPL-2.0 */
/* The modes in which events count. */
#ifndef PMC_FILTERS_H
#define PMC_FILTERS_H

#include <linux/types.h>

/**
 * struct pmc_filters - which modes count when the event does not say
 */
struct pmc_filters {
	bool user;
	bool kernel;
};

#endif /* PMC_FILTERS_H */
