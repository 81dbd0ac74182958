// SPDX-License-Identifier: GPL-2.0
/* Values over time, computed from samples, in bins of equal length. */
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "series.h"

/**
 * struct series_point - a sample; its counts, virtual counters and metrics are in struct series
 * @group: index of its group
 * @values: index of its first count
 * @numbers: index of its first virtual counter; metrics are behind these
 */
struct series_point {
	int group;
	int core_type;
	int set;
	int nr_counts;
	uint64_t time;
	uint64_t elapsed;
	uint64_t running;
	size_t values;
	size_t numbers;
};

/* ---- the samples ---- */

/**
 * struct series_id - an id that samples have had
 * @nr: number of the thread, CPU or core type, in the order of appearance
 * @pid: of the thread
 * @newest: index of its newest group; -1: none
 * @ended: time of the last sample of the thread; 0: it may have others
 */
struct series_id {
	int id;
	int nr;
	int newest;
	pid_t pid;
	uint64_t ended;
};

static int compare_ids(const void *one, const void *other)
{
	const struct series_id *a = one, *b = other;

	return (a->id > b->id) - (a->id < b->id);
}

/* NULL: no memory */
static struct series_id *find_id(struct series *series, int id)
{
	struct series_id wanted = { .id = id }, **found = tfind(&wanted, &series->ids, compare_ids), *new;

	if (found)
		return *found;
	new = malloc(sizeof(*new));
	if (!new)
		return NULL;
	*new = (struct series_id){ .id = id, .nr = series->nr_ids, .newest = -1 };
	if (!tsearch(new, &series->ids, compare_ids)) {
		free(new);
		return NULL;
	}
	series->nr_ids++;
	return new;
}

static int is_of_threads(const struct report *report)
{
	return report->o->plot != PLOT_CORE_TYPES && !report->o->syswide;
}

/*
 * Samples after the end of a thread are those of another one, as are those of another process, if the
 * last sample was lost, or the thread called exec. Some of the time of its end are its own.
 */
static void note_end(struct series *series, struct series_id *id, const struct report *report,
		     const struct pmc_reading *r)
{
	if (!is_of_threads(report))
		return;
	if (id->newest >= 0 && (id->pid != r->pid || (id->ended && r->time != id->ended)))
		*id = (struct series_id){ .id = id->id, .nr = series->nr_ids++, .newest = -1 };
	id->pid = r->pid;
	if (r->flags & PMC_READING_LAST)
		id->ended = r->time;
}

/* Room for @more elements of @size bytes behind @nr others. Return: the array; NULL: no memory */
static void *room_for(void *array, size_t *room, size_t nr, size_t more, size_t size)
{
	void *larger;

	if (array && nr + more <= *room)
		return array;
	larger = realloc(array, (2 * nr + more + 256) * size);
	if (larger)
		*room = 2 * nr + more + 256;
	return larger;
}

/* Its index; -1: no memory */
static int find_group(struct series *series, struct series_id *id, int core_type)
{
	struct series_group *groups;
	int i;

	for (i = id->newest; i >= 0; i = series->groups[i].next)
		if (series->groups[i].core_type == core_type)
			return i;
	groups = room_for(series->groups, &series->groups_room, series->nr_groups, 1, sizeof(*groups));
	if (!groups)
		return -1;
	series->groups = groups;
	groups[series->nr_groups] = (struct series_group){
		.id = id->id, .nr_id = id->nr, .core_type = core_type, .next = id->newest,
	};
	id->newest = series->nr_groups;
	return series->nr_groups++;
}

/* Make room for a sample. -1: no memory */
static int make_room(struct series *series, int nr_values, int nr_numbers)
{
	void *points = room_for(series->points, &series->room, series->nr_points, 1,
				sizeof(*series->points));
	void *values = room_for(series->values, &series->values_room, series->nr_values, nr_values,
				sizeof(*series->values));
	void *numbers = room_for(series->numbers, &series->numbers_room, series->nr_numbers,
				 nr_numbers, sizeof(*series->numbers));

	series->points = points ? points : series->points;
	series->values = values ? values : series->values;
	series->numbers = numbers ? numbers : series->numbers;
	return points && values && numbers ? 0 : -1;
}

static void add_counts_of(struct series *series, const struct pmc_reading *r)
{
	memcpy(series->values + series->nr_values, r->counts, r->nr_counts * sizeof(*r->counts));
	series->nr_values += r->nr_counts;
}

static void add_numbers(struct series *series, const struct report *report,
			const struct pmc_reading *r)
{
	const struct layout *layout = report->layout;
	double *numbers = series->numbers + series->nr_numbers;
	int i, nr = layout->nr_virtual;

	series->nr_numbers += nr + nr_metrics(layout);
	if (report->recorded) {
		memcpy(numbers, report->recorded, (nr + nr_metrics(layout)) * sizeof(*numbers));
		return;
	}
	for (i = 0; i < nr; i++)
		numbers[i] = i < r->nr_virtual ? pmc_virtual_value(layout->virtuals[i],
								   r->virtual_counts[i]) : NAN;
	for (i = 0; i < nr_metrics(layout); i++)
		numbers[nr + i] = metric_sample(report, i, r).value;
}

