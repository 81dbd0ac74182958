// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Histograms of the addresses at which an event overflows, as profil(3) of SVR4 makes them of
 * clock ticks: an address is counted in the bucket (address - offset) * scale / 65536 / 2.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "eventset.h"
#include "overflow.h"
#include "profil.h"

#define ALL_FLAGS	(PAPI_PROFIL_RANDOM | PAPI_PROFIL_WEIGHTED | PAPI_PROFIL_COMPRESS | \
			 PAPI_PROFIL_BUCKETS | PAPI_PROFIL_FORCE_SW | PAPI_PROFIL_DATA_EAR | \
			 PAPI_PROFIL_INST_EAR)

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

struct profile {
	int nr;
	struct histogram *all;
};

void profile_free(struct profile *profile)
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
 * The ranges may be in any order. One with the scale 2 is for all addresses that are in no
 * other: it has a single bucket.
 */
static void count(const struct histogram *histogram, uintptr_t address)
{
	const PAPI_sprofil_t *range, *rest = NULL, *best = NULL;
	uint64_t bucket, found = 0;
	int i;

	for (i = 0; i < histogram->nr; i++) {
		range = histogram->ranges ? &histogram->ranges[i] : &histogram->own;
		if (range->pr_scale == 2) {
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

static void count_overflow(struct eventset *set, int index, void *address, long long excess,
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

static int set_histogram(struct eventset *set, int index, const struct histogram *wanted)
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

static int check_flags(int flags)
{
	if (flags & ~ALL_FLAGS)
		return PAPI_EINVAL;
	/* Addresses of data, and of the exact instruction, are not known. */
	if (__builtin_popcount(flags & PAPI_PROFIL_BUCKETS) > 1)
		return PAPI_EINVAL;
	if (flags & (PAPI_PROFIL_DATA_EAR | PAPI_PROFIL_INST_EAR))
		return PAPI_ENOSUPP;
	return PAPI_OK;
}

/* A scale is a fraction of 65536, or 131072: a bucket for each byte. */
static int check_ranges(const struct histogram *wanted)
{
	const PAPI_sprofil_t *range;
	int i;

	for (i = 0; i < wanted->nr; i++) {
		range = wanted->ranges ? &wanted->ranges[i] : &wanted->own;
		if (range->pr_scale != 131072 && (range->pr_scale < 2 || range->pr_scale > 65536))
			return PAPI_EINVAL;
	}
	return PAPI_OK;
}

static int profile(int id, int code, int threshold, const struct histogram *wanted)
{
	struct eventset *set = eventset_get(id);
	int index, rc;

	if (!set)
		return PAPI_ENOEVST;
	index = overflow_check(set, code, threshold);
	rc = index < 0 ? index : check_flags(wanted->flags);
	if (rc == PAPI_OK && threshold)
		rc = check_ranges(wanted);
	if (rc != PAPI_OK)
		return rc;
	if (set->overflow && !(set->state & PAPI_PROFILING))
		return PAPI_ECNFLCT;
	rc = overflow_set(set, index, threshold, count_overflow);
	if (rc == PAPI_OK && threshold) {
		set->state |= PAPI_PROFILING;
		rc = set_histogram(set, index, wanted);
		if (rc != PAPI_OK)
			overflow_set(set, index, 0, NULL);
	}
	return rc;
}

int PAPI_sprofil(PAPI_sprofil_t *ranges, int nr, int id, int code, int threshold, int flags)
{
	const struct histogram wanted = { .ranges = ranges, .nr = nr, .flags = flags };

	if (threshold && (!ranges || nr <= 0))
		return papi_fail(PAPI_EINVAL);
	return papi_fail(profile(id, code, threshold, &wanted));
}

int PAPI_profil(void *buf, unsigned int size, vptr_t offset, unsigned int scale, int id, int code,
		int threshold, int flags)
{
	const struct histogram wanted = {
		.own = { .pr_base = buf, .pr_size = size, .pr_off = offset, .pr_scale = scale },
		.nr = 1, .flags = flags,
	};

	if (threshold && (!buf || !size))
		return papi_fail(PAPI_EINVAL);
	return papi_fail(profile(id, code, threshold, &wanted));
}
