// SPDX-License-Identifier: GPL-2.0
/* Folders of runs: run-01, run-02 and so on, each with the samples and what the run was. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "node/cpu_affinity.h"
#include "node/folder.h"
#include "options.h"

#define CORE_TYPE "core type "

static int is_empty(const char *path)
{
	struct dirent *entry;
	int empty = 1;
	DIR *dir = opendir(path);

	if (!dir)
		bad("cannot read the folder %s: %s", path, strerror(errno));
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			empty = 0;
	closedir(dir);
	return empty;
}

void folder_make(const char *path)
{
	char *copy = must_have(strdup(path)), *slash;

	for (slash = copy; (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			bad("cannot make the folder %s: %s", copy, strerror(errno));
		*slash = '/';
	}
	free(copy);
	if (!mkdir(path, 0777))
		return;
	if (errno != EEXIST)
		bad("cannot make the folder %s: %s", path, strerror(errno));
	if (!is_empty(path))
		bad("the folder %s has files already: choose another one with -o, or remove it", path);
}

char *folder_file(const char *path, const char *file)
{
	char *name;

	if (asprintf(&name, "%s/%s", path, file) < 0)
		bad("out of memory");
	return name;
}

void core_types_set(struct about *about, const struct core_types *types)
{
	char key[64], list[CORES_TEXT];
	int i;

	for (i = 0; i < types->nr; i++) {
		cores_print(list, sizeof(list), &types->cpus[i]);
		snprintf(key, sizeof(key), CORE_TYPE "%s", types->names[i]);
		about_set(about, key, "%s", list);
	}
}

int core_type_of(const struct core_types *types, int cpu)
{
	int i;

	for (i = 0; i < types->nr; i++)
		if (CPU_ISSET(cpu, &types->cpus[i]))
			return i;
	return -1;
}

static void read_types(struct core_types *types, const struct about *about, const char *path)
{
	const char *key;
	int i;

	types->nr = 0;
	for (i = 0; i < about->nr && types->nr < TYPES_MAX; i++) {
		key = about->facts[i].key;
		if (strncmp(key, CORE_TYPE, strlen(CORE_TYPE)))
			continue;
		if (cpus_parse(about->facts[i].text, &types->cpus[types->nr]))
			bad("%s/" ABOUT_FILE ": '%s' are no CPUs", path, about->facts[i].text);
		snprintf(types->names[types->nr++], sizeof(types->names[0]), "%s", key + strlen(CORE_TYPE));
	}
}

static void load(struct run_list *list, const char *path, const char *group)
{
	char *about = folder_file(path, ABOUT_FILE), *samples = folder_file(path, SAMPLES_FILE);
	struct run_data *run;

	list->all = must_have(realloc(list->all, (list->nr + 1) * sizeof(*list->all)));
	run = &list->all[list->nr++];
	run->path = must_have(strdup(path));
	run->group = must_have(strdup(group));
	about_read(&run->about, about);
	record_read(&run->record, samples);
	read_types(&run->types, &run->about, path);
	free(about);
	free(samples);
}

static int has_samples(const char *path)
{
	char *file = folder_file(path, SAMPLES_FILE);
	int has = !access(file, F_OK);

	free(file);
	return has;
}

static void load_all(struct run_list *list, const char *path)
{
	struct dirent **entries;
	int i, before = list->nr, nr = scandir(path, &entries, NULL, versionsort);
	char *inner;

	if (nr < 0)
		bad("cannot read the folder %s: %s", path, strerror(errno));
	for (i = 0; i < nr; i++) {
		inner = folder_file(path, entries[i]->d_name);
		if (*entries[i]->d_name != '.' && has_samples(inner))
			load(list, inner, path);
		free(inner);
		free(entries[i]);
	}
	free(entries);
	if (list->nr == before)
		bad("%s has no runs: name a folder that `pmctrack node -o FOLDER ...` has made", path);
}

void runs_load(struct run_list *list, char **folders)
{
	memset(list, 0, sizeof(*list));
	for (; *folders; folders++) {
		if (has_samples(*folders))
			load(list, *folders, *folders);
		else
			load_all(list, *folders);
	}
}

void run_free(struct run_data *run)
{
	free(run->path);
	free(run->group);
	about_free(&run->about);
	record_free(&run->record);
}

void runs_free(struct run_list *list)
{
	int i;

	for (i = 0; i < list->nr; i++)
		run_free(&list->all[i]);
	free(list->all);
}