int series_add(struct series *series, int id, int core_type, const struct report *report,
	       const struct pmc_reading *r)
{
	const struct layout *layout = report->layout;
	struct series_id *whose = find_id(series, id);
	uint64_t start = r->time - r->elapsed;
	struct series_group *group;
	int index;

	if (!whose)
		return -1;
	note_end(series, whose, report, r);
	index = find_group(series, whose, core_type);
	if (index < 0 || make_room(series, r->nr_counts, layout->nr_virtual + nr_metrics(layout)))
		return -1;
	group = &series->groups[index];
	memcpy(group->name, r->name, sizeof(group->name));
	group->nr++;
	group->running += r->running;
	if (!series->nr_points || start < series->first)
		series->first = start;
	if (r->time > series->last)
		series->last = r->time;
	series->points[series->nr_points++] = (struct series_point){
		index, r->core_type, r->set, r->nr_counts, r->time, r->elapsed, r->running,
		series->nr_values, series->nr_numbers,
	};
	add_counts_of(series, r);
	add_numbers(series, report, r);
	return 0;
}

void series_free(struct series *series)
{
	tdestroy(series->ids, free);
	free(series->groups);
	free(series->points);
	free(series->values);
	free(series->numbers);
}

/* ---- the columns ---- */

static int is_clock(const struct layout *layout, int name)
{
	return !strcmp(layout->names[name], "task_clock");
}

static void add_rate(const struct layout *layout, int name, struct series_column *column)
{
	*column = (struct series_column){ .kind = SERIES_RATE, .index = name };
	if (is_clock(layout, name))
		strcpy(column->title, "CPUs in use");
	else
		snprintf(column->title, sizeof(column->title), "%s per second",
			 layout->names[name]);
}

static void add_virtual(const struct layout *layout, int n, struct series_column *column)
{
	const struct pmc_virtual_info *v = layout->virtuals[n];
	char label[LABEL_MAX];

	*column = (struct series_column){ .kind = SERIES_VIRTUAL, .index = n };
	pmc_virtual_label(v, label, sizeof(label));
	snprintf(column->title, sizeof(column->title), "%s%s", label,
		 v->kind == PMC_VIRTUAL_COUNT ? " per second" : "");
}

int series_columns(const struct layout *layout, struct series_column **columns)
{
	int instr, cycles, has_ipc = layout_find_ipc(layout, &instr, &cycles), i, nr = 0;
	struct series_column *all;

	all = calloc(1 + layout->nr_names + layout->nr_virtual + nr_metrics(layout), sizeof(*all));
	*columns = all;
	if (!all)
		return -1;
	if (has_ipc)
		all[nr++] = (struct series_column){ SERIES_IPC, instr, cycles, "instructions per cycle" };
	for (i = 0; i < layout->nr_names; i++)
		if (!layout->hidden[i] && (!has_ipc || (i != instr && i != cycles)))
			add_rate(layout, i, &all[nr++]);
	for (i = 0; i < layout->nr_virtual; i++)
		add_virtual(layout, i, &all[nr++]);
	for (i = 0; i < nr_metrics(layout); i++) {
		all[nr] = (struct series_column){ .kind = SERIES_METRIC, .index = i };
		metric_label(layout, i, all[nr].title, LABEL_MAX);
		nr++;
	}
	return nr;
}

/* ---- values ---- */

/**
 * struct bins - values by time
 * @nr: number of bins
 * @first: when the first one begins
 * @width: ns of each
 * @values: NAN where nothing was added
 */
struct bins {
	int nr;
	uint64_t first;
	double width;
	double *values;
};

/* Memory for so many bins must be on the stack of the caller: they are some hundred. */
static struct bins bins_of(const struct series *series, double *values, int nr)
{
	struct bins bins = {
		nr, series->first, (double)(series->last - series->first) / nr, values,
	};
	int i;

	for (i = 0; i < nr; i++)
		values[i] = NAN;
	return bins;
}

/* Add @value, spread over the time of a sample. */
static void spread(struct bins *bins, const struct series_point *p, double value)
{
	double to = (p->time - bins->first) / bins->width, from = to - p->elapsed / bins->width;
	double share;
	int bin;

	for (bin = from > 0 ? from : 0; bin < bins->nr && bin < to; bin++) {
		share = (to < bin + 1 ? to : bin + 1) - (from > bin ? from : bin);
		if (isnan(bins->values[bin]))
			bins->values[bin] = 0;
		if (to > from)
			bins->values[bin] += value * share / (to - from);
	}
}

static int is_in(const struct series *series, const struct series_point *p,
		 const struct series_group *group)
{
	return series->groups + p->group == group;
}

