/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lines of an event table in memory, and a hash table of their names. */
#ifndef LIBPMC_EVENT_INDEX_H
#define LIBPMC_EVENT_INDEX_H

#include "event_line.h"

/* A line with the name of an event or a metric */
struct index_line {
	const char *text;	/* has no zero at its end */
	uint32_t len;
	uint32_t number;	/* in the file, from 1 */
	uint32_t hash;		/* of kind and name */
	enum line_kind kind;
};

struct event_index {
	int is_csv;
	uint32_t nr;
	uint32_t mask;		/* of @slots */
	struct index_line *lines;
	uint32_t *slots;	/* line, from 1; 0: empty */
};

/* Index @text, which has to stay as long as the index. -1 with an error line: no memory. */
int event_index_build(struct event_index *index, const char *text, size_t size, int is_csv);
void event_index_free(struct event_index *index);

/* Return the first line of a kind with this name, or NULL. Names are compared by same_event_name(). */
const struct index_line *event_index_find(const struct event_index *index, enum line_kind kind,
					  const char *name);

#endif
