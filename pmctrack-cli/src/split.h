/* SPDX-License-Identifier: GPL-2.0 */
/* Event sets of -c that need more counters than there are. */
#ifndef PMCTRACK_SPLIT_H
#define PMCTRACK_SPLIT_H

#include "options.h"
#include "pmctrack.h"

/* --split: add the events of -c to @config, in as few sets as the counters allow. */
void split_sets(const struct options *o, const pmc_machine_t *machine, int core_type,
		pmc_config_t *config);

/*
 * The set @events of -c was refused. If its events fit the counters one by one, end in bad(),
 * which names the first that finds no counter, and --split.
 */
void split_explain(const struct options *o, const pmc_machine_t *machine, int core_type,
		   const char *events);

#endif
