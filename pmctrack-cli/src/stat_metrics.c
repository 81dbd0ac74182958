// SPDX-License-Identifier: GPL-2.0
/* The metrics of pmctrack stat -m, compiled for each core type. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "stat_metrics.h"

static pmc_metric_t *compiled(const struct stat_metrics *metrics, int n, int id)
{
	return metrics->compiled[n * metrics->nr_core_types + id];
}

/* Add one metric. Return: 0; -1 with an error line if no core type has it. */
static int add(struct stat_metrics *metrics, const pmc_machine_t *machine, const char *spec)
{
	int nr = pmc_machine_nr_core_types(machine), id, found = 0;
	pmc_metric_t **row;

	metrics->nr_core_types = nr;
	metrics->compiled = must_have(realloc(metrics->compiled, (metrics->nr + 1) * nr *
					      sizeof(*metrics->compiled)));
	row = &metrics->compiled[metrics->nr * nr];
	/* The error line that stays is that of the first core type. */
	for (id = nr - 1; id >= 0; id--) {
		row[id] = pmc_metric_compile(machine, id, spec);
		found |= row[id] != NULL;
	}
	metrics->nr += found;
	return found ? 0 : -1;
}

/* The metrics of a group on all core types, each name once */
struct group {
	const char *name;
	int nr;
	char **metrics;
};

static int in_groups(const char *groups, const char *name)
{
	size_t len = strlen(name), n;

	for (; *groups; groups += n + (groups[n] == ';')) {
		n = strcspn(groups, ";");
		if (n == len && !strncmp(groups, name, len))
			return 1;
	}
	return 0;
}

static int collect(void *arg, const struct pmc_metric_info *info)
{
	struct group *group = arg;
	int i;

	if (!in_groups(info->groups, group->name))
		return 0;
	for (i = 0; i < group->nr; i++)
		if (!strcmp(group->metrics[i], info->name))
			return 0;
	group->metrics = must_have(realloc(group->metrics, (group->nr + 1) * sizeof(*group->metrics)));
	group->metrics[group->nr++] = must_have(strdup(info->name));
	return 0;
}

/* Add all metrics of a group. Return: how many there are. */
static int add_group(struct stat_metrics *metrics, const pmc_machine_t *machine, const char *name)
{
	struct group group = { .name = name };
	int i, id;

	for (id = 0; id < pmc_machine_nr_core_types(machine); id++)
		pmc_machine_each_metric(machine, id, collect, &group);
	for (i = 0; i < group.nr; i++) {
		add(metrics, machine, group.metrics[i]);
		free(group.metrics[i]);
	}
	free(group.metrics);
	return group.nr;
}

/* Length of one metric: up to a comma that is in no parentheses */
static size_t metric_length(const char *text)
{
	int depth = 0;
	size_t i;

	for (i = 0; text[i] && (text[i] != ',' || depth > 0); i++)
		depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
	return i;
}

void stat_metrics_add(struct stat_metrics *metrics, const pmc_machine_t *machine, const char *text)
{
	size_t len;
	char *spec;

	for (; *text; text += len + (text[len] == ',')) {
		len = metric_length(text);
		spec = must_have(strndup(text, len));
		if (strchr(spec, '=') || !add_group(metrics, machine, spec))
			if (add(metrics, machine, spec))
				bad("-m: %s", pmc_last_error());
		free(spec);
	}
}

void stat_metrics_free(struct stat_metrics *metrics)
{
	int i;

	for (i = 0; i < metrics->nr * metrics->nr_core_types; i++)
		pmc_metric_free(metrics->compiled[i]);
	free(metrics->compiled);
}

static int is_duration(const char *event)
{
	return !strcmp(event, "duration_time");
}

void stat_metrics_events(const struct stat_metrics *metrics, int id, struct stat_events *events)
{
	const pmc_metric_t *m;
	char *text;
	size_t size;
	FILE *f;
	int n, i;

	for (n = 0; n < metrics->nr; n++) {
		m = compiled(metrics, n, id);
		f = must_have(open_memstream(&text, &size));
		for (i = 0; m && i < pmc_metric_nr_events(m); i++)
			if (!is_duration(pmc_metric_event(m, i)))
				fprintf(f, "%s%s", ftell(f) ? "," : "", pmc_metric_event(m, i));
		fclose(f);
		if (*text)
			stat_events_add_group(events, text, strlen(text));
		free(text);
	}
}

/* Is the metric the same on all core types? */
static const pmc_metric_t *common(const struct stat_metrics *metrics, int n)
{
	const pmc_metric_t *first = compiled(metrics, n, 0), *m;
	int id, i;

	for (id = 1; first && id < metrics->nr_core_types; id++) {
		m = compiled(metrics, n, id);
		if (!m || strcmp(pmc_metric_expr(m), pmc_metric_expr(first)) ||
		    pmc_metric_nr_events(m) != pmc_metric_nr_events(first))
			return NULL;
		for (i = 0; i < pmc_metric_nr_events(m); i++)
			if (strcmp(pmc_metric_event(m, i), pmc_metric_event(first, i)))
				return NULL;
	}
	return first;
}

static double count_of(const struct stat_counts *c, const char *event, int id, enum accuracy *worst)
{
	const struct stat_count *count;
	int i;

	if (is_duration(event))
		return c->elapsed.mean;
	for (i = 0; i < c->nr_names && strcmp(c->names[i], event); i++)
		;
	count = i < c->nr_names ? stat_count(c, i, id) : NULL;
	/* A ratio of a part to the whole is not the metric. */
	if (!count || !count->counted || count->accuracy == ACCURACY_PARTIAL)
		return NAN;
	if (count->accuracy > *worst)
		*worst = count->accuracy;
	return count->value.mean;
}

struct stat_value stat_metrics_value(const struct stat_metrics *metrics, int n, int id,
				     const struct stat_counts *c)
{
	struct stat_value v = { .value = NAN };
	double *counts;
	int i, nr;

	v.metric = id == PMC_EVERY_CORE_TYPE ? common(metrics, n) : compiled(metrics, n, id);
	if (!v.metric)
		return v;
	nr = pmc_metric_nr_events(v.metric);
	counts = new_array(nr, sizeof(*counts));
	for (i = 0; i < nr; i++)
		counts[i] = count_of(c, pmc_metric_event(v.metric, i), id, &v.accuracy);
	v.value = pmc_metric_value(v.metric, counts);
	free(counts);
	return v;
}
