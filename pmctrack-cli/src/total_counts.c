// SPDX-License-Identifier: GPL-2.0
/* Sums: by thread for -A, and by core type for the end of every report. */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define NONE (-1)

/* A sum; levels and ratios in @r are the means so far. */
struct sum {
	struct pmc_reading r;
	struct mean means[PMC_MAX_VIRTUALS];
	uint64_t left_out;	/* samples by event count that are missing */
	int thread;		/* number of the thread, in the order of appearance */
	int next;		/* next sum of the same thread, or NONE */
};

/* A thread, or a CPU, that has not ended. There may be very many. */
struct thread {
	int syswide;
	int id;
	pid_t pid;		/* of a thread: after a lost last sample, another process has its number */
	int nr;			/* its number, in the order of appearance */
	int newest;		/* its newest sum, or NONE */
};

struct sums {
	const struct layout *layout;
	int nr;
	int room;
	int nr_threads;		/* that appeared so far */
	struct sum *all;
	void *threads;		/* a tree, see tsearch(3) */
};

void mean_add(struct mean *mean, uint64_t value, uint64_t weight)
{
	mean->sum += (double)value * weight;
	mean->weight += weight;
}

uint64_t mean_get(const struct mean *mean)
{
	return mean->weight ? (uint64_t)(mean->sum / mean->weight + 0.5) : PMC_NO_VALUE;
}

struct sums *sums_new(const struct layout *layout)
{
	struct sums *sums = calloc(1, sizeof(*sums));

	if (sums)
		sums->layout = layout;
	return sums;
}

void sums_free(struct sums *sums)
{
	if (!sums)
		return;
	tdestroy(sums->threads, free);
	free(sums->all);
	free(sums);
}

static int compare(const void *one, const void *other)
{
	const struct thread *a = one, *b = other;

	if (a->syswide != b->syswide)
		return a->syswide - b->syswide;
	return a->id != b->id ? (a->id > b->id) - (a->id < b->id) : (a->pid > b->pid) - (a->pid < b->pid);
}

/* Find or add the thread of @r; NULL: no memory. */
static struct thread *thread_of(struct sums *sums, const struct pmc_reading *r)
{
	int syswide = !!(r->flags & PMC_READING_SYSWIDE);
	struct thread wanted = {
		syswide, syswide ? (int)r->cpu : (int)r->tid, syswide ? 0 : r->pid, sums->nr_threads, NONE
	};
	struct thread **found = tfind(&wanted, &sums->threads, compare), *new;

	if (found)
		return *found;
	new = malloc(sizeof(*new));
	if (!new)
		return NULL;
	*new = wanted;
	if (tsearch(new, &sums->threads, compare)) {
		sums->nr_threads++;
		return new;
	}
	free(new);
	return NULL;
}

/* A thread has ended: a later thread may get the same number. */
static void end_thread(struct sums *sums, struct thread *thread)
{
	tdelete(thread, &sums->threads, compare);
	free(thread);
}

static int is_count(const struct layout *layout, int i)
{
	return layout->virtuals[i]->kind == PMC_VIRTUAL_COUNT;
}

/* Has @r no counts: is its only message that the thread ended? */
static int is_empty(const struct sums *sums, const struct pmc_reading *r)
{
	int i;

	for (i = 0; i < r->nr_counts; i++)
		if (r->counts[i])
			return 0;
	for (i = 0; i < r->nr_virtual; i++)
		if (is_count(sums->layout, i) && r->virtual_counts[i] &&
		    r->virtual_counts[i] != PMC_NO_VALUE)
			return 0;
	return !r->running;
}

static void add_virtual(const struct layout *layout, struct sum *sum,
			const struct pmc_reading *r)
{
	uint64_t value, *all;
	int i;

	for (i = 0; i < r->nr_virtual && i < layout->nr_virtual; i++) {
		value = r->virtual_counts[i];
		all = &sum->r.virtual_counts[i];
		if (value == PMC_NO_VALUE)
			continue;
		mean_add(&sum->means[i], value, r->running);
		if (!is_count(layout, i))
			*all = mean_get(&sum->means[i]);
		else
			*all = value + (*all == PMC_NO_VALUE ? 0 : *all);
	}
}

static void add_to(const struct sums *sums, struct sum *sum, const struct pmc_reading *r)
{
	int i;

	sum->r.time = r->time;
	sum->r.elapsed += r->elapsed;
	sum->r.running += r->running;
	sum->r.flags |= r->flags;
	sum->r.lost += r->lost;
	sum->left_out += layout_left_out(sums->layout, r);
	for (i = 0; i < r->nr_counts; i++)
		sum->r.counts[i] += r->counts[i];
	add_virtual(sums->layout, sum, r);
}

