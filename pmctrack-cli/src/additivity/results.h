/* SPDX-License-Identifier: GPL-2.0 */
/* The measurements of a folder, to which each new one is added at once. */
#ifndef PMCTRACK_ADDITIVITY_RESULTS_H
#define PMCTRACK_ADDITIVITY_RESULTS_H

#include <stdio.h>

#include "additivity/measure.h"
#include "additivity/programs.h"
#include "node/about.h"

/* The phases of a test: each base program once with all events; then all programs in turn */
enum phase { PHASE_SCAN, PHASE_CORES, PHASE_MEMORY, PHASES };
extern const char *const phase_names[PHASES];

/* Facts of about.txt that verdicts and models need */
#define CORE_TYPE_FACT	"core type"
#define DOMAIN_FACT	"energy domain"
#define MODES_FACT	"modes"
#define MODES_USER	"user"
#define IDLE_POWER_FACT	"idle power[W]"
#define PROCESSOR_FACT	"processor"
#define MEMORY_NODE_FACT	"memory node"
#define LEFT_OUT_FACT	"events left out"

/**
 * struct result - one event of one program in one run
 * @seconds: of the run; in the first event of a run only, else NAN; so are @joules
 */
struct result {
	enum phase phase;
	int program;
	int run;
	int event;
	double count;
	double seconds;
	double joules;
};

/**
 * struct results - a folder
 * @about: what was measured, and how
 * @events: names of all events; results have their numbers
 * @f: where measurements are added
 */
struct results {
	char *path;
	struct about about;
	struct programs programs;
	int nr_events;
	char **events;
	size_t nr;
	struct result *all;
	FILE *f;
};

/*
 * Begin a folder, or continue it: what it has has to agree with @about and @programs, whose
 * contents become the folder's. bad() if it does not. The folder gets facts that it does not have.
 * Until results_free() no other process can open it so.
 */
void results_open(struct results *r, const char *path, const struct about *about,
		  const struct programs *programs);
/* Read a folder; bad() if it is none. */
void results_read(struct results *r, const char *path);
void results_free(struct results *r);

/* Add a measurement of the events @numbers: it is on the disk when this returns. */
void results_add(struct results *r, enum phase phase, int program, int run, const int *numbers,
		 const struct measurement *m);

/* Number of an event, which is added if it is new. */
int results_event(struct results *r, const char *name);

/*
 * The counts of an event in a phase, one for each run of the program, in @values, for free().
 * Return: their number.
 */
int results_counts(const struct results *r, enum phase phase, int program, int event, double **values);

/* Seconds (@joules: joules) of the program's runs in a phase, likewise */
int results_cost(const struct results *r, enum phase phase, int program, int joules, double **values);

/* How many runs of the program with this event there are */
int results_nr(const struct results *r, enum phase phase, int program, int event);

#endif
