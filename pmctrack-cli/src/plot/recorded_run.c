// SPDX-License-Identifier: GPL-2.0
/* A run that pmctrack --format=json has recorded: its samples are as they were when it counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "recorded_file.h"
#include "recorded_run.h"

static void __attribute__((noreturn)) damaged(const struct recorded_run *run)
{
	bad("plot: %s is no report of pmctrack --format=json, or it is not whole", run->path);
}

/* ---- members of objects ---- */

static struct json_object *member(const struct recorded_run *run, struct json_object *object,
				  const char *name, enum json_type type)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, name, &value) || !json_object_is_type(value, type))
		damaged(run);
	return value;
}

static const char *text(const struct recorded_run *run, struct json_object *object,
			const char *name)
{
	return json_object_get_string(member(run, object, name, json_type_string));
}

static uint64_t number(const struct recorded_run *run, struct json_object *object, const char *name)
{
	return json_object_get_uint64(member(run, object, name, json_type_int));
}

static int is_true(struct json_object *object, const char *name)
{
	struct json_object *value;

	return json_object_object_get_ex(object, name, &value) && json_object_get_boolean(value);
}

/* An array that reports need not have; NULL: this one has none */
static struct json_object *array(const struct recorded_run *run, const char *name)
{
	return json_object_object_get_ex(run->object, name, NULL) ?
		member(run, run->object, name, json_type_array) : NULL;
}

static size_t length(struct json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}

/* ---- the layout ---- */

static void read_event(struct recorded_run *run, struct layout_set *set, struct json_object *event)
{
	char *name = must_have(strdup(text(run, event, "event")));
	int column = layout_add_name(&run->layout, name);

	if (column < 0)
		bad("out of memory");
	run->layout.hidden[column] = is_true(event, "for_metrics");
	set->columns[set->nr++] = column;
}

static void read_set(struct recorded_run *run, struct layout_set *set, struct json_object *events)
{
	size_t i;

	if (!json_object_is_type(events, json_type_array) || length(events) > PMC_MAX_COUNTS)
		damaged(run);
	for (i = 0; i < length(events); i++)
		read_event(run, set, json_object_array_get_idx(events, i));
}

static void read_core_type(struct recorded_run *run, int id, struct json_object *object)
{
	struct layout_core_type *ct = &run->layout.core_types[id];
	struct json_object *sets = member(run, object, "sets", json_type_array);
	size_t i;

	run->core_types[id].name = text(run, object, "name");
	ct->info = &run->core_types[id];
	ct->sets = new_array(length(sets), sizeof(*ct->sets));
	ct->nr_sets = length(sets);
	for (i = 0; i < length(sets); i++)
		read_set(run, &ct->sets[i], json_object_array_get_idx(sets, i));
}

static void read_core_types(struct recorded_run *run)
{
	struct json_object *all = member(run, run->object, "core_types", json_type_array);
	size_t i;

	run->core_types = new_array(length(all), sizeof(*run->core_types));
	run->layout.core_types = new_array(length(all), sizeof(*run->layout.core_types));
	run->layout.nr_core_types = length(all);
	for (i = 0; i < length(all); i++)
		read_core_type(run, i, json_object_array_get_idx(all, i));
}

static enum pmc_virtual_kind kind_of(const struct recorded_run *run, struct json_object *object)
{
	const char *kind = text(run, object, "kind");

	if (!strcmp(kind, "count"))
		return PMC_VIRTUAL_COUNT;
	return strcmp(kind, "level") ? PMC_VIRTUAL_RATIO : PMC_VIRTUAL_LEVEL;
}

static void read_virtuals(struct recorded_run *run)
{
	struct json_object *all = array(run, "virtual_counters"), *object;
	size_t i;

	if (length(all) > PMC_MAX_VIRTUALS)
		damaged(run);
	run->virtuals = new_array(length(all), sizeof(*run->virtuals));
	run->layout.nr_virtual = length(all);
	for (i = 0; i < length(all); i++) {
		object = json_object_array_get_idx(all, i);
		run->virtuals[i] = (struct pmc_virtual_info){
			.name = text(run, object, "name"), .unit = text(run, object, "unit"),
			.kind = kind_of(run, object),
			.flags = is_true(object, "estimated") ? PMC_VIRTUAL_ESTIMATED : 0,
		};
		run->layout.virtuals[i] = &run->virtuals[i];
	}
}

static void read_metrics(struct recorded_run *run)
{
	struct json_object *all = array(run, "metrics"), *object;
	size_t i;

	run->layout.recorded = new_array(length(all), sizeof(*run->layout.recorded));
	run->layout.nr_recorded = length(all);
	for (i = 0; i < length(all); i++) {
		object = json_object_array_get_idx(all, i);
		run->layout.recorded[i] = (struct recorded_metric){
			text(run, object, "name"), text(run, object, "unit"),
		};
	}
}