/* Return: the index of the new sum, or NONE: no memory. */
static int new_sum(struct sums *sums, const struct pmc_reading *r)
{
	int room = sums->room ? 2 * sums->room : 16;
	struct sum *sum, *all;

	if (sums->nr == sums->room) {
		all = realloc(sums->all, room * sizeof(*all));
		if (!all)
			return NONE;
		sums->all = all;
		sums->room = room;
	}
	sum = &sums->all[sums->nr];
	memset(sum, 0, sizeof(*sum));
	sum->r = *r;
	sum->left_out = layout_left_out(sums->layout, r);
	memset(sum->r.virtual_counts, 0xff, sizeof(sum->r.virtual_counts));
	add_virtual(sums->layout, sum, r);
	return sums->nr++;
}

static int add_to_thread(struct sums *sums, struct thread *thread, const struct pmc_reading *r)
{
	int i = thread->newest;

	while (i != NONE && (sums->all[i].r.core_type != r->core_type || sums->all[i].r.set != r->set))
		i = sums->all[i].next;
	if (i != NONE) {
		add_to(sums, &sums->all[i], r);
		return 0;
	}
	if (thread->newest != NONE && is_empty(sums, r)) {
		sums->all[thread->newest].r.lost += r->lost;
		sums->all[thread->newest].r.flags |= r->flags;
		return 0;
	}
	/* It ended where it has no events, and has never been anywhere else. */
	if (!r->nr_counts && !r->nr_virtual)
		return 0;
	i = new_sum(sums, r);
	if (i == NONE)
		return -1;
	sums->all[i].thread = thread->nr;
	sums->all[i].next = thread->newest;
	thread->newest = i;
	return 0;
}

/* The name of a thread is that of its last sample. */
static void set_name(struct sums *sums, const struct thread *thread, const struct pmc_reading *r)
{
	int i;

	for (i = thread->newest; i != NONE && *r->name; i = sums->all[i].next)
		memcpy(sums->all[i].r.name, r->name, sizeof(r->name));
}

int sums_add(struct sums *sums, const struct pmc_reading *r)
{
	struct thread *thread = thread_of(sums, r);
	int rc = thread ? add_to_thread(sums, thread, r) : -1;

	if (!rc)
		set_name(sums, thread, r);
	if (!rc && r->flags & PMC_READING_LAST)
		end_thread(sums, thread);
	return rc;
}

static int order(long long a, long long b)
{
	return (a > b) - (a < b);
}

static int compare_sums(const void *one, const void *other)
{
	const struct sum *a = one, *b = other;
	int rc = order(a->r.pid, b->r.pid);

	if (!rc && a->r.flags & b->r.flags & PMC_READING_SYSWIDE)
		rc = order(a->r.cpu, b->r.cpu);
	if (!rc)
		rc = order(a->r.tid, b->r.tid);
	if (!rc)
		rc = order(a->thread, b->thread);
	if (!rc)
		rc = order(a->r.core_type, b->r.core_type);
	return rc ? rc : order(a->r.set, b->r.set);
}

void sums_sort(struct sums *sums)
{
	if (sums->nr)
		qsort(sums->all, sums->nr, sizeof(*sums->all), compare_sums);
}

static int same_row(const struct sums *sums, int n, int other)
{
	return other >= 0 && other < sums->nr && sums->all[other].thread == sums->all[n].thread &&
	       sums->all[other].r.core_type == sums->all[n].r.core_type;
}

int sums_sets(const struct sums *sums, int n, struct pmc_set_counts *sets, int max,
	      uint64_t *elapsed)
{
	const struct pmc_reading *r;
	int nr = 0;

	*elapsed = 0;
	if (same_row(sums, n, n + 1))
		return 0;
	for (; nr < max && same_row(sums, n, n - nr); nr++) {
		r = &sums->all[n - nr].r;
		sets[nr] = (struct pmc_set_counts){
			.core_type = r->core_type, .set = r->set, .running = r->running,
			.nr_counts = r->nr_counts,
		};
		memcpy(sets[nr].counts, r->counts, sizeof(sets[nr].counts));
		*elapsed += r->elapsed;
	}
	return nr;
}

const struct pmc_reading *sums_get(const struct sums *sums, int n)
{
	return n >= 0 && n < sums->nr ? &sums->all[n].r : NULL;
}

uint64_t sums_left_out(const struct sums *sums, int n)
{
	return sums->all[n].left_out;
}

int totals_init(struct totals *totals, const struct layout *layout)
{
	size_t n = (size_t)layout->nr_core_types * layout->nr_names + 1;

	memset(totals, 0, sizeof(*totals));
	totals->counts = calloc(n, sizeof(*totals->counts));
	totals->valid = calloc(n, 1);
	totals->covered = calloc(n, sizeof(*totals->covered));
	totals->running = calloc(layout->nr_core_types, sizeof(*totals->running));
	totals->virtuals = calloc((size_t)layout->nr_core_types * layout->nr_virtual + 1,
				  sizeof(*totals->virtuals));
	totals->sets = calloc((size_t)layout->nr_core_types * (layout_most_sets(layout) + 1),
			      sizeof(*totals->sets));
	return totals->counts && totals->valid && totals->covered && totals->running &&
	       totals->virtuals && totals->sets ? 0 : -1;
}

void totals_free(struct totals *totals)
{
	free(totals->counts);
	free(totals->valid);
	free(totals->covered);
	free(totals->running);
	free(totals->virtuals);
	free(totals->sets);
}

