// SPDX-License-Identifier: GPL-2.0-only
/* Sums: by thread for -A, and by core type for the end of every report. */
#include <stdlib.h>
#include <string.h>

#include "report.h"

struct sums {
	int nr;
	int room;
	struct pmc_reading *all;
};

struct sums *sums_new(void)
{
	return calloc(1, sizeof(struct sums));
}

void sums_free(struct sums *sums)
{
	if (!sums)
		return;
	free(sums->all);
	free(sums);
}

static int same_thread(const struct pmc_reading *a, const struct pmc_reading *b)
{
	return a->flags & PMC_READING_SYSWIDE ? a->cpu == b->cpu : a->tid == b->tid;
}

static int same(const struct pmc_reading *a, const struct pmc_reading *b)
{
	return a->core_type == b->core_type && a->set == b->set && same_thread(a, b);
}

/* Says no more than that a known thread has ended. */
static int says_nothing(const struct sums *sums, const struct pmc_reading *r)
{
	int i;

	for (i = 0; i < r->nr_counts; i++)
		if (r->counts[i])
			return 0;
	for (i = 0; i < sums->nr && !same_thread(&sums->all[i], r); i++)
		;
	return !r->running && i < sums->nr;
}

int sums_add(struct sums *sums, const struct pmc_reading *r)
{
	struct pmc_reading *sum, *all;
	int i, room;

	/* The last ones are the likeliest. */
	for (i = sums->nr - 1; i >= 0 && !same(&sums->all[i], r); i--)
		;
	if (i >= 0) {
		sum = &sums->all[i];
		sum->elapsed += r->elapsed;
		sum->running += r->running;
		sum->flags |= r->flags;
		for (i = 0; i < r->nr_counts; i++)
			sum->counts[i] += r->counts[i];
		return 0;
	}
	if (says_nothing(sums, r))
		return 0;
	if (sums->nr == sums->room) {
		room = sums->room ? 2 * sums->room : 16;
		all = realloc(sums->all, room * sizeof(*all));
		if (!all)
			return -1;
		sums->all = all;
		sums->room = room;
	}
	sums->all[sums->nr++] = *r;
	return 0;
}

const struct pmc_reading *sums_get(const struct sums *sums, int n)
{
	return n >= 0 && n < sums->nr ? &sums->all[n] : NULL;
}

int totals_init(struct totals *totals, const struct layout *layout)
{
	size_t n = (size_t)layout->nr_core_types * layout->nr_names + 1;

	memset(totals, 0, sizeof(*totals));
	totals->counts = calloc(n, sizeof(*totals->counts));
	totals->valid = calloc(n, 1);
	totals->running = calloc(layout->nr_core_types, sizeof(*totals->running));
	return totals->counts && totals->valid && totals->running ? 0 : -1;
}

void totals_free(struct totals *totals)
{
	free(totals->counts);
	free(totals->valid);
	free(totals->running);
}

int totals_ask(struct totals *totals, const struct layout *layout, pmc_session_t *session)
{
	uint64_t counts[PMC_MAX_COUNTS], running;
	const struct layout_set *s;
	int id, set, i, n, at;

	for (id = 0; id < layout->nr_core_types; id++) {
		for (set = 0; (s = layout_set(layout, id, set)); set++) {
			n = pmc_session_totals(session, id, set, counts, &running,
					       &totals->nr_threads);
			if (n < 0)
				return -1;
			totals->running[id] += running;
			for (i = 0; i < n && i < s->nr; i++) {
				at = id * layout->nr_names + s->columns[i];
				totals->counts[at] += counts[i];
				/* A set that had no turn counted nothing, not zero. */
				totals->valid[at] |= running ||
						     layout->core_types[id].nr_sets == 1;
			}
		}
	}
	totals->exact = 1;
	return 0;
}
