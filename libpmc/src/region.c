// SPDX-License-Identifier: LGPL-2.1-or-later
/* Named regions: differences of caliper readings, summed up by name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "caliper.h"
#include "error.h"
#include "region_recorder.h"
#include "struct_size.h"

/* Counts and time: at the moment a region was entered, or a region's sums */
struct amount {
	uint64_t time;
	uint64_t counts[PMC_MAX_COUNTS];
	uint64_t values[PMC_MAX_VIRTUALS];
};

struct region {
	char *name;
	int entered;		/* how often it is entered and not left yet */
	int nr_counts;
	uint64_t calls;		/* inner ones, too, if it is nested in itself */
	struct amount sum;	/* of the outermost ones */
};

struct frame {
	int region;
	struct amount start;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static int read_amount(pmc_caliper_t *caliper, struct amount *amount)
{
	if (caliper->nr_virtual)
		return caliper_read_all(caliper, amount->counts, amount->values);
	return pmc_caliper_read(caliper, amount->counts);
}

/* Add virtual counter @i of a region that was entered at @start and left at @end. */
static void add_value(const pmc_caliper_t *caliper, int i, uint64_t *sum, uint64_t start,
		      uint64_t end)
{
	if (!caliper->virtual_grows[i])
		*sum = end;
	else if (start != PMC_NO_VALUE && end != PMC_NO_VALUE)
		*sum = (*sum == PMC_NO_VALUE ? 0 : *sum) + end - start;
}

static int find(const pmc_caliper_t *caliper, const char *name)
{
	int i;

	for (i = 0; i < caliper->nr_regions; i++)
		if (!strcmp(caliper->regions[i].name, name))
			return i;
	return -1;
}

static int find_or_add(pmc_caliper_t *caliper, const char *name)
{
	int i = find(caliper, name);
	struct region *regions;

	if (i >= 0)
		return i;
	if (!caliper->frames)
		caliper->frames = calloc(PMC_REGION_DEPTH, sizeof(*caliper->frames));
	regions = realloc(caliper->regions, (caliper->nr_regions + 1) * sizeof(*regions));
	if (regions)
		caliper->regions = regions;
	if (!regions || !caliper->frames)
		return pmc_fail_nomem();
	i = caliper->nr_regions;
	memset(&regions[i], 0, sizeof(regions[i]));
	regions[i].name = strdup(name);
	if (!regions[i].name)
		return pmc_fail_nomem();
	memset(regions[i].sum.values, 0xff, sizeof(regions[i].sum.values));
	if (!caliper->nr_regions++)
		caliper->recorder = region_recorder_new();
	return i;
}

int pmc_region_begin(pmc_caliper_t *caliper, const char *name)
{
	struct frame *frame;
	int i = find_or_add(caliper, name);

	if (i < 0)
		return -1;
	if (caliper->depth == PMC_REGION_DEPTH)
		return pmc_fail(E2BIG, "region '%s' is nested more than %d levels deep",
				name, PMC_REGION_DEPTH);
	frame = &caliper->frames[caliper->depth];
	frame->region = i;
	frame->start.time = now();
	/* Read last, so that the region includes few of the library's own instructions. */
	if (read_amount(caliper, &frame->start) < 0)
		return pmc_fail(errno, "cannot read the counters: %m");
	caliper->depth++;
	caliper->regions[i].entered++;
	return 0;
}

/* A region is left even if the counters cannot be read, so that outer ones can be left, too. */
int pmc_region_end(pmc_caliper_t *caliper, const char *name)
{
	struct amount end;
	struct region *region;
	struct frame *frame;
	int i, n, error;

	/* Read first, so that the region includes few of the library's own instructions. */
	n = read_amount(caliper, &end);
	error = errno;
	end.time = now();
	if (!caliper->depth)
		return pmc_fail(EINVAL, "region '%s' ends but was not entered", name);
	frame = &caliper->frames[caliper->depth - 1];
	region = &caliper->regions[frame->region];
	if (strcmp(region->name, name))
		return pmc_fail(EINVAL, "region '%s' ends inside region '%s'", name, region->name);
	caliper->depth--;
	region->entered--;
	if (n < 0) {
		errno = error;
		return pmc_fail(error, "cannot read the counters: %m");
	}
	if (caliper->recorder)
		region_recorder_add(caliper->recorder, region->name, frame->start.time, end.time);
	region->calls++;
	region->nr_counts = n;
	if (region->entered)
		return 0;
	region->sum.time += end.time - frame->start.time;
	for (i = 0; i < n; i++)
		region->sum.counts[i] += end.counts[i] - frame->start.counts[i];
	for (i = 0; i < caliper->nr_virtual; i++)
		add_value(caliper, i, &region->sum.values[i], frame->start.values[i],
			  end.values[i]);
	return 0;
}

int pmc_region_each_sized(pmc_caliper_t *caliper, int n, struct pmc_region *out, size_t size)
{
	const struct region *region;
	struct pmc_region all = { 0 };

	if (n < 0 || n >= caliper->nr_regions)
		return 0;
	region = &caliper->regions[n];
	all.name = region->name;
	all.calls = region->calls;
	all.time = region->sum.time;
	all.nr_counts = region->nr_counts;
	memcpy(all.counts, region->sum.counts, sizeof(all.counts));
	all.nr_virtual = caliper->nr_virtual;
	memcpy(all.virtual_counts, region->sum.values, sizeof(all.virtual_counts));
	copy_sized(out, size, &all, sizeof(all));
	return 1;
}

int (pmc_region_each)(pmc_caliper_t *caliper, int n, struct pmc_region *out)
{
	return pmc_region_each_sized(caliper, n, out,
				     SIZE_UP_TO(struct pmc_region, virtual_counts));
}

int pmc_region_read_sized(pmc_caliper_t *caliper, const char *name, struct pmc_region *out,
			  size_t size)
{
	int i = find(caliper, name);

	if (i < 0)
		return pmc_fail(ENOENT, "there is no region '%s'", name);
	pmc_region_each_sized(caliper, i, out, size);
	return 0;
}

int (pmc_region_read)(pmc_caliper_t *caliper, const char *name, struct pmc_region *out)
{
	return pmc_region_read_sized(caliper, name, out,
				     SIZE_UP_TO(struct pmc_region, virtual_counts));
}

void regions_free(pmc_caliper_t *caliper)
{
	while (caliper->nr_regions)
		free(caliper->regions[--caliper->nr_regions].name);
	free(caliper->regions);
	free(caliper->frames);
	region_recorder_free(caliper->recorder);
}
