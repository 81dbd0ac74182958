// SPDX-License-Identifier: GPL-2.0
/* Threads that are counted: counts by interval, values, history. */
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "options.h"
#include "threads/thread_counts.h"

static int compare(const void *a, const void *b)
{
	const struct counted_thread *one = a, *other = b;

	return (one->tid > other->tid) - (one->tid < other->tid);
}

static void history_init(struct thread_history *h)
{
	int i;

	for (i = 0; i < THREAD_HISTORY; i++)
		h->values[i] = NAN;
}

static void history_add(struct thread_history *h, double value)
{
	memmove(h->values, h->values + 1, (THREAD_HISTORY - 1) * sizeof(*h->values));
	h->values[THREAD_HISTORY - 1] = value;
}

static int cpus_of(const struct pmc_core_type_info *info)
{
	cpu_set_t cpus;

	return cpus_parse(info->cpus, &cpus) ? 0 : CPU_COUNT(&cpus);
}

void counted_threads_init(struct counted_threads *t, const pmc_machine_t *machine, const pmc_plan_t *plan,
			  const pmc_config_t *config)
{
	int i;

	memset(t, 0, sizeof(*t));
	t->most = COUNTED_THREADS_MAX;
	t->plan = plan;
	t->config = config;
	t->nr_metrics = t->nr_values = pmc_plan_nr_metrics(plan);
	for (i = 0; pmc_config_virtual(config, i); i++)
		t->nr_values++;
	t->nr_core_types = pmc_machine_nr_core_types(machine);
	t->core_types = new_array(t->nr_core_types, sizeof(*t->core_types));
	for (i = 0; i < t->nr_core_types; i++) {
		t->core_types[i].info = pmc_machine_core_type(machine, i);
		t->core_types[i].nr_cpus = cpus_of(t->core_types[i].info);
		history_init(&t->core_types[i].busy);
		history_init(&t->core_types[i].first);
	}
}

static void free_thread(struct counted_thread *thread)
{
	free(thread->interval.sets);
	free(thread->next.sets);
	free(thread->total.sets);
	free(thread);
}

static void no_free(void *thread)
{
	(void)thread;
}

void counted_threads_free(struct counted_threads *t)
{
	int i;

	tdestroy(t->by_tid, no_free);
	for (i = 0; i < t->nr; i++)
		free_thread(t->all[i]);
	for (i = 0; i < t->nr_core_types; i++) {
		free(t->core_types[i].interval.sets);
		free(t->core_types[i].next.sets);
	}
	free(t->core_types);
	free(t->all);
}

struct counted_thread *counted_threads_find(struct counted_threads *t, pid_t tid)
{
	struct counted_thread wanted = { .tid = tid }, **found;

	found = tfind(&wanted, &t->by_tid, compare);
	return found ? *found : NULL;
}

static void clear_virtuals(uint64_t *virtuals)
{
	int n;

	for (n = 0; n < PMC_MAX_VIRTUALS; n++)
		virtuals[n] = PMC_NO_VALUE;
}

static struct counted_thread *new_thread(struct counted_threads *t, pid_t pid, pid_t tid)
{
	struct counted_thread *thread = new_array(1, sizeof(*thread));
	int n;

	if (t->nr == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->all = must_have(realloc(t->all, t->room * sizeof(*t->all)));
	}
	thread->pid = pid;
	thread->tid = tid;
	thread->cpu = thread->core_type = -1;
	for (n = 0; n < THREAD_VALUES_MAX; n++)
		thread->values[n] = NAN;
	clear_virtuals(thread->virtuals);
	clear_virtuals(thread->next_virtuals);
	history_init(&thread->busy);
	history_init(&thread->first);
	must_have(tsearch(thread, &t->by_tid, compare));
	t->all[t->nr++] = thread;
	return thread;
}

static struct pmc_set_counts *set_of(struct thread_sums *sums, int core_type, int set)
{
	int i;

	for (i = 0; i < sums->nr; i++)
		if (sums->sets[i].core_type == core_type && sums->sets[i].set == set)
			return &sums->sets[i];
	if (sums->nr == sums->room) {
		sums->room += 2;
		sums->sets = must_have(realloc(sums->sets, sums->room * sizeof(*sums->sets)));
	}
	memset(&sums->sets[sums->nr], 0, sizeof(*sums->sets));
	sums->sets[sums->nr].core_type = core_type;
	sums->sets[sums->nr].set = set;
	return &sums->sets[sums->nr++];
}

static void sums_add(struct thread_sums *sums, const struct pmc_reading *r)
{
	struct pmc_set_counts *s = set_of(sums, r->core_type, r->set);
	int i;

	s->running += r->running;
	if (s->nr_counts < r->nr_counts)
		s->nr_counts = r->nr_counts;
	for (i = 0; i < r->nr_counts; i++)
		s->counts[i] += r->counts[i];
	sums->running += r->running;
	sums->elapsed += r->elapsed;
}

static void sums_clear(struct thread_sums *sums)
{
	sums->nr = 0;
	sums->running = sums->elapsed = 0;
}

static void add_virtuals(struct counted_thread *thread, const struct pmc_reading *r, const pmc_config_t *config)
{
	const struct pmc_virtual_info *v;
	uint64_t *sum;
	int i;

	for (i = 0; i < r->nr_virtual && (v = pmc_config_virtual(config, i)); i++) {
		sum = &thread->next_virtuals[i];
		if (v->kind != PMC_VIRTUAL_COUNT || *sum == PMC_NO_VALUE)
			*sum = r->virtual_counts[i];
		else if (r->virtual_counts[i] != PMC_NO_VALUE)
			*sum += r->virtual_counts[i];
	}
}

