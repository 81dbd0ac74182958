/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of the addresses at which events of an EventSet overflow */
#ifndef PAPI_HISTOGRAMS_H
#define PAPI_HISTOGRAMS_H

#include "papi.h"

struct eventset;
struct papi_event;
struct profile;

/**
 * struct histogram - the histograms of an event
 * @event: the event
 * @ranges: the program's description of @nr histograms, which has to stay; NULL: @own
 */
struct histogram {
	const struct papi_event *event;
	const PAPI_sprofil_t *ranges;
	PAPI_sprofil_t own;
	int nr;
	int flags;
};

/* An overflow_fn */
void histograms_count(struct eventset *set, int index, void *address, long long excess,
		      void *context);

/* Make the histograms of an event those of @wanted. PAPI_OK or PAPI_ENOMEM. */
int histograms_set(struct eventset *set, int index, const struct histogram *wanted);

void histograms_free(struct profile *profile);

#endif
