/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Suggestions for an unknown name: the known names that are most similar. */
#ifndef LIBPMC_SUGGEST_H
#define LIBPMC_SUGGEST_H

#include "format_event.h"

#define NR_NEAREST 3

/* The names nearest to @name, best first. */
struct nearest {
	const char *name;
	int nr;
	int distance[NR_NEAREST];
	char text[NR_NEAREST][EVENT_NAME];
};

/* Add @name if it is similar enough. */
void nearest_add(struct nearest *nearest, const char *name);

/* Add @name in any case; the least similar name may drop out. */
void nearest_put(struct nearest *nearest, const char *name);

/* " (did you mean X or Y?)", or "". */
void nearest_print(const struct nearest *nearest, char *buf, size_t size);

/* nearest_print() for the name of an event: all names of @ct are considered. */
void suggest(char *buf, size_t size, const pmc_machine_t *machine,
	     const struct core_type *ct, const char *name);

/* Distance of two words: number of insertions, deletions, swaps and replacements. */
int word_distance(const char *a, const char *b);

#endif
