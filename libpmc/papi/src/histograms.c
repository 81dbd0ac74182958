// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Histograms of the addresses at which an event overflows, as profil(3) of SVR4 makes them of
 * clock ticks: an address is counted in the bucket (address - offset) * scale / 65536 / 2.
 */
#include <stdint.h>
#include <stdlib.h>

#include "eventset.h"
#include "histograms.h"
#include "overflow_events.h"

struct profile {
	int nr;
	struct histogram *all;
};

void histograms_free(struct profile *profile)
{
	if (!profile)
		return;
	free(profile->all);
	free(profile);
}

/* Numbers that need not be good, without a call that a signal handler must not make */
static unsigned int random16(void)
{
	static __thread uint32_t state = 0x2545f491;

	state = state * 1664525 + 1013904223;
	return state >> 16;
}

/* How much an overflow adds to a bucket that has @value */
static unsigned int increment(const struct histogram *histogram, uint64_t value)
{
	if (histogram->flags & PAPI_PROFIL_RANDOM && random16() <= 0xffff / 4)
		return 0;
	if (histogram->flags & PAPI_PROFIL_COMPRESS && random16() < value)
		return 0;
	return 1;
}

static int bucket_size(int flags)
{
	return flags & PAPI_PROFIL_BUCKET_64 ? 8 : flags & PAPI_PROFIL_BUCKET_32 ? 4 : 2;
}

static void add(const struct histogram *histogram, const PAPI_sprofil_t *range, uint64_t bucket)
{
	char *at = (char *)range->pr_base + bucket * bucket_size(histogram->flags);

	if (histogram->flags & PAPI_PROFIL_BUCKET_64)
		*(uint64_t *)at += increment(histogram, *(uint64_t *)at);
	else if (histogram->flags & PAPI_PROFIL_BUCKET_32)
		*(uint32_t *)at += increment(histogram, *(uint32_t *)at);
	else
		*(uint16_t *)at += increment(histogram, *(uint16_t *)at);
}

/*
 * The ranges may be in any order. One with the scale 2 and the offset 0 is for all addresses that
 * are in no other: it has a single bucket.
 */
static void count(const struct histogram *histogram, uintptr_t address)
{
	const PAPI_sprofil_t *range, *rest = NULL, *best = NULL;
	uint64_t bucket, found = 0;
	int i;

	for (i = 0; i < histogram->nr; i++) {
		range = histogram->ranges ? &histogram->ranges[i] : &histogram->own;
		if (range->pr_scale == 2 && !range->pr_off) {
			rest = range;
			continue;
		}
		if (address < (uintptr_t)range->pr_off)
			continue;
		bucket = (unsigned __int128)(address - (uintptr_t)range->pr_off) * range->pr_scale >> 17;
		if (bucket < range->pr_size / bucket_size(histogram->flags) &&
		    (!best || range->pr_off > best->pr_off)) {
			best = range;
			found = bucket;
		}
	}
	if (!best)
		best = rest;
	if (best && best->pr_size >= (unsigned int)bucket_size(histogram->flags))
		add(histogram, best, found);
}

void histograms_count(struct eventset *set, int index, void *address, long long excess,
		      void *context)
{
	const struct profile *profile = set->overflow->profile;
	int i;

	(void)excess;
	(void)context;
	for (i = 0; i < profile->nr; i++)
		if (profile->all[i].event == set->events[index])
			count(&profile->all[i], (uintptr_t)address);
}

static struct histogram *find(struct profile *profile, const struct papi_event *event)
{
	struct histogram *all;
	int i;

	for (i = 0; i < profile->nr; i++)
		if (profile->all[i].event == event)
			return &profile->all[i];
	all = realloc(profile->all, (profile->nr + 1) * sizeof(*all));
	if (!all)
		return NULL;
	profile->all = all;
	return &all[profile->nr++];
}

int histograms_set(struct eventset *set, int index, const struct histogram *wanted)
{
	struct overflow *overflow = set->overflow;
	struct histogram *histogram;

	if (!overflow->profile)
		overflow->profile = calloc(1, sizeof(*overflow->profile));
	histogram = overflow->profile ? find(overflow->profile, set->events[index]) : NULL;
	if (!histogram)
		return PAPI_ENOMEM;
	*histogram = *wanted;
	histogram->event = set->events[index];
	return PAPI_OK;
}
