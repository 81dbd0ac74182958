// SPDX-License-Identifier: GPL-2.0
/* The counts of pmctrack stat: sums over core types, accuracy, and spread over runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "stat.h"

void spread_add(struct spread *s, double value)
{
	double delta = value - s->mean;

	s->nr++;
	s->mean += delta / s->nr;
	s->m2 += delta * (value - s->mean);
}

double spread_error(const struct spread *s)
{
	return s->nr > 1 ? sqrt(s->m2 / (s->nr - 1) / s->nr) : 0;
}

double spread_percent(const struct spread *s)
{
	return s->mean ? 100 * spread_error(s) / s->mean : 0;
}

static struct stat_count *at(const struct stat_counts *c, int name, int id)
{
	return &c->counts[name * (c->nr_core_types + 1) + id];
}

const struct stat_count *stat_count(const struct stat_counts *c, int name, int id)
{
	return at(c, name, id == PMC_EVERY_CORE_TYPE ? c->nr_core_types : id);
}

void stat_counts_init(struct stat_counts *c, const struct layout *layout)
{
	char label[64];
	int i;

	memset(c, 0, sizeof(*c));
	c->nr_names = layout->nr_names;
	c->nr_core_types = layout->nr_core_types;
	c->names = new_array(c->nr_names, sizeof(*c->names));
	c->core_types = new_array(c->nr_core_types, sizeof(*c->core_types));
	c->labels = new_array(c->nr_core_types, sizeof(*c->labels));
	c->counts = new_array((size_t)c->nr_names * (c->nr_core_types + 1), sizeof(*c->counts));
	c->is_software = new_array(c->nr_names, 1);
	c->order = new_array(c->nr_names, sizeof(*c->order));
	for (i = 0; i < c->nr_names; i++) {
		c->names[i] = must_have(strdup(layout->names[i]));
		c->is_software[i] = layout_is_software(layout, i);
		c->order[i] = i;
	}
	for (i = 0; i < c->nr_core_types; i++) {
		snprintf(label, sizeof(label), "%d:%s", i, layout->core_types[i].info->name);
		c->core_types[i] = must_have(strdup(layout->core_types[i].info->pmu));
		c->labels[i] = must_have(strdup(label));
	}
}

void stat_counts_free(struct stat_counts *c)
{
	int i;

	for (i = 0; i < c->nr_names; i++)
		free(c->names[i]);
	for (i = 0; i < c->nr_core_types; i++) {
		free(c->core_types[i]);
		free(c->labels[i]);
	}
	free(c->names);
	free(c->order);
	free(c->is_software);
	free(c->core_types);
	free(c->labels);
	free(c->counts);
}

void stat_counts_next(struct stat_counts *c, int nr_before, int name)
{
	int i;

	for (i = nr_before; i < c->nr_names && c->order[i] != name; i++)
		;
	if (i == c->nr_names)
		return;
	memmove(&c->order[nr_before + 1], &c->order[nr_before], (i - nr_before) * sizeof(*c->order));
	c->order[nr_before] = name;
}

/* What one run says of an event on one core type. */
struct one {
	int supported;
	int counted;
	double value;
	double covered;
	double running;
	enum accuracy accuracy;
};

/*
 * An event that was counted for a part of the time only is scaled up to all of it. Without the
 * module that has been done; see stat_counts_mark().
 */
static struct one on_core_type(const struct layout *layout, const struct totals *t, int name, int id)
{
	int i = id * layout->nr_names + name;
	struct one one = {
		.supported = layout_has_event(layout, id, name),
		.value = t->counts[i],
		.covered = t->covered[i],
		.running = t->running[id],
	};

	one.counted = one.supported && (one.covered > 0 || !one.running);
	if (one.counted && one.covered < one.running && !layout->without_module) {
		one.value *= one.running / one.covered;
		one.accuracy = ACCURACY_ESTIMATED;
	}
	return one;
}

static void add_one(struct one *sum, const struct one *one)
{
	sum->supported |= one->supported;
	sum->counted |= one->counted;
	sum->running += one->running;
	if (one->counted) {
		sum->value += one->value;
		sum->covered += one->covered;
		if (one->accuracy > sum->accuracy)
			sum->accuracy = one->accuracy;
	} else if (one->running && sum->accuracy < ACCURACY_PARTIAL) {
		sum->accuracy = ACCURACY_PARTIAL;
	}
}

static void take(struct stat_count *count, const struct one *one, enum accuracy least)
{
	enum accuracy accuracy = one->accuracy > least ? one->accuracy : least;

	count->supported |= one->supported;
	if (!one->counted)
		return;
	count->counted = 1;
	if (accuracy > count->accuracy)
		count->accuracy = accuracy;
	spread_add(&count->value, one->value);
	spread_add(&count->covered, one->covered);
	spread_add(&count->running, one->running);
}

/* Were some threads, or some of a thread's events, not counted? */
static int is_partial(const struct summary *s)
{
	return s->missed_threads || s->counter_lost || s->evicted;
}

static double seconds(const struct timeval *t)
{
	return t->tv_sec + t->tv_usec / 1e6;
}

static void add_losses(struct summary *sum, const struct summary *s)
{
	sum->missed_threads += s->missed_threads;
	sum->counter_lost += s->counter_lost;
	sum->evicted += s->evicted;
	sum->totals.exact = s->totals.exact;
}

void stat_counts_add(struct stat_counts *c, const struct layout *layout,
		     const struct summary *summary)
{
	enum accuracy least = is_partial(summary) ? ACCURACY_PARTIAL : ACCURACY_EXACT;
	struct one one, sum;
	int name, id;

	for (name = 0; name < c->nr_names; name++) {
		memset(&sum, 0, sizeof(sum));
		for (id = 0; id < c->nr_core_types; id++) {
			one = on_core_type(layout, &summary->totals, name, id);
			take(at(c, name, id), &one, least);
			add_one(&sum, &one);
		}
		/* 0 of a core type that did not run is no count of those that did. */
		sum.counted &= sum.covered > 0 || !sum.running;
		take(at(c, name, c->nr_core_types), &sum, least);
	}
	c->last_ns = summary->real_ns;
	c->is_partial = least != ACCURACY_EXACT;
	spread_add(&c->elapsed, summary->real_ns / 1e9);
	if (summary->usage) {
		spread_add(&c->user, seconds(&summary->usage->ru_utime));
		spread_add(&c->sys, seconds(&summary->usage->ru_stime));
		c->has_times = 1;
	}
	add_losses(&c->losses, summary);
}

void stat_counts_mark(struct stat_counts *c, int name, int id, enum pmc_accuracy accuracy)
{
	enum accuracy least = accuracy == PMC_EXACT ? ACCURACY_EXACT :
			      accuracy == PMC_ESTIMATED ? ACCURACY_ESTIMATED : ACCURACY_PARTIAL;
	struct stat_count *count = at(c, name, id), *sum = at(c, name, c->nr_core_types);

	if (accuracy == PMC_NOT_COUNTED && count->running.mean <= 0)
		return;
	if (least > count->accuracy)
		count->accuracy = least;
	if (least > sum->accuracy)
		sum->accuracy = least;
}
