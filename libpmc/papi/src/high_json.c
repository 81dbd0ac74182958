// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The output of the high level, in the layout of PAPI: papi_hl_output_writer.py reads it.
 *
 * On machines with several core types, an event is an object with the members region_value,
 * read_1, read_2, ..., and a member for each core type. PAPI has such objects, too, after
 * PAPI_hl_read(); all events of a region then are objects.
 */
#include <stdlib.h>
#include <string.h>

#include "high_output.h"

/* The library may be shut down when the output is written. */
static struct {
	bool known;
	char model[PAPI_MAX_STR_LEN];
	int max_mhz, min_mhz;
} cpu;

void hl_json_prepare(void)
{
	const PAPI_hw_info_t *info = PAPI_get_hardware_info();
	const char *from;
	char *to = cpu.model;

	if (!info)
		return;
	cpu.known = true;
	cpu.max_mhz = info->cpu_max_mhz;
	cpu.min_mhz = info->cpu_min_mhz;
	/* Names of CPUs are filled with spaces. */
	for (from = info->model_string; *from && to < cpu.model + sizeof(cpu.model) - 1; from++) {
		if (from[0] != ' ' || from[1] != ' ')
			*to++ = *from;
	}
	*to = 0;
}

static void line(FILE *f, int depth)
{
	fprintf(f, "\n%*s", 2 * depth, "");
}

/*
 * Bytes of the character of UTF-8 (RFC 3629) that begins here; 0: none does. Whether a character
 * is longer than need be, a surrogate or too great a number is seen in its first two bytes.
 */
