// SPDX-License-Identifier: GPL-2.0
/*
 * Regions of the program as slices of a trace for Perfetto. Slices of a track have to be in each
 * other, or one after the other. Regions of one caliper are, but not those of several calipers of
 * a thread, nor regions and the time on a core type. So a thread has a track for its regions, and
 * a region that only overlaps with one there goes to the next track.
 */
#include <stdlib.h>
#include <string.h>

#include "perfetto_regions.h"
#include "quote.h"

#define MOST_TRACKS	16
#define MOST_OPEN	256

/**
 * struct lane - a track of regions
 * @ends: when the regions end that have begun, the outermost first
 */
struct lane {
	int is_described;
	int nr;
	uint64_t ends[MOST_OPEN];
};

/**
 * struct writer - regions that are being written, thread by thread
 * @threads: those that have a track
 * @thread: the one whose regions are written
 * @is_new: it has a track because of its regions only
 */
struct writer {
	struct perfetto *t;
	const struct region_thread *threads;
	size_t nr_threads;
	size_t at;
	struct region_thread thread;
	int is_new;
	unsigned int next_id;
	struct lane lanes[MOST_TRACKS];
};

static int compare_threads(const void *one, const void *other)
{
	const struct region_thread *a = one, *b = other;

	if (a->tid != b->tid)
		return (a->tid > b->tid) - (a->tid < b->tid);
	return (a->start > b->start) - (a->start < b->start);
}

/* By thread, the outer before the inner. Of two at the same time, the outer was recorded later. */
static int compare_regions(const void *one, const void *other)
{
	const struct region *a = one, *b = other;

	if (a->tid != b->tid)
		return (a->tid > b->tid) - (a->tid < b->tid);
	if (a->begin != b->begin)
		return (a->begin > b->begin) - (a->begin < b->begin);
	if (a->end != b->end)
		return (a->end < b->end) - (a->end > b->end);
	return (a->name < b->name) - (a->name > b->name);
}

static uint64_t track_of(const struct writer *w, int lane)
{
	return perfetto_track(PERFETTO_REGIONS, w->thread.id, lane, 0);
}

/* ---- threads ---- */

/* The thread of a region; NULL: it has no track. Regions come in the order of the threads. */
static const struct region_thread *find_thread(struct writer *w, const struct region *region)
{
	while (w->at < w->nr_threads && w->threads[w->at].tid < region->tid)
		w->at++;
	while (w->at + 1 < w->nr_threads && w->threads[w->at + 1].tid == region->tid &&
	       w->threads[w->at + 1].start <= region->begin)
		w->at++;
	if (w->at == w->nr_threads || w->threads[w->at].tid != region->tid)
		return NULL;
	return &w->threads[w->at];
}

static void end_until(struct writer *w, int nr, uint64_t time)
{
	struct lane *lane = &w->lanes[nr];

	while (lane->nr && lane->ends[lane->nr - 1] <= time)
		perfetto_end(w->t, lane->ends[--lane->nr], track_of(w, nr));
}

static void end_thread(struct writer *w)
{
	int i;

	for (i = 0; i < MOST_TRACKS; i++) {
		end_until(w, i, UINT64_MAX);
		w->lanes[i].is_described = 0;
	}
}

static void new_thread(struct writer *w, const struct region *region)
{
	end_thread(w);
	w->is_new = 1;
	w->thread = (struct region_thread){ .tid = region->tid, .id = w->next_id++ };
	perfetto_add_thread(w->t, perfetto_track(PERFETTO_THREAD, w->thread.id, 0, 0),
			    region->pid, region->tid, "");
}

static void choose_thread(struct writer *w, const struct region *region)
{
	const struct region_thread *thread = find_thread(w, region);

	if (!thread) {
		if (!w->is_new || w->thread.tid != region->tid)
			new_thread(w, region);
	} else if (w->is_new || thread->id != w->thread.id) {
		end_thread(w);
		w->is_new = 0;
		w->thread = *thread;
	}
}

/* ---- regions ---- */

static void describe_lane(struct writer *w, int nr)
{
	char name[32] = "regions";

	if (w->lanes[nr].is_described++)
		return;
	if (nr)
		snprintf(name, sizeof(name), "regions %d", nr + 1);
	perfetto_add_track(w->t, track_of(w, nr),
			   perfetto_track(PERFETTO_THREAD, w->thread.id, 0, 0), name);
}

static void begin(struct writer *w, int nr, const struct region *region)
{
	char name[128] = "", quoted[4 * sizeof(name)];
	struct lane *lane = &w->lanes[nr];

	describe_lane(w, nr);
	memcpy(name, region->name, region->len);
	lane->ends[lane->nr++] = region->end;
	perfetto_begin(w->t, region->begin, track_of(w, nr),
		       quote_name(quoted, sizeof(quoted), name, ""));
}

static int write_region(struct writer *w, const struct region *region)
{
	struct lane *lane;
	int i;

	choose_thread(w, region);
	for (i = 0; i < MOST_TRACKS; i++) {
		lane = &w->lanes[i];
		end_until(w, i, region->begin);
		if (lane->nr == MOST_OPEN || (lane->nr && lane->ends[lane->nr - 1] < region->end))
			continue;
		begin(w, i, region);
		return 0;
	}
	return 1;
}

int64_t perfetto_write_regions(struct perfetto *t, struct regions *regions,
			       struct region_thread *threads, size_t nr_threads,
			       unsigned int next_id)
{
	struct writer *w = calloc(1, sizeof(*w));
	int64_t left_out = 0;
	size_t i;

	if (!w)
		return -1;
	w->t = t;
	w->threads = threads;
	w->nr_threads = nr_threads;
	w->next_id = next_id;
	w->thread.id = next_id;
	if (nr_threads)
		qsort(threads, nr_threads, sizeof(*threads), compare_threads);
	if (regions->nr)
		qsort(regions->all, regions->nr, sizeof(*regions->all), compare_regions);
	for (i = 0; i < regions->nr; i++)
		left_out += write_region(w, &regions->all[i]);
	end_thread(w);
	free(w);
	return left_out;
}
