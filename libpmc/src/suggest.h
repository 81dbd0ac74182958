/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names near to one that nobody knows. */
#ifndef LIBPMC_SUGGEST_H
#define LIBPMC_SUGGEST_H

#include "event.h"

#define NR_NEAREST 3

/* The names nearest to @name, best first. */
struct nearest {
	const char *name;
	int nr;
	int distance[NR_NEAREST];
	char text[NR_NEAREST][EVENT_NAME];
};

/* Take @name into account: if it is near at all, or in any case. */
void nearest_add(struct nearest *nearest, const char *name);
void nearest_put(struct nearest *nearest, const char *name);

/* " (did you mean X or Y?)", or "". */
void nearest_print(const struct nearest *nearest, char *buf, size_t size);

/* The same for the name of an event. */
void suggest(char *buf, size_t size, const pmc_machine_t *machine,
	     const struct core_type *ct, const char *name);

/* How different two words are: insertions, deletions, swaps, replacements. */
int word_distance(const char *a, const char *b);

#endif
