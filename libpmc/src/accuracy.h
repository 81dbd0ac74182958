/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How far the totals of a session can be relied on. */
#ifndef LIBPMC_ACCURACY_H
#define LIBPMC_ACCURACY_H

#include "pmctrack.h"

struct accuracy {
	enum pmc_accuracy is;
	uint64_t available;	/* ns that could have been counted */
};

/* The accuracy of the sum of two totals */
enum pmc_accuracy accuracy_of_sum(enum pmc_accuracy a, enum pmc_accuracy b);

/* That of a total of the kernel module's */
int kernel_accuracy(pmc_session_t *session, int core_type, int set, int event,
		    struct accuracy *accuracy);

#endif
