/* SPDX-License-Identifier: GPL-2.0 */
/* A trace for Perfetto's viewer (ui.perfetto.dev): tracks, and what happens on them. */
#ifndef PMCTRACK_PERFETTO_H
#define PMCTRACK_PERFETTO_H

#include <stdio.h>
#include <sys/types.h>

#include "protobuf.h"

/**
 * struct perfetto - a trace that is being written; the caller sets @f, and all else to 0
 * @packet: a packet
 * @inner: the description or event in it
 * @part: a part of that
 * @outer: the packet as a field of the trace
 * @began: there has been a packet
 * @no_memory: there was no memory: packets are missing
 */
struct perfetto {
	FILE *f;
	struct protobuf packet;
	struct protobuf inner;
	struct protobuf part;
	struct protobuf outer;
	int began;
	int no_memory;
};

void perfetto_free(struct perfetto *t);

/* Kinds of tracks, in their numbers */
enum perfetto_kind {
	PERFETTO_PROCESS = 1,
	PERFETTO_THREAD,
	PERFETTO_CPU,
	PERFETTO_COUNTER,
	PERFETTO_REGIONS,
};

/*
 * The number of a track: kind, process, column and core type. Other tracks than those of processes
 * have a number that is given once in a trace in place of the process, as the viewer takes no other
 * description of a track that it knows.
 */
uint64_t perfetto_track(enum perfetto_kind kind, unsigned int id, unsigned int column,
			unsigned int core_type);

/* Describe a track. A track of a thread is in that of its process. Names may be "", @parent 0. */
void perfetto_add_process(struct perfetto *t, pid_t pid, const char *name);
void perfetto_add_thread(struct perfetto *t, uint64_t track, pid_t pid, pid_t tid,
			 const char *name);
void perfetto_add_track(struct perfetto *t, uint64_t track, uint64_t parent, const char *name);
void perfetto_add_counter(struct perfetto *t, uint64_t track, uint64_t parent, const char *name,
			  const char *unit);

/* The event that is written next has this, which the viewer shows when the event is selected. */
void perfetto_note_count(struct perfetto *t, const char *name, uint64_t count);
void perfetto_note_value(struct perfetto *t, const char *name, double value);
void perfetto_note_text(struct perfetto *t, const char *name, const char *text);

/* Slices, which may be in each other, and instants; @time: ns. Notes of both ends are the slice's. */
void perfetto_begin(struct perfetto *t, uint64_t time, uint64_t track, const char *name);
void perfetto_end(struct perfetto *t, uint64_t time, uint64_t track);
void perfetto_instant(struct perfetto *t, uint64_t time, uint64_t track, const char *name);

/* Values of counters, valid until the next one */
void perfetto_count(struct perfetto *t, uint64_t time, uint64_t track, uint64_t value);
void perfetto_value(struct perfetto *t, uint64_t time, uint64_t track, double value);

#endif