static void thread_add(struct counted_threads *t, struct counted_thread *thread, const struct pmc_reading *r)
{
	/* Another thread has the number of one that has ended, whose last sample may be lost. */
	if (thread->ended || thread->next_ended || thread->pid != r->pid) {
		thread->ended = 0;
		thread->has_uid = 0;
		sums_clear(&thread->total);
	}
	thread->pid = r->pid;
	thread->cpu = r->cpu;
	thread->next_flags |= r->flags;
	thread->next_ended = !!(r->flags & PMC_READING_LAST);
	if (*r->name)
		memcpy(thread->name, r->name, sizeof(thread->name));
	sums_add(&thread->next, r);
	sums_add(&thread->total, r);
	add_virtuals(thread, r, t->config);
}

void counted_threads_add(struct counted_threads *t, const struct pmc_reading *r)
{
	struct counted_thread *thread = counted_threads_find(t, r->tid);

	t->lost += r->lost;
	if (r->flags & PMC_READING_EVICTED)
		t->evicted = 1;
	if (!thread && t->nr < t->most)
		thread = new_thread(t, r->pid, r->tid);
	if (thread)
		thread_add(t, thread, r);
	else
		t->lost++;
	if (r->core_type >= 0 && r->core_type < t->nr_core_types)
		sums_add(&t->core_types[r->core_type].next, r);
}

double thread_metric_value(const struct counted_threads *t, int n, int core_type, int most,
			   const struct thread_sums *sums)
{
	double value;

	if (!sums->nr)
		return NAN;
	value = pmc_plan_value(t->plan, n, core_type, sums->sets, sums->nr, sums->elapsed, NULL);
	if (isnan(value) && core_type == PMC_EVERY_CORE_TYPE && most >= 0)
		value = pmc_plan_value(t->plan, n, most, sums->sets, sums->nr, sums->elapsed, NULL);
	return value;
}

static int longest_core_type(const struct thread_sums *sums, int before)
{
	uint64_t most = 0;
	int i, core_type = before;

	for (i = 0; i < sums->nr; i++)
		if (sums->sets[i].running > most) {
			most = sums->sets[i].running;
			core_type = sums->sets[i].core_type;
		}
	return core_type;
}

static double part(uint64_t running, uint64_t time)
{
	double share = time ? (double)running / time : 0;

	return share > 1 ? 1 : share;
}

/* Event sets that take turns are counted in one interval of several: keep a value as long. */
static void compute_metric(const struct counted_threads *t, struct counted_thread *thread, int n)
{
	double value = thread_metric_value(t, n, PMC_EVERY_CORE_TYPE, thread->core_type, &thread->interval);

	thread->value_age[n]++;
	if (!isnan(value) || thread->value_age[n] >= pmc_config_nr_sets(t->config, thread->core_type)) {
		thread->values[n] = value;
		thread->value_age[n] = 0;
	}
}

/* The counts of the interval that has ended become those of the last interval. */
static void swap_sums(struct thread_sums *last, struct thread_sums *next)
{
	struct thread_sums free_again = *last;

	*last = *next;
	*next = free_again;
	sums_clear(next);
}

static void end_thread(const struct counted_threads *t, struct counted_thread *thread)
{
	int n;

	swap_sums(&thread->interval, &thread->next);
	memcpy(thread->virtuals, thread->next_virtuals, sizeof(thread->virtuals));
	clear_virtuals(thread->next_virtuals);
	thread->flags = thread->next_flags;
	thread->ended = thread->next_ended;
	thread->next_flags = 0;
	thread->next_ended = 0;
	thread->idle = thread->interval.nr ? 0 : thread->idle + 1;
	thread->core_type = longest_core_type(&thread->interval, thread->core_type);
	thread->share = part(thread->interval.running, thread->interval.elapsed);
	for (n = 0; n < t->nr_metrics; n++) {
		if (thread->interval.nr)
			compute_metric(t, thread, n);
		else
			thread->values[n] = NAN;
	}
	for (; n < t->nr_values; n++)
		thread->values[n] = pmc_virtual_value(pmc_config_virtual(t->config, n - t->nr_metrics),
						      thread->virtuals[n - t->nr_metrics]);
	history_add(&thread->busy, thread->share);
	history_add(&thread->first, t->nr_metrics ? thread->values[0] : NAN);
}

static void end_core_type(const struct counted_threads *t, int id)
{
	struct counted_core_type *c = &t->core_types[id];
	int n;

	swap_sums(&c->interval, &c->next);
	/* The samples' times are those of threads, which add up to more than the interval. */
	c->interval.elapsed = t->interval_ns;
	c->share = part(c->interval.running, t->interval_ns * c->nr_cpus);
	for (n = 0; n < t->nr_metrics; n++)
		c->values[n] = thread_metric_value(t, n, id, id, &c->interval);
	history_add(&c->busy, c->share);
	history_add(&c->first, t->nr_metrics ? c->values[0] : NAN);
}

static void forget_ended(struct counted_threads *t)
{
	struct counted_thread *thread;
	int i, kept = 0;

	for (i = 0; i < t->nr; i++) {
		thread = t->all[i];
		if (thread->ended) {
			tdelete(thread, &t->by_tid, compare);
			free_thread(thread);
		} else {
			t->all[kept++] = thread;
		}
	}
	t->nr = kept;
}

void counted_threads_end_interval(struct counted_threads *t, uint64_t ns)
{
	int i;

	forget_ended(t);
	t->interval_ns = ns;
	t->nr_intervals++;
	for (i = 0; i < t->nr; i++)
		end_thread(t, t->all[i]);
	for (i = 0; i < t->nr_core_types; i++)
		end_core_type(t, i);
}
