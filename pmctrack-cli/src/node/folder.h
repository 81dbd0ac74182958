/* SPDX-License-Identifier: GPL-2.0 */
/* Folders of runs: run-01, run-02 and so on, each with the samples and what the run was. */
#ifndef PMCTRACK_NODE_FOLDER_H
#define PMCTRACK_NODE_FOLDER_H

#include <sched.h>

#include "node/about.h"
#include "node/record.h"

/* The files of a run's folder */
#define SAMPLES_FILE	"samples.csv"
#define ABOUT_FILE	"about.txt"
#define OUTPUT_FILE	"output.txt"

/* Most core types of a machine */
#define TYPES_MAX	8

/**
 * struct core_types - the core types of the machine of a run
 * @names: their names
 * @cpus: their CPUs
 */
struct core_types {
	int nr;
	char names[TYPES_MAX][32];
	cpu_set_t cpus[TYPES_MAX];
};

/**
 * struct run_data - a run, read from its folder
 * @path: the folder
 * @group: the folder that was named, which may have several runs
 */
struct run_data {
	char *path;
	char *group;
	struct about about;
	struct record record;
	struct core_types types;
};

struct run_list {
	int nr;
	struct run_data *all;
};

/* Make a folder, and those above it; bad() if it exists and has something in it. */
void folder_make(const char *path);

/* The path of a file in the folder @path, for free() */
char *folder_file(const char *path, const char *file);

/* Read the runs in the folders: each is one run, or has runs. bad() on failure. */
void runs_load(struct run_list *list, char **folders);
void run_free(struct run_data *run);
void runs_free(struct run_list *list);

/* Add facts about the machine's core types, which runs_load() reads. */
void core_types_set(struct about *about, const struct core_types *types);

/* The core type of a CPU, or -1. */
int core_type_of(const struct core_types *types, int cpu);

#endif
