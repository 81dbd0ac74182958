/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Flags of samples whose counts are incomplete. */
#ifndef LIBPMC_SAMPLE_FLAGS_H
#define LIBPMC_SAMPLE_FLAGS_H

#include "pmctrack.h"

/* All of them */
unsigned int losses_flags(void);

#endif