static int character_size(const unsigned char *s)
{
	unsigned int first_two = s[0] << 8 | s[1];
	int i, size = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	for (i = 1; i < size; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	if (size == 1)
		return 1;
	if (first_two < 0xc280 || first_two > 0xf48f ||
	    (first_two >= 0xe000 && first_two < 0xe0a0) ||
	    (first_two >= 0xeda0 && first_two < 0xee00) ||
	    (first_two >= 0xf000 && first_two < 0xf090))
		return 0;
	return size;
}

/* A program may choose any bytes as the name of a region. */
static void quoted(FILE *f, const char *text)
{
	int size;

	putc('"', f);
	for (; *text; text += size ? size : 1) {
		size = character_size((const unsigned char *)text);
		if (*text == '"' || *text == '\\')
			putc('\\', f);
		if (!size)
			fputs("\\ufffd", f);
		else if (size == 1 && *text < ' ')
			fprintf(f, "\\u%04x", *text);
		else
			fwrite(text, size, 1, f);
	}
	putc('"', f);
}

static void name_and_text(FILE *f, int depth, const char *name, const char *text)
{
	line(f, depth);
	quoted(f, name);
	putc(':', f);
	quoted(f, text);
}

/* PAPI has numbers in quotation marks. */
static void name_and_number(FILE *f, int depth, const char *name, long long number)
{
	line(f, depth);
	quoted(f, name);
	fprintf(f, ":\"%lld\"", number);
}

static void open_object(FILE *f, int depth, const char *name)
{
	line(f, depth);
	quoted(f, name);
	fputs(":{", f);
}

static void open_numbered(FILE *f, int depth, unsigned int number)
{
	line(f, depth);
	fprintf(f, "\"%u\":{", number);
}

/* The comma is before all members except the first. */
static void comma(FILE *f, bool *first)
{
	if (!*first)
		putc(',', f);
	*first = false;
}

static void close_object(FILE *f, int depth)
{
	line(f, depth);
	putc('}', f);
}

static void head(FILE *f)
{
	char version[64];

	snprintf(version, sizeof(version), "%d.%d.%d.%d", PAPI_VERSION_MAJOR(PAPI_VERSION),
		 PAPI_VERSION_MINOR(PAPI_VERSION), PAPI_VERSION_REVISION(PAPI_VERSION),
		 PAPI_VERSION_INCREMENT(PAPI_VERSION));
	name_and_text(f, 1, "papi_version", version);
	putc(',', f);
	if (!cpu.known)
		return;
	name_and_text(f, 1, "cpu_info", cpu.model);
	putc(',', f);
	name_and_number(f, 1, "max_cpu_rate_mhz", cpu.max_mhz);
	putc(',', f);
	name_and_number(f, 1, "min_cpu_rate_mhz", cpu.min_mhz);
	putc(',', f);
}

static void definition(FILE *f, const struct hl_component *component,
		       const struct hl_event *event)
{
	open_object(f, 2, event->name);
	name_and_text(f, 3, "component", component->name);
	putc(',', f);
	name_and_text(f, 3, "type", event->type == HL_INSTANT ? "instant" : "delta");
	close_object(f, 2);
}

static void definitions(FILE *f, const struct hl_events *events)
{
	bool first = true;
	int i, j;

	open_object(f, 1, "event_definitions");
	for (i = 0; i < events->nr_components; i++) {
		for (j = 0; j < events->components[i].nr_events; j++) {
			comma(f, &first);
			definition(f, &events->components[i], &events->components[i].events[j]);
		}
	}
	close_object(f, 1);
}

static void reads(FILE *f, const struct hl_region *region, int index)
{
	const struct hl_read *read;
	char name[32];
	int n = 0;

	for (read = region->reads; read; read = read->next) {
		snprintf(name, sizeof(name), "read_%d", ++n);
		putc(',', f);
		name_and_number(f, 6, name, read->values[index]);
	}
}

static void parts(FILE *f, const struct hl_region *region, int first)
{
	int i;

	for (i = 0; i < hl_nr_types(); i++) {
		putc(',', f);
		name_and_number(f, 6, hl_split->type_name(i), region->values[first + i]);
	}
}

/* part: where the parts by core type are; 0: there are none */
static void value(FILE *f, const struct hl_region *region, const char *name, int index,
		  int part)
{
	if (!region->reads && !hl_nr_types()) {
		name_and_number(f, 5, name, region->values[index]);
		return;
	}
	open_object(f, 5, name);
	name_and_number(f, 6, "region_value", region->values[index]);
	reads(f, region, index);
	if (part)
		parts(f, region, part);
	close_object(f, 5);
}

static int first_part(const struct hl_events *events, const struct hl_component *component,
		      int event)
{
	return hl_split && hl_split->component == component->id ? hl_parts(events, event) : 0;
}

static void region(FILE *f, const struct hl_events *events, const struct hl_region *r)
{
	const struct hl_component *component;
	int i, j, n = 0;

	open_numbered(f, 4, r->id);
	name_and_text(f, 5, "name", r->name);
	putc(',', f);
	name_and_number(f, 5, "parent_region_id", r->parent_id);
	putc(',', f);
	value(f, r, "cycles", HL_CYCLES, 0);
	putc(',', f);
	value(f, r, "real_time_nsec", HL_NSEC, 0);
	for (i = 0; i < events->nr_components; i++) {
		component = &events->components[i];
		for (j = 0; j < component->nr_events; j++, n++) {
			putc(',', f);
			value(f, r, component->events[j].name, HL_EVENTS + n,
			      first_part(events, component, n));
		}
	}
	close_object(f, 4);
}

/* The number of the finished regions; they are in the order of their ends. */
static int count_finished(const struct hl_region *r)
{
	int n = 0;

	for (; r; r = r->next)
		n++;
	return n;
}

static int by_id(const void *a, const void *b)
{
	const struct hl_region *x = *(const struct hl_region *const *)a;
	const struct hl_region *y = *(const struct hl_region *const *)b;

	return (x->id > y->id) - (x->id < y->id);
}

static void regions(FILE *f, const struct hl_events *events, const struct hl_region *list)
{
	int i, n = count_finished(list);
	const struct hl_region **sorted = malloc(n * sizeof(*sorted));
	bool first = true;

	if (!sorted)
		return;
	for (i = 0; i < n; i++, list = list->next)
		sorted[i] = list;
	qsort(sorted, n, sizeof(*sorted), by_id);
	for (i = 0; i < n; i++) {
		comma(f, &first);
		region(f, events, sorted[i]);
	}
	free(sorted);
}

static void thread_regions(FILE *f, const struct hl_events *events, unsigned int number,
			   const struct hl_region *list)
{
	open_numbered(f, 2, number);
	open_object(f, 3, "regions");
	regions(f, events, list);
	close_object(f, 3);
	close_object(f, 2);
}

/* Threads are numbered from 0 in the order of the list. */
static void all_threads(FILE *f, const struct hl_events *events, const struct hl_thread *thread)
{
	const struct hl_region *finished;
	unsigned int number = 0;
	bool first = true;

	open_object(f, 1, "threads");
	for (; thread; thread = thread->next) {
		finished = atomic_load_explicit(&thread->finished, memory_order_acquire);
		if (!finished)
			continue;
		comma(f, &first);
		thread_regions(f, events, number++, finished);
	}
	close_object(f, 1);
}

void hl_json_write(FILE *f, const struct hl_events *events, const struct hl_thread *threads)
{
	putc('{', f);
	head(f);
	definitions(f, events);
	putc(',', f);
	all_threads(f, events, threads);
	close_object(f, 0);
	putc('\n', f);
}
