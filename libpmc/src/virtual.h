/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Virtual counters and the monitoring modules they come from. */
#ifndef LIBPMC_VIRTUAL_H
#define LIBPMC_VIRTUAL_H

#include "pmctrack.h"

/* The position of @v in @list, from 0: the N of virtN. */
int virtual_number(const pmc_virtuals_t *list, const struct pmc_virtual_info *v);

/* Is there a virtual counter @name, of a module that is active or can be activated? */
int virtual_is_known(const char *name);

#endif
