/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The part of a configuration that a session needs. */
#ifndef LIBPMC_CONFIG_H
#define LIBPMC_CONFIG_H

#include "pmctrack.h"

/* The virtual counters' names with commas between; NULL if there are none. */
const char *config_virtual_names(const pmc_config_t *config);

#endif
