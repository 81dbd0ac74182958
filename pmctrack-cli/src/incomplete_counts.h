/* SPDX-License-Identifier: GPL-2.0 */
/* Samples whose counts are incomplete: their number by flag, for all reports. */
#ifndef PMCTRACK_INCOMPLETE_COUNTS_H
#define PMCTRACK_INCOMPLETE_COUNTS_H

#include <stdint.h>
#include <stdio.h>

/* Flags that are counted at most; pmc_loss_info() has fewer. */
#define MAX_LOSSES 16

/* Count a sample with these flags. By number of pmc_loss_info() */
void losses_note(uint64_t *losses, unsigned int flags);

void losses_add(uint64_t *sum, const uint64_t *losses);

/* Is there any? */
int losses_any(const uint64_t *losses);

/* A line for each, with @prefix before it */
void losses_print(FILE *f, const char *prefix, const uint64_t *losses);

/* Members of a JSON object: "counter_lost": 6, "evicted": 7 */
void losses_print_json(FILE *f, const uint64_t *losses);

#endif
