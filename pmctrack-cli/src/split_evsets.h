/* SPDX-License-Identifier: GPL-2.0 */
/* Event sets of -c that need more counters than there are. */
#ifndef PMCTRACK_SPLIT_EVSETS_H
#define PMCTRACK_SPLIT_EVSETS_H

#include <stdio.h>

#include "options.h"
#include "pmctrack.h"
#include "report_layout.h"

/* --split: add the events of -c to @config, in as few sets as the counters allow. */
void split_sets(const struct options *o, const pmc_machine_t *machine, int core_type,
		pmc_config_t *config);

/*
 * The set @events of -c was refused. If its events fit the counters one by one, end in bad(),
 * which names the first that finds no counter, and --split.
 */
void split_explain(const struct options *o, const pmc_machine_t *machine, int core_type,
		   const char *events);

/*
 * Where events are put into sets anew (--split, -m), an event by two names is counted once, under
 * the first: say so of each other name, a line each.
 */
void split_print_same(FILE *f, const struct options *o, const pmc_machine_t *machine,
		      const struct layout *layout);

#endif
