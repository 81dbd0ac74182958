// SPDX-License-Identifier: LGPL-2.1-or-later
/* PAPI_profil() and PAPI_sprofil(): histograms that the program asks for */
#include "errors.h"
#include "eventset.h"
#include "histograms.h"
#include "overflow_events.h"

#define ALL_FLAGS	(PAPI_PROFIL_RANDOM | PAPI_PROFIL_WEIGHTED | PAPI_PROFIL_COMPRESS | \
			 PAPI_PROFIL_BUCKETS | PAPI_PROFIL_FORCE_SW | PAPI_PROFIL_DATA_EAR | \
			 PAPI_PROFIL_INST_EAR)

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
	eventset_close(set);
	rc = overflow_set(set, index, threshold, histograms_count);
	if (rc == PAPI_OK && threshold) {
		set->state |= PAPI_PROFILING;
		rc = histograms_set(set, index, wanted);
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
