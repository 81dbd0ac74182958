/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Flags of samples whose counts are incomplete. */
#ifndef LIBPMC_LOSSES_H
#define LIBPMC_LOSSES_H

#include "pmctrack.h"

/* All of them */
unsigned int losses_flags(void);

#endif
