/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The description that a session's listeners are sent: the names of its counts, as
 *
 *   0.0=instr,cycles 1.0=instr,cycles virtual=energy_pkg
 *
 * with the core type and the number of its event set before each list.
 */
#ifndef LIBPMC_FORMAT_DESCRIPTION_H
#define LIBPMC_FORMAT_DESCRIPTION_H

#include "pmctrack.h"

/* Longest description that the kernel module takes */
#define DESCRIPTION_MAX 1023

/* Return: the text, for free(); "" if it would be too long; NULL without memory. */
char *description_print(const pmc_config_t *config, int nr_core_types);

#endif