void recorded_run_open(struct recorded_run *run, const char *path)
{
	*run = (struct recorded_run){ .path = path, .text = recorded_read("plot", path) };
	json_text_init(&run->json, run->text);
	run->object = json_text_read(&run->json, "samples");
	if (!run->object)
		damaged(run);
	read_core_types(run);
	read_virtuals(run);
	read_metrics(run);
	run->numbers = new_array(run->layout.nr_virtual + run->layout.nr_recorded,
				 sizeof(*run->numbers));
}

void recorded_run_close(struct recorded_run *run)
{
	free(run->layout.recorded);
	layout_free(&run->layout);
	free(run->core_types);
	free(run->virtuals);
	free(run->numbers);
	json_object_put(run->object);
	json_text_free(&run->json);
	free(run->text);
}

const char *recorded_run_title(const struct recorded_run *run)
{
	return text(run, run->object, "title");
}

void recorded_run_losses(const struct recorded_run *run, struct summary *summary)
{
	const struct pmc_loss *loss;
	int n;

	summary->lost = number(run, run->object, "lost");
	summary->throttled = number(run, run->object, "throttled");
	summary->left_out = number(run, run->object, "left_out");
	summary->missed_threads = number(run, run->object, "missed_threads");
	for (n = 0; n < MAX_LOSSES && (loss = pmc_loss_info(n)); n++)
		summary->losses[n] = number(run, run->object, loss->name);
}

/* ---- samples ---- */

/* A sample has the counts of its set; if a few are missing, they are the last ones. */
static void read_counts(struct recorded_run *run, struct json_object *sample, struct pmc_reading *r)
{
	const struct layout_set *set = layout_set(&run->layout, r->core_type, r->set);
	struct json_object *counts = member(run, sample, "counts", json_type_object);
	const char *name;
	int i;

	for (i = 0; set && i < set->nr; i++) {
		name = run->layout.names[set->columns[i]];
		if (!json_object_object_get_ex(counts, name, NULL))
			break;
		r->counts[r->nr_counts++] = number(run, counts, name);
	}
}

/* A number of an object that a sample may lack; NAN: there is none */
static double value_of(struct json_object *sample, const char *object, const char *name)
{
	struct json_object *values, *value;

	if (!json_object_object_get_ex(sample, object, &values) ||
	    !json_object_object_get_ex(values, name, &value) || !value)
		return NAN;
	return json_object_get_double(value);
}

static void read_numbers(struct recorded_run *run, struct json_object *sample)
{
	const struct layout *layout = &run->layout;
	double *to = run->numbers;
	int i;

	for (i = 0; i < layout->nr_virtual; i++)
		*to++ = value_of(sample, "virtual", layout->virtuals[i]->name);
	for (i = 0; i < layout->nr_recorded; i++)
		*to++ = value_of(sample, "metrics", layout->recorded[i].name);
}

static void read_whose(struct recorded_run *run, struct json_object *sample, struct pmc_reading *r)
{
	run->of_cpus = !json_object_object_get_ex(sample, "tid", NULL);
	if (run->of_cpus) {
		r->cpu = number(run, sample, "cpu");
		return;
	}
	r->pid = number(run, sample, "pid");
	r->tid = number(run, sample, "tid");
	snprintf(r->name, sizeof(r->name), "%s", text(run, sample, "name"));
}

static void read_sample(struct recorded_run *run, struct json_object *sample, struct pmc_reading *r)
{
	uint64_t core_type = number(run, sample, "core_type");
	const char *type = text(run, sample, "type");

	*r = (struct pmc_reading){
		.time = number(run, sample, "time_ns"),
		.elapsed = number(run, sample, "elapsed_ns"),
		.running = number(run, sample, "running_ns"),
		.core_type = core_type,
		.set = number(run, sample, "set"),
		.flags = strcmp(type, "exit") ? 0 : PMC_READING_LAST,
	};
	if (r->elapsed > r->time || core_type >= (uint64_t)run->layout.nr_core_types)
		damaged(run);
	if (!strcmp(type, "sum"))
		bad("plot: %s has sums only (-A): a figure needs samples", run->path);
	read_whose(run, sample, r);
	read_counts(run, sample, r);
	read_numbers(run, sample);
}

int recorded_run_next(struct recorded_run *run, struct pmc_reading *r)
{
	struct json_object *sample;

	if (json_text_next(&run->json, &sample) <= 0)
		return 0;
	read_sample(run, sample, r);
	json_object_put(sample);
	return 1;
}
