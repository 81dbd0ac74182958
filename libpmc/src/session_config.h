/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of a configuration that sessions and plans need. */
#ifndef LIBPMC_SESSION_CONFIG_H
#define LIBPMC_SESSION_CONFIG_H

#include "format_event.h"

/* The machine that it is for */
const pmc_machine_t *config_machine(const pmc_config_t *config);

/* The virtual counters' names with commas between; NULL if there are none. */
const char *config_virtual_names(const pmc_config_t *config);

/*
 * perf's form names a PMU, and by that the core type of the set; `cpu` is any. Return: 0, or -1
 * with the error line set.
 */
int config_take_pmus(const pmc_machine_t *machine, struct event_set *set);

/* Has the core type all events and so many counters? Otherwise the error line is set. */
int config_suits(const pmc_machine_t *machine, const struct event_set *set, int core_type);

/* Add a set for one core type, whose events may be of the raw form. 0, or -1 with the error line. */
int config_add_set(pmc_config_t *config, const struct event_set *set, int core_type);

#endif
