// SPDX-License-Identifier: GPL-2.0
/* The average of runs, which is a run itself; and runs in groups that are to be averaged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "node/average.h"

static void check_columns(const struct run_data *run, const struct run_data *first)
{
	int i, same = run->record.nr_columns == first->record.nr_columns;

	for (i = 0; same && i < run->record.nr_columns; i++)
		same = !strcmp(run->record.names[i], first->record.names[i]);
	if (!same)
		bad("%s has other columns than %s: give runs that sampled the same", run->path, first->path);
}

static double mean_of_value(struct run_data *const *runs, int nr, size_t row, int column)
{
	double sum = 0, value;
	int i, n = 0;

	for (i = 0; i < nr; i++) {
		if (row >= runs[i]->record.nr_rows)
			continue;
		value = record_row(&runs[i]->record, row)[column];
		sum += isnan(value) ? 0 : value;
		n += !isnan(value);
	}
	if (runs[0]->record.is_count[column])
		return sum / nr;
	return n ? sum / n : NAN;
}

/* The sum of a fact of all runs. Return: the number of runs that have it */
static int sum_of_fact(struct run_data *const *runs, int nr, const char *key, double *sum)
{
	double value;
	int i, n = 0;

	*sum = 0;
	for (i = 0; i < nr; i++) {
		value = about_number(&runs[i]->about, key);
		*sum += isnan(value) ? 0 : value;
		n += !isnan(value);
	}
	return n;
}

/* A fault of any run is a fault of the average. */
static void collect_faults(struct about *mean, struct run_data *const *runs, int nr)
{
	static const char *const counted[] = { "late", "lost", "incomplete" };
	const char *settled, *status;
	double sum;
	size_t k;
	int i;

	for (k = 0; k < sizeof(counted) / sizeof(counted[0]); k++)
		if (sum_of_fact(runs, nr, counted[k], &sum))
			about_set(mean, counted[k], "%.0f", sum);
	for (i = 0; i < nr; i++) {
		settled = about_get(&runs[i]->about, "settled");
		status = about_get(&runs[i]->about, "status");
		if (settled && !strcmp(settled, "no"))
			about_set(mean, "settled", "no");
		if (status && strcmp(status, "0"))
			about_set(mean, "status", "%s", status);
	}
}

/* The facts of the first run; what was measured is averaged. */
static void average_facts(struct run_data *mean, struct run_data *const *runs, int nr)
{
	static const char *const measured[] = { "seconds", "gflops" };
	const struct about *about = &runs[0]->about;
	double sum;
	size_t m;
	int i, n;

	for (i = 0; i < about->nr; i++)
		about_set(&mean->about, about->facts[i].key, "%s", about->facts[i].text);
	for (m = 0; m < sizeof(measured) / sizeof(measured[0]); m++) {
		n = sum_of_fact(runs, nr, measured[m], &sum);
		if (n)
			about_set(&mean->about, measured[m], "%.6g", sum / n);
	}
	collect_faults(&mean->about, runs, nr);
	about_set(&mean->about, "runs", "%d", nr);
}

void average_runs(struct run_data *mean, struct run_data *const *runs, int nr)
{
	size_t row, rows = 0;
	double *values;
	int i;

	memset(mean, 0, sizeof(*mean));
	mean->path = must_have(strdup(runs[0]->path));
	mean->group = must_have(strdup(runs[0]->group));
	mean->types = runs[0]->types;
	record_init(&mean->record);
	for (i = 1; i < runs[0]->record.nr_columns; i++)
		record_add_name(&mean->record, runs[0]->record.names[i]);
	for (i = 0; i < nr; i++) {
		check_columns(runs[i], runs[0]);
		if (runs[i]->record.nr_rows > rows)
			rows = runs[i]->record.nr_rows;
	}
	for (row = 0; row < rows; row++) {
		values = record_new_row(&mean->record);
		for (i = 0; i < mean->record.nr_columns; i++)
			values[i] = mean_of_value(runs, nr, row, i);
	}
	average_facts(mean, runs, nr);
}

static const char *fact(const struct run_data *run, const char *key)
{
	const char *text = about_get(&run->about, key);

	return text ? text : "?";
}

static int is_of(const struct run_data *run, const struct run_group *group)
{
	return !strcmp(fact(run, "name"), group->name) && !strcmp(fact(run, "cores"), group->cores);
}

static int is_new(const struct run_groups *groups, const struct run_data *run)
{
	int i;

	for (i = 0; i < groups->nr; i++)
		if (is_of(run, &groups->all[i]))
			return 0;
	return 1;
}

void groups_make(struct run_groups *groups, const struct run_list *list)
{
	struct run_data **members = new_array(list->nr, sizeof(*members));
	struct run_group *group;
	int i, j;

	groups->nr = 0;
	groups->all = new_array(list->nr, sizeof(*groups->all));
	for (i = 0; i < list->nr; i++) {
		if (!is_new(groups, &list->all[i]))
			continue;
		group = &groups->all[groups->nr++];
		group->name = fact(&list->all[i], "name");
		group->cores = fact(&list->all[i], "cores");
		for (j = i; j < list->nr; j++)
			if (is_of(&list->all[j], group))
				members[group->nr++] = &list->all[j];
		average_runs(&group->mean, members, group->nr);
	}
	free(members);
}

void groups_free(struct run_groups *groups)
{
	int i;

	for (i = 0; i < groups->nr; i++)
		run_free(&groups->all[i].mean);
	free(groups->all);
}

void average_write(char **folders, const char *output)
{
	struct run_groups groups;
	struct run_list list;
	char *samples = folder_file(output, SAMPLES_FILE), *about = folder_file(output, ABOUT_FILE);

	runs_load(&list, folders);
	groups_make(&groups, &list);
	if (groups.nr > 1)
		bad("--average: runs of '%s' on %s and of '%s' on %s are not the same: give the folders of one of them",
		    groups.all[0].name, groups.all[0].cores, groups.all[1].name, groups.all[1].cores);
	folder_make(output);
	record_write(&groups.all[0].mean.record, samples, 0);
	about_write(&groups.all[0].mean.about, about);
	groups_free(&groups);
	runs_free(&list);
	free(samples);
	free(about);
}
