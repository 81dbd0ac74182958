/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace for Perfetto, decoded by the rules of protobuf's wire format: its tracks, and what
 * happens on them, as lines of text.
 */
#ifndef PMC_TESTS_CLI_TRACE_H
#define PMC_TESTS_CLI_TRACE_H

#include "lib.h"

struct field {
	unsigned int number, type;
	uint64_t value;			/* of a varint or of 64 bits */
	const unsigned char *bytes;	/* of a part */
	size_t len;
};

static inline uint64_t take_varint(const unsigned char **p, const unsigned char *end)
{
	uint64_t value = 0;
	int shift = 0;

	do {
		assert_true(*p < end && shift < 70);
		value |= (uint64_t)(**p & 0x7f) << shift;
		shift += 7;
	} while (*(*p)++ & 0x80);
	return value;
}

static inline int take_field(const unsigned char **p, const unsigned char *end, struct field *f)
{
	uint64_t tag;

	if (*p == end)
		return 0;
	tag = take_varint(p, end);
	memset(f, 0, sizeof(*f));
	f->number = tag >> 3;
	f->type = tag & 7;
	if (f->type == 0) {
		f->value = take_varint(p, end);
	} else if (f->type == 1) {
		assert_true(end - *p >= 8);
		memcpy(&f->value, *p, 8);
		*p += 8;
	} else {
		assert_int_equal(f->type, 2);
		f->len = take_varint(p, end);
		assert_true((size_t)(end - *p) >= f->len);
		f->bytes = *p;
		*p += f->len;
	}
	return 1;
}

/* The first field of a message with this number; type 7: there is none. */
static inline struct field get(const unsigned char *bytes, size_t len, unsigned int number)
{
	const unsigned char *p = bytes;
	struct field f;

	while (take_field(&p, bytes + len, &f))
		if (f.number == number)
			return f;
	return (struct field){ .type = 7 };
}

/*
 * The tracks, and the events: a line of text for each has the time in seconds, the track, the type,
 * and what else there is: a value, 'NAME', NOTE=VALUE. A track has its unit behind its name; one of
 * a thread without a name has its number.
 */
struct track {
	uint64_t uuid, parent;
	char name[80];
};

static struct track tracks[50];
static int nr_tracks;
static char trace_text[4000];

static inline void note_track(const struct field *t)
{
	struct track *track = &tracks[nr_tracks++];
	struct field name = get(t->bytes, t->len, 2), thread = get(t->bytes, t->len, 4);
	struct field process = get(t->bytes, t->len, 3), parent = get(t->bytes, t->len, 5);
	struct field counter = get(t->bytes, t->len, 8), unit = get(counter.bytes, counter.len, 6);

	assert_true(nr_tracks < 50);
	if (thread.type == 2)
		name = get(thread.bytes, thread.len, 5);
	else if (process.type == 2)
		name = get(process.bytes, process.len, 6);
	track->uuid = get(t->bytes, t->len, 1).value;
	track->parent = parent.type == 7 ? 0 : parent.value;
	if (thread.type == 2 && name.type == 7)
		snprintf(track->name, sizeof(track->name), "thread %d",
			 (int)get(thread.bytes, thread.len, 2).value);
	else
		snprintf(track->name, sizeof(track->name), unit.type == 2 ? "%.*s[%.*s]" : "%.*s",
			 (int)name.len, name.bytes, (int)unit.len, unit.bytes);
}

static inline const char *name_of(uint64_t uuid)
{
	int i = nr_tracks - 1;

	while (i >= 0 && tracks[i].uuid != uuid)
		i--;
	assert_true(i >= 0);
	return tracks[i].name;
}

/* Note the annotations of an event, each a text or a number. */
static inline void note_notes(const struct field *e)
{
	const unsigned char *p = e->bytes;
	struct field f, name, text, value;
	size_t n;
	double d;

	while (take_field(&p, e->bytes + e->len, &f)) {
		if (f.number != 4)
			continue;
		name = get(f.bytes, f.len, 10);
		text = get(f.bytes, f.len, 6);
		value = get(f.bytes, f.len, 5);
		memcpy(&d, &value.value, sizeof(d));
		n = strlen(trace_text);
		n += snprintf(trace_text + n, sizeof(trace_text) - n, " %.*s=", (int)name.len,
			      name.bytes);
		if (text.type == 2)
			snprintf(trace_text + n, sizeof(trace_text) - n, "%.*s", (int)text.len,
				 text.bytes);
		else if (value.type == 1)
			snprintf(trace_text + n, sizeof(trace_text) - n, "%g", d);
		else
			snprintf(trace_text + n, sizeof(trace_text) - n, "%llu",
				 (unsigned long long)get(f.bytes, f.len, 3).value);
	}
}

static inline void note_event(uint64_t time, const struct field *e)
{
	struct field count = get(e->bytes, e->len, 30), value = get(e->bytes, e->len, 44);
	struct field name = get(e->bytes, e->len, 23);
	const char *track = name_of(get(e->bytes, e->len, 11).value);
	size_t n = strlen(trace_text);
	double d;

	memcpy(&d, &value.value, sizeof(d));
	n += snprintf(trace_text + n, sizeof(trace_text) - n, "%.1f %s %d", time / 1e9, track,
		      (int)get(e->bytes, e->len, 9).value);
	if (count.type == 0)
		n += snprintf(trace_text + n, sizeof(trace_text) - n, " %llu",
			      (unsigned long long)count.value);
	if (value.type == 1)
		n += snprintf(trace_text + n, sizeof(trace_text) - n, " %g", d);
	if (name.type == 2)
		n += snprintf(trace_text + n, sizeof(trace_text) - n, " '%.*s'", (int)name.len,
			      name.bytes);
	note_notes(e);
	n = strlen(trace_text);
	snprintf(trace_text + n, sizeof(trace_text) - n, "\n");
}

static inline void decode_trace(const char *text, size_t size)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + size;
	struct field packet;
	int nr = 0;

	nr_tracks = 0;
	*trace_text = '\0';
	while (take_field(&p, end, &packet)) {
		struct field track = get(packet.bytes, packet.len, 60);
		struct field event = get(packet.bytes, packet.len, 11);

		assert_int_equal(packet.number, 1);
		assert_int_equal(get(packet.bytes, packet.len, 10).value, 1);
		assert_int_equal(get(packet.bytes, packet.len, 13).type == 0, !nr++);
		if (track.type == 2)
			note_track(&track);
		if (event.type == 2)
			note_event(get(packet.bytes, packet.len, 8).value, &event);
	}
}

/* Keep a trace, or what it is compared with, for tests/host/perfetto.sh. */
static inline void keep_trace(const char *name, const char *ending, const char *text, size_t size)
{
	const char *folder = getenv("PMCTRACK_TEST_TRACES");
	char path[512];
	FILE *f;

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

#endif
