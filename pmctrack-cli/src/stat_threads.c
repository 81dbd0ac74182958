// SPDX-License-Identifier: GPL-2.0
/* The threads of pmctrack stat --per-thread, each with its counts. */
#include <dirent.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "stat_threads.h"

/* The newest thread of a number: a later one may get the same. */
struct newest {
	pid_t tid;
	int index;
};

static int compare(const void *a, const void *b)
{
	const struct newest *one = a, *other = b;

	return (one->tid > other->tid) - (one->tid < other->tid);
}

static int has_set(const struct stat_thread *t, const struct pmc_reading *sum)
{
	int i;

	for (i = 0; i < t->nr_sets; i++)
		if (t->sets[i].core_type == sum->core_type && t->sets[i].set == sum->set)
			return 1;
	return 0;
}

static int new_thread(struct stat_threads *threads, pid_t tid)
{
	/* Room doubles at each power of two. */
	if (!(threads->nr & (threads->nr - 1)))
		threads->all = must_have(realloc(threads->all, (threads->nr ? 2 * threads->nr : 1) *
						 sizeof(*threads->all)));
	threads->all[threads->nr] = (struct stat_thread){ .tid = tid };
	return threads->nr++;
}

static struct newest **newest_of(struct stat_threads *threads, pid_t tid)
{
	struct newest wanted = { tid, 0 }, *newest, **found;

	found = tfind(&wanted, &threads->newest, compare);
	if (found)
		return found;
	newest = new_array(1, sizeof(*newest));
	*newest = (struct newest){ tid, new_thread(threads, tid) };
	return must_have(tsearch(newest, &threads->newest, compare));
}

/* A thread has one sum for each of its sets. */
static struct stat_thread *thread_of(struct stat_threads *threads, const struct pmc_reading *sum)
{
	struct newest **found = newest_of(threads, sum->tid);

	if (has_set(&threads->all[(*found)->index], sum))
		(*found)->index = new_thread(threads, sum->tid);
	return &threads->all[(*found)->index];
}

void stat_threads_add(struct stat_threads *threads, const struct pmc_reading *sum)
{
	struct stat_thread *t = thread_of(threads, sum);
	struct pmc_set_counts *s;

	t->sets = must_have(realloc(t->sets, (t->nr_sets + 1) * sizeof(*t->sets)));
	s = &t->sets[t->nr_sets++];
	*s = (struct pmc_set_counts){
		.core_type = sum->core_type, .set = sum->set, .running = sum->running,
		.nr_counts = sum->nr_counts,
	};
	memcpy(s->counts, sum->counts, sum->nr_counts * sizeof(*s->counts));
	t->flags |= sum->flags;
	if (*sum->name)
		memcpy(t->name, sum->name, sizeof(t->name));
}

static void read_name(char *name, size_t size, pid_t pid, const char *tid)
{
	char path[64];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%.16s/comm", pid, tid);
	f = fopen(path, "re");
	if (!f)
		return;
	/* A newline follows the name, which may have others. */
	n = fread(name, 1, size, f);
	fclose(f);
	if (n)
		name[n - 1] = '\0';
}

void stat_threads_of_process(struct stat_threads *threads, pid_t pid)
{
	struct newest **newest;
	struct stat_thread *t;
	struct dirent *entry;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		newest = newest_of(threads, atoi(entry->d_name));
		t = &threads->all[(*newest)->index];
		read_name(t->name, sizeof(t->name), pid, entry->d_name);
	}
	if (dir)
		closedir(dir);
}

/*
 * Without the module, samples are not scaled: they are by the factor by which the total of
 * the set was.
 */
static void scale(struct pmc_set_counts *s, pmc_session_t *session)
{
	struct pmc_set_counts total;
	double factor;
	int i;

	if (pmc_session_set_counts(session, s->core_type, s->set, &total) < 0 || !total.running)
		return;
	factor = total.available > total.running ? (double)total.available / total.running : 1;
	s->available = s->running * factor;
	for (i = 0; i < s->nr_counts; i++)
		s->counts[i] *= factor;
}

/* As totals_ask() has it for all threads: by turns, or at the same time */
static void add_set(struct totals *totals, const struct layout *layout, const struct pmc_set_counts *s)
{
	const struct layout_set *set = layout_set(layout, s->core_type, s->set);
	uint64_t *running = &totals->running[s->core_type];
	int i, at, at_once = layout->without_module;

	if (!at_once)
		*running += s->running;
	else if (s->available > *running)
		*running = s->available;
	for (i = 0; set && i < set->nr && i < s->nr_counts; i++) {
		at = s->core_type * layout->nr_names + set->columns[i];
		if (at_once && totals->covered[at] > s->running)
			continue;
		totals->counts[at] = s->counts[i] + (at_once ? 0 : totals->counts[at]);
		totals->covered[at] = s->running + (at_once ? 0 : totals->covered[at]);
	}
}

static void end_thread(struct stat_thread *t, const struct layout *layout, pmc_session_t *session,
		       const pmc_plan_t *plan, const struct summary *run,
		       const struct stat_counts *counts)
{
	struct summary own = {
		.real_ns = run->real_ns,
		/* A thread without a sum has not run, unless some threads could not be counted. */
		.missed_threads = run->lost > 0 || (!t->nr_sets && run->missed_threads),
	};
	int i;

	losses_note(own.losses, t->flags);
	must_have(totals_init(&own.totals, layout) ? NULL : &own);
	for (i = 0; i < t->nr_sets; i++) {
		if (layout->without_module)
			scale(&t->sets[i], session);
		add_set(&own.totals, layout, &t->sets[i]);
	}
	stat_counts_like(&t->counts, counts);
	stat_counts_add(&t->counts, layout, &own);
	/* The library grades totals only. */
	if (layout->without_module)
		stat_counts_mark_part(&t->counts, counts);
	totals_free(&own.totals);
	if (!plan)
		return;
	stat_metrics_init(&t->metrics, plan, layout->nr_core_types);
	stat_metrics_add(&t->metrics, t->sets, t->nr_sets, run->real_ns, t->counts.is_partial);
}

static int first_row;

static int by_count(const void *a, const void *b)
{
	const struct stat_thread *one = a, *other = b;
	double x = stat_count(&one->counts, first_row, PMC_EVERY_CORE_TYPE)->value.mean;
	double y = stat_count(&other->counts, first_row, PMC_EVERY_CORE_TYPE)->value.mean;

	return x != y ? (x < y) - (x > y) : one->tid - other->tid;
}

void stat_threads_end(struct stat_threads *threads, const struct layout *layout,
		      pmc_session_t *session, const pmc_plan_t *plan,
		      const struct summary *summary, const struct stat_counts *counts)
{
	int i;

	for (i = 0; i < threads->nr; i++)
		end_thread(&threads->all[i], layout, session, plan, summary, counts);
	first_row = counts->order[0];
	if (threads->nr)
		qsort(threads->all, threads->nr, sizeof(*threads->all), by_count);
}

void stat_threads_free(struct stat_threads *threads)
{
	int i;

	for (i = 0; i < threads->nr; i++) {
		free(threads->all[i].sets);
		stat_counts_free(&threads->all[i].counts);
		stat_metrics_free(&threads->all[i].metrics);
	}
	free(threads->all);
	tdestroy(threads->newest, free);
}
