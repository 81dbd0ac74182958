// SPDX-License-Identifier: GPL-2.0
/*
 * A trace for Perfetto's viewer: packets with descriptions of tracks and with track events.
 * Numbers of fields are those of protos/perfetto/trace/trace_packet.proto and of
 * track_event/{track_event,track_descriptor,counter_descriptor,debug_annotation}.proto in
 * Perfetto's source.
 */
#include "perfetto.h"

/* Trace */
#define TRACE_PACKET		1
/* TracePacket */
#define PACKET_TIMESTAMP	8
#define PACKET_SEQUENCE		10
#define PACKET_TRACK_EVENT	11
#define PACKET_FLAGS		13
#define PACKET_TRACK		60
#define FLAG_STATE_CLEARED	1
/* TrackDescriptor */
#define TRACK_UUID		1
#define TRACK_NAME		2
#define TRACK_PROCESS		3
#define TRACK_THREAD		4
#define TRACK_PARENT		5
#define TRACK_COUNTER		8
/* ProcessDescriptor, ThreadDescriptor, CounterDescriptor */
#define PROCESS_PID		1
#define PROCESS_NAME		6
#define THREAD_PID		1
#define THREAD_TID		2
#define THREAD_NAME		5
#define COUNTER_UNIT_NAME	6
/* TrackEvent */
#define EVENT_NOTE		4
#define EVENT_TYPE		9
#define EVENT_TRACK		11
#define EVENT_NAME		23
#define EVENT_VALUE		30
#define EVENT_DOUBLE		44
/* DebugAnnotation */
#define NOTE_COUNT		3
#define NOTE_DOUBLE		5
#define NOTE_TEXT		6
#define NOTE_NAME		10

enum event_type {
	SLICE_BEGIN = 1,
	SLICE_END,
	INSTANT,
	COUNTER,
};

void perfetto_free(struct perfetto *t)
{
	protobuf_free(&t->packet);
	protobuf_free(&t->inner);
	protobuf_free(&t->part);
	protobuf_free(&t->outer);
}

uint64_t perfetto_track(enum perfetto_kind kind, unsigned int id, unsigned int column,
			unsigned int core_type)
{
	return (uint64_t)kind << 60 | (uint64_t)id << 28 | (column & 0xfffff) << 8 |
	       (core_type & 0xff);
}

/* ---- packets ---- */

static void write_packet(struct perfetto *t)
{
	protobuf_number(&t->packet, PACKET_SEQUENCE, 1);
	if (!t->began++)
		protobuf_number(&t->packet, PACKET_FLAGS, FLAG_STATE_CLEARED);
	protobuf_message(&t->outer, TRACE_PACKET, &t->packet);
	if (t->outer.failed)
		t->no_memory = 1;
	else
		fwrite(t->outer.bytes, 1, t->outer.len, t->f);
	t->outer.len = 0;
	t->outer.failed = 0;
}

/* ---- tracks ---- */

static void write_track(struct perfetto *t)
{
	protobuf_message(&t->packet, PACKET_TRACK, &t->inner);
	write_packet(t);
}

void perfetto_add_process(struct perfetto *t, pid_t pid, const char *name)
{
	protobuf_number(&t->inner, TRACK_UUID, perfetto_track(PERFETTO_PROCESS, pid, 0, 0));
	protobuf_number(&t->part, PROCESS_PID, pid);
	if (*name)
		protobuf_string(&t->part, PROCESS_NAME, name);
	protobuf_message(&t->inner, TRACK_PROCESS, &t->part);
	write_track(t);
}

void perfetto_add_thread(struct perfetto *t, uint64_t track, pid_t pid, pid_t tid, const char *name)
{
	protobuf_number(&t->inner, TRACK_UUID, track);
	protobuf_number(&t->inner, TRACK_PARENT, perfetto_track(PERFETTO_PROCESS, pid, 0, 0));
	protobuf_number(&t->part, THREAD_PID, pid);
	protobuf_number(&t->part, THREAD_TID, tid);
	if (*name)
		protobuf_string(&t->part, THREAD_NAME, name);
	protobuf_message(&t->inner, TRACK_THREAD, &t->part);
	write_track(t);
}

void perfetto_add_track(struct perfetto *t, uint64_t track, uint64_t parent, const char *name)
{
	protobuf_number(&t->inner, TRACK_UUID, track);
	protobuf_string(&t->inner, TRACK_NAME, name);
	if (parent)
		protobuf_number(&t->inner, TRACK_PARENT, parent);
	write_track(t);
}

void perfetto_add_counter(struct perfetto *t, uint64_t track, uint64_t parent, const char *name,
			  const char *unit)
{
	protobuf_number(&t->inner, TRACK_UUID, track);
	protobuf_string(&t->inner, TRACK_NAME, name);
	protobuf_number(&t->inner, TRACK_PARENT, parent);
	if (*unit)
		protobuf_string(&t->part, COUNTER_UNIT_NAME, unit);
	protobuf_message(&t->inner, TRACK_COUNTER, &t->part);
	write_track(t);
}

/* ---- events ---- */

static void end_note(struct perfetto *t, const char *name)
{
	protobuf_string(&t->part, NOTE_NAME, name);
	protobuf_message(&t->inner, EVENT_NOTE, &t->part);
}

void perfetto_note_count(struct perfetto *t, const char *name, uint64_t count)
{
	protobuf_number(&t->part, NOTE_COUNT, count);
	end_note(t, name);
}

void perfetto_note_value(struct perfetto *t, const char *name, double value)
{
	protobuf_double(&t->part, NOTE_DOUBLE, value);
	end_note(t, name);
}

void perfetto_note_text(struct perfetto *t, const char *name, const char *text)
{
	protobuf_string(&t->part, NOTE_TEXT, text);
	end_note(t, name);
}

static void begin_event(struct perfetto *t, uint64_t time, enum event_type type, uint64_t track)
{
	protobuf_number(&t->packet, PACKET_TIMESTAMP, time);
	protobuf_number(&t->inner, EVENT_TYPE, type);
	protobuf_number(&t->inner, EVENT_TRACK, track);
}

static void write_event(struct perfetto *t)
{
	protobuf_message(&t->packet, PACKET_TRACK_EVENT, &t->inner);
	write_packet(t);
}

void perfetto_begin(struct perfetto *t, uint64_t time, uint64_t track, const char *name)
{
	begin_event(t, time, SLICE_BEGIN, track);
	protobuf_string(&t->inner, EVENT_NAME, name);
	write_event(t);
}

void perfetto_end(struct perfetto *t, uint64_t time, uint64_t track)
{
	begin_event(t, time, SLICE_END, track);
	write_event(t);
}

void perfetto_instant(struct perfetto *t, uint64_t time, uint64_t track, const char *name)
{
	begin_event(t, time, INSTANT, track);
	protobuf_string(&t->inner, EVENT_NAME, name);
	write_event(t);
}

void perfetto_count(struct perfetto *t, uint64_t time, uint64_t track, uint64_t value)
{
	begin_event(t, time, COUNTER, track);
	protobuf_number(&t->inner, EVENT_VALUE, value);
	write_event(t);
}

void perfetto_value(struct perfetto *t, uint64_t time, uint64_t track, double value)
{
	begin_event(t, time, COUNTER, track);
	protobuf_double(&t->inner, EVENT_DOUBLE, value);
	write_event(t);
}
