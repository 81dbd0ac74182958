// SPDX-License-Identifier: GPL-2.0
/* The counts of pmctrack stat: sums over core types, accuracy, and spread over runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
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

static int column_of(const struct stat_counts *c, int name, int id)
{
	return c->columns[name * c->nr_core_types + id];
}

const struct stat_count *stat_count(const struct stat_counts *c, int name, int id)
{
	return at(c, name, id == PMC_EVERY_CORE_TYPE ? c->nr_core_types : id);
}

static void set_columns(struct stat_counts *c, int name, const int *columns)
{
	memcpy(&c->columns[name * c->nr_core_types], columns, c->nr_core_types * sizeof(*columns));
}

/* Add a name, whose rows are the last ones. */
static int add_name(struct stat_counts *c, const char *name, int is_software, const int *columns)
{
	int n = c->nr_names++;
	size_t nr = c->nr_names;

	c->names = must_have(realloc(c->names, nr * sizeof(*c->names)));
	c->order = must_have(realloc(c->order, nr * sizeof(*c->order)));
	c->is_software = must_have(realloc(c->is_software, nr));
	c->columns = must_have(realloc(c->columns, nr * c->nr_core_types * sizeof(*c->columns)));
	c->counts = must_have(realloc(c->counts, nr * (c->nr_core_types + 1) * sizeof(*c->counts)));
	memset(at(c, n, 0), 0, (c->nr_core_types + 1) * sizeof(*c->counts));
	c->names[n] = must_have(strdup(name));
	c->order[n] = n;
	c->is_software[n] = is_software;
	set_columns(c, n, columns);
	return n;
}

int stat_counts_name(struct stat_counts *c, const char *name, const int *columns)
{
	int i, id, is_software = 0;

	for (i = 0; i < c->nr_names; i++)
		if (!strcmp(c->names[i], name)) {
			set_columns(c, i, columns);
			return i;
		}
	/* The layout's names are the first ones. */
	for (id = 0; id < c->nr_core_types; id++)
		if (columns[id] >= 0)
			is_software = c->is_software[columns[id]];
	return add_name(c, name, is_software, columns);
}

void stat_counts_init(struct stat_counts *c, const struct layout *layout)
{
	int i, id, nr = layout->nr_core_types, *columns = new_array(nr, sizeof(*columns));
	char label[64];

	memset(c, 0, sizeof(*c));
	c->nr_core_types = nr;
	c->core_types = new_array(nr, sizeof(*c->core_types));
	c->labels = new_array(nr, sizeof(*c->labels));
	for (i = 0; i < layout->nr_names; i++) {
		for (id = 0; id < nr; id++)
			columns[id] = i;
		add_name(c, layout->names[i], layout_is_software(layout, i), columns);
	}
	free(columns);
	for (i = 0; i < nr; i++) {
		snprintf(label, sizeof(label), "%d:%s", i, layout->core_types[i].info->name);
		c->core_types[i] = must_have(strdup(layout->core_types[i].info->pmu));
		c->labels[i] = must_have(strdup(label));
	}
}

void stat_counts_like(struct stat_counts *c, const struct stat_counts *other)
{
	int i, nr = other->nr_core_types;

	memset(c, 0, sizeof(*c));
	c->nr_core_types = nr;
	c->core_types = new_array(nr, sizeof(*c->core_types));
	c->labels = new_array(nr, sizeof(*c->labels));
	for (i = 0; i < other->nr_names; i++)
		add_name(c, other->names[i], other->is_software[i], &other->columns[i * nr]);
	memcpy(c->order, other->order, c->nr_names * sizeof(*c->order));
	for (i = 0; i < nr; i++) {
		c->core_types[i] = must_have(strdup(other->core_types[i]));
		c->labels[i] = must_have(strdup(other->labels[i]));
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
	free(c->columns);
	free(c->order);
	free(c->is_software);
	free(c->core_types);
	free(c->labels);
	free(c->counts);
}

int stat_counts_next(struct stat_counts *c, int nr_before, int name)
{
	int i;

	for (i = nr_before; i < c->nr_names && c->order[i] != name; i++)
		;
	if (i == c->nr_names)
		return nr_before;
	memmove(&c->order[nr_before + 1], &c->order[nr_before], (i - nr_before) * sizeof(*c->order));
	c->order[nr_before] = name;
	return nr_before + 1;
}

/* What one run says of an event on one core type. */
struct one {
	int supported;
	int counted;
	uint64_t value;
	double covered;
	double running;
	enum accuracy accuracy;
};

/*
 * An event that was counted for a part of the time only is scaled up to all of it. Without the
 * module that has been done; see stat_counts_mark().
 */
static struct one on_core_type(const struct layout *layout, const struct totals *t, int column,
			       int id)
{
	int i = id * layout->nr_names + column;
	struct one one = { .running = t->running[id] };

	if (column < 0)
		return one;
	one.supported = layout_has_event(layout, id, column);
	one.value = totals_estimate(t, layout, id, column);
	one.covered = t->covered[i];
	one.counted = one.supported && (one.covered > 0 || !one.running);
	if (one.counted && one.covered < one.running && !layout->without_module)
		one.accuracy = ACCURACY_ESTIMATED;
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
	count->last = one->value;
	spread_add(&count->covered, one->covered);
	spread_add(&count->running, one->running);
}

/* Were some threads, or some of a thread's events, not counted? */
static int is_partial(const struct summary *s)
{
	return s->missed_threads || losses_any(s->losses);
}

static double seconds(const struct timeval *t)
{
	return t->tv_sec + t->tv_usec / 1e6;
}

static void add_losses(struct summary *sum, const struct summary *s)
{
	sum->missed_threads += s->missed_threads;
	losses_add(sum->losses, s->losses);
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
			one = on_core_type(layout, &summary->totals, column_of(c, name, id), id);
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
	c->lost += summary->lost;
	add_losses(&c->losses, summary);
}

static void mark(struct stat_count *count, enum accuracy least)
{
	if (least > count->accuracy)
		count->accuracy = least;
}

void stat_counts_mark(struct stat_counts *c, int column, int id, enum pmc_accuracy accuracy)
{
	enum accuracy least = accuracy == PMC_EXACT ? ACCURACY_EXACT :
			      accuracy == PMC_ESTIMATED ? ACCURACY_ESTIMATED : ACCURACY_PARTIAL;
	int name;

	for (name = 0; name < c->nr_names; name++) {
		if (column_of(c, name, id) != column ||
		    (accuracy == PMC_NOT_COUNTED && at(c, name, id)->running.mean <= 0))
			continue;
		mark(at(c, name, id), least);
		mark(at(c, name, c->nr_core_types), least);
	}
}

void stat_counts_mark_part(struct stat_counts *c, const struct stat_counts *all)
{
	enum accuracy least;
	int name, id;

	for (name = 0; name < c->nr_names; name++)
		for (id = 0; id < c->nr_core_types; id++) {
			if (at(c, name, id)->running.mean <= 0)
				continue;
			least = at(all, name, id)->accuracy;
			mark(at(c, name, id), least);
			mark(at(c, name, c->nr_core_types), least);
		}
}
