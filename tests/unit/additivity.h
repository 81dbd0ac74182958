/* SPDX-License-Identifier: GPL-2.0 */
/* Files, random numbers and folders of measurements for the tests of pmc-additivity. */
#ifndef PMC_TESTS_ADDITIVITY_H
#define PMC_TESTS_ADDITIVITY_H

#include <math.h>
#include <unistd.h>

#include "additivity/results.h"
#include "lib.h"
#include "refused.h"

static char folder[] = "/tmp/pmctrack-additivity-XXXXXX";

static inline int make_folder(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static inline const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static inline void put(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* xorshift; with the same numbers each time */
static uint64_t seed;

static inline uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static inline double normal(void)
{
	double sum = 0;
	int i;

	for (i = 0; i < 12; i++)
		sum += (next() >> 11) / 9007199254740992.0;
	return sum - 6;
}

/*
 * A folder of measurements of its own for each test
 * @lines: the programs
 * @fact: another fact, and its text; NULL: none
 */
static inline void begin_programs(struct results *r, const char *name, const char *lines, double idle,
				  const char *const *fact)
{
	struct about about = { 0 };
	struct programs programs;
	char *path = strdup(path_of(name));

	put("programs", lines);
	programs_read(&programs, path_of("programs"));
	about_set(&about, CORE_TYPE_FACT, "P");
	if (!isnan(idle) && access(path_of(name), F_OK))
		about_set(&about, IDLE_POWER_FACT, "%f", idle);
	if (fact)
		about_set(&about, fact[0], "%s", fact[1]);
	results_open(r, path, &about, &programs);
	about_free(&about);
	programs_free(&programs);
	free(path);
}

/* The base programs a, b, c and all pairs */
static inline void begin_with(struct results *r, const char *name, double idle, const char *const *fact)
{
	begin_programs(r, name, "a: true 1\nb: true 2\nc: true 3\n", idle, fact);
}

static inline void begin(struct results *r, const char *name, double idle)
{
	begin_with(r, name, idle, NULL);
}

static inline void add(struct results *r, int program, const char *event, double count, double seconds,
		double joules)
{
	struct measurement m = { seconds, joules, 1, { count } };
	int number = results_event(r, event);

	results_add(r, PHASE_CORES, program, 0, &number, &m);
}

#endif