void totals_sample(struct totals *totals, const struct layout *layout,
		   const struct pmc_reading *r)
{
	struct virtual_total *v;
	int i;

	if (r->core_type >= layout->nr_core_types)
		return;
	for (i = 0; i < r->nr_virtual && i < layout->nr_virtual; i++) {
		if (r->virtual_counts[i] == PMC_NO_VALUE)
			continue;
		v = &totals->virtuals[r->core_type * layout->nr_virtual + i];
		v->seen = 1;
		mean_add(&v->mean, r->virtual_counts[i], r->running);
	}
}

uint64_t totals_virtual(const struct totals *totals, const struct layout *layout,
			int core_type, int i)
{
	struct virtual_total all = { 0 };
	int id;

	for (id = 0; id < layout->nr_core_types; id++) {
		const struct virtual_total *v = &totals->virtuals[id * layout->nr_virtual + i];

		if (core_type != PMC_EVERY_CORE_TYPE && core_type != id)
			continue;
		all.sum += v->sum;
		all.seen |= v->seen;
		all.mean.sum += v->mean.sum;
		all.mean.weight += v->mean.weight;
	}
	if (!is_count(layout, i))
		return mean_get(&all.mean);
	return all.seen ? all.sum : PMC_NO_VALUE;
}

static int ask_virtual(struct totals *totals, const struct layout *layout,
		       pmc_session_t *session, int id, int set)
{
	struct virtual_total *v = &totals->virtuals[id * layout->nr_virtual];
	uint64_t values[PMC_MAX_VIRTUALS];
	int i, n;

	n = pmc_session_totals_virtual(session, id, set, values);
	for (i = 0; i < n && i < layout->nr_virtual; i++) {
		if (values[i] == PMC_NO_VALUE)
			continue;
		v[i].sum += values[i];
		v[i].seen |= values[i] != 0;
	}
	return n < 0 ? -1 : 0;
}

/*
 * Without the kernel module, sets are counted at the same time, and their counts are scaled to
 * it. Of sets with the same event the one counts that was loaded for longest.
 */
static int ask_set_at_once(struct totals *totals, const struct layout *layout,
			   pmc_session_t *session, int id, int set)
{
	const struct layout_set *s = layout_set(layout, id, set);
	struct pmc_set_counts *c = &totals->sets[totals->nr_sets - 1];
	int i, n, at;

	n = pmc_session_set_counts(session, id, set, c);
	if (n < 0)
		return -1;
	if (c->available > totals->running[id])
		totals->running[id] = c->available;
	for (i = 0; s && i < n && i < s->nr; i++) {
		at = id * layout->nr_names + s->columns[i];
		if (totals->valid[at] && totals->covered[at] >= c->running)
			continue;
		totals->counts[at] = c->counts[i];
		totals->covered[at] = c->running;
		totals->valid[at] |= c->running || layout->core_types[id].nr_sets == 1;
	}
	return 0;
}

static int ask_set(struct totals *totals, const struct layout *layout, pmc_session_t *session,
		   int id, int set)
{
	const struct layout_set *s = layout_set(layout, id, set);
	struct pmc_set_counts *c = &totals->sets[totals->nr_sets++];
	int i, at;

	c->core_type = id;
	c->set = set;
	c->nr_counts = pmc_session_totals(session, id, set, c->counts, &c->running,
					  &totals->nr_threads);
	if (c->nr_counts < 0)
		return -1;
	if (layout->without_module)
		return ask_set_at_once(totals, layout, session, id, set);
	totals->running[id] += c->running;
	for (i = 0; s && i < c->nr_counts && i < s->nr; i++) {
		at = id * layout->nr_names + s->columns[i];
		totals->counts[at] += c->counts[i];
		totals->covered[at] += c->running;
		/* If a set was never loaded, its counts are unknown, not zero. */
		totals->valid[at] |= c->running || layout->core_types[id].nr_sets == 1;
	}
	return layout->nr_virtual ? ask_virtual(totals, layout, session, id, set) : 0;
}

int totals_ask(struct totals *totals, const struct layout *layout, pmc_session_t *session)
{
	int id, set, nr_sets;

	totals->nr_sets = 0;
	for (id = 0; id < layout->nr_core_types; id++) {
		nr_sets = layout->core_types[id].nr_sets;
		/* With the module, running time and virtual counters exist without a set, too. */
		if (!nr_sets)
			nr_sets = !layout->without_module;
		for (set = 0; set < nr_sets; set++)
			if (ask_set(totals, layout, session, id, set))
				return -1;
	}
	totals->exact = 1;
	return 0;
}

uint64_t totals_estimate(const struct totals *totals, const struct layout *layout, int core_type,
			 int name)
{
	int at = core_type * layout->nr_names + name;

	/* Without the module, the library has scaled the count. */
	if (layout->without_module || !totals->covered[at] ||
	    totals->covered[at] >= totals->running[core_type])
		return totals->counts[at];
	return (double)totals->counts[at] * totals->running[core_type] / totals->covered[at] + 0.5;
}