/*
 * Counts of an event. With event sets that take turns, they are scaled to the running time of all
 * sets, because a thread may sleep during the time of one set only.
 */
static void add_counts(const struct report *report, const struct series *series,
		       const struct series_group *group, int name, struct bins *bins)
{
	double loaded_values[bins->nr], all_values[bins->nr];
	struct bins loaded = bins_of(series, loaded_values, bins->nr);
	struct bins all = bins_of(series, all_values, bins->nr);
	const struct layout *layout = report->layout;
	const struct series_point *p = series->points;
	int n, i;

	for (n = 0; n < series->nr_points; n++, p++) {
		if (!is_in(series, p, group) || !layout_has_event(layout, p->core_type, name))
			continue;
		spread(&all, p, p->running);
		i = layout_place(layout_set(layout, p->core_type, p->set), name);
		if (i < 0 || i >= p->nr_counts)
			continue;
		spread(&loaded, p, p->running);
		spread(bins, p, series->values[p->values + i]);
	}
	for (i = 0; i < bins->nr; i++)
		if (loaded.values[i] > 0)
			bins->values[i] *= all.values[i] / loaded.values[i];
}

static void divide(struct bins *bins, const struct bins *by)
{
	int i;

	for (i = 0; i < bins->nr; i++)
		bins->values[i] = by->values[i] > 0 ? bins->values[i] / by->values[i] : NAN;
}

/* Counts of two events, of samples that have both. Return: number of such samples */
static int add_pairs(const struct report *report, const struct series *series,
		     const struct series_group *group, const struct series_column *column,
		     struct bins *instructions, struct bins *cycles)
{
	const struct series_point *p = series->points;
	const struct layout_set *set;
	int n, i, c, nr = 0;

	for (n = 0; n < series->nr_points; n++, p++) {
		set = layout_set(report->layout, p->core_type, p->set);
		i = layout_place(set, column->index);
		c = layout_place(set, column->cycles);
		if (!is_in(series, p, group) || i < 0 || c < 0 || i >= p->nr_counts ||
		    c >= p->nr_counts)
			continue;
		spread(instructions, p, series->values[p->values + i]);
		spread(cycles, p, series->values[p->values + c]);
		nr++;
	}
	return nr;
}

/*
 * Of sets that take turns, one may have both events: the others say nothing of the same
 * instructions. If none has both, their rates are divided.
 */
static void fill_ipc(const struct report *report, const struct series *series,
		     const struct series_group *group, const struct series_column *column,
		     struct bins *bins, struct bins *cycles)
{
	if (!add_pairs(report, series, group, column, bins, cycles)) {
		add_counts(report, series, group, column->index, bins);
		add_counts(report, series, group, column->cycles, cycles);
	}
	divide(bins, cycles);
}

/* A virtual counter or metric of one sample; NAN: there is no value */
static double value_of(const struct report *report, const struct series *series,
		       const struct series_point *p, const struct series_column *column)
{
	int first = column->kind == SERIES_METRIC ? report->layout->nr_virtual : 0;

	return series->numbers[p->numbers + first + column->index];
}

/* Their sums; or if @weights is given, sums weighted by running time, whose sum is there */
static void add_values_of(const struct report *report, const struct series *series,
			  const struct series_group *group, const struct series_column *column,
			  struct bins *bins, struct bins *weights)
{
	const struct series_point *p = series->points;
	double value;
	int n;

	for (n = 0; n < series->nr_points; n++, p++) {
		value = is_in(series, p, group) ? value_of(report, series, p, column) : NAN;
		if (!isfinite(value))
			continue;
		spread(bins, p, weights ? value * p->running : value);
		if (weights)
			spread(weights, p, p->running);
	}
}

static void per_second(struct bins *bins)
{
	int i;

	for (i = 0; i < bins->nr; i++)
		bins->values[i] /= bins->width / 1e9;
}

static int is_count(const struct layout *layout, const struct series_column *column)
{
	return column->kind == SERIES_VIRTUAL &&
	       layout->virtuals[column->index]->kind == PMC_VIRTUAL_COUNT;
}

void series_values(const struct report *report, const struct series *series,
		   const struct series_group *group, const struct series_column *column,
		   double *values, int nr)
{
	struct bins bins = bins_of(series, values, nr);
	double other_values[nr];
	struct bins other = bins_of(series, other_values, nr);

	switch (column->kind) {
	case SERIES_IPC:
		fill_ipc(report, series, group, column, &bins, &other);
		break;
	case SERIES_RATE:
		add_counts(report, series, group, column->index, &bins);
		if (is_clock(report->layout, column->index))
			bins.width *= 1e9;
		per_second(&bins);
		break;
	case SERIES_VIRTUAL:
	case SERIES_METRIC:
		if (is_count(report->layout, column)) {
			add_values_of(report, series, group, column, &bins, NULL);
			per_second(&bins);
		} else {
			add_values_of(report, series, group, column, &bins, &other);
			divide(&bins, &other);
		}
		break;
	}
}
