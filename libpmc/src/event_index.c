// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A hash table of the names in an event table. A table has up to some ten thousand lines, and a
 * list of metrics looks up several events for each of some hundred formulas.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "event_index.h"

/* FNV-1a (Fowler, Noll, Vo), of what same_event_name() compares */
static uint32_t hash_of(enum line_kind kind, const char *name)
{
	uint32_t hash = 2166136261u ^ kind;
	unsigned char c;

	for (; *name; name++) {
		c = *name == ':' ? '.' : tolower((unsigned char)*name);
		hash = (hash ^ c) * 16777619u;
	}
	return hash;
}

static size_t count_lines(const char *text, size_t size)
{
	const char *end = text + size, *eol;
	size_t n = 0;

	for (; text < end; text = eol + 1, n++) {
		eol = memchr(text, '\n', end - text);
		if (!eol)
			return n + 1;
	}
	return n;
}

/* Return the slot of a name: that of its line, or the empty one where the line belongs. */
static uint32_t *slot_of(const struct event_index *index, uint32_t hash, enum line_kind kind,
			 const char *name)
{
	const struct index_line *line;
	char here[EVENT_NAME];
	uint32_t at;

	for (at = hash & index->mask; index->slots[at]; at = (at + 1) & index->mask) {
		line = &index->lines[index->slots[at] - 1];
		if (line->hash == hash && line->kind == kind &&
		    line_name(line->text, line->len, index->is_csv, here) == kind &&
		    same_event_name(here, name))
			break;
	}
	return &index->slots[at];
}

/* Of several lines with a name the first counts. */
static void add(struct event_index *index, const char *text, size_t len, uint32_t number)
{
	char name[EVENT_NAME];
	enum line_kind kind = len > EVENT_LINE_MAX ? LINE_OTHER :
			      line_name(text, len, index->is_csv, name);
	uint32_t hash, *slot;

	if (kind == LINE_OTHER)
		return;
	hash = hash_of(kind, name);
	index->lines[index->nr++] = (struct index_line){ text, len, number, hash, kind };
	slot = slot_of(index, hash, kind, name);
	if (!*slot)
		*slot = index->nr;
}

int event_index_build(struct event_index *index, const char *text, size_t size, int is_csv)
{
	size_t lines = count_lines(text, size), slots = 16;
	const char *end = text + size, *eol;
	uint32_t number = 0;

	while (slots < 2 * lines)
		slots *= 2;
	*index = (struct event_index){
		.is_csv = is_csv, .mask = slots - 1,
		.lines = calloc(lines + 1, sizeof(*index->lines)),
		.slots = calloc(slots, sizeof(*index->slots)),
	};
	if (!index->lines || !index->slots) {
		event_index_free(index);
		return pmc_fail_nomem();
	}
	for (; text < end; text = eol + 1) {
		eol = memchr(text, '\n', end - text);
		if (!eol)
			eol = end;
		add(index, text, eol - text, ++number);
	}
	return 0;
}

void event_index_free(struct event_index *index)
{
	free(index->lines);
	free(index->slots);
	*index = (struct event_index){ 0 };
}

const struct index_line *event_index_find(const struct event_index *index, enum line_kind kind,
					  const char *name)
{
	uint32_t slot = *slot_of(index, hash_of(kind, name), kind, name);

	return slot ? &index->lines[slot - 1] : NULL;
}
