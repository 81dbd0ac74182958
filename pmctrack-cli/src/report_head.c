// SPDX-License-Identifier: GPL-2.0
/*
 * The first line of a report: what is counted, of what, in which mode, when samples are taken,
 * and on which core types.
 *
 *	pmctrack: instr, cycles of ./app (user mode), every 100 ms, on core types P, E
 */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "report.h"
#include "wrap.h"

/* The command line is shown up to this length. */
#define COMMAND_MAX 48

static void print_set(FILE *f, const struct layout *layout, const struct layout_set *set, int all)
{
	int i, n = 0;

	for (i = 0; i < set->nr; i++)
		if (all || !layout->hidden[set->columns[i]])
			fprintf(f, "%s%s", n++ ? ", " : "", layout->names[set->columns[i]]);
}

/* The sets of a core type: instr, cycles; in turns instr / cycles. @all: hidden events, too */
static void print_sets(FILE *f, const struct layout *layout, int id, int all)
{
	const struct layout_core_type *ct = &layout->core_types[id];
	int set;

	if (ct->nr_sets > 1)
		fprintf(f, "in turns ");
	for (set = 0; set < ct->nr_sets; set++) {
		fprintf(f, "%s", set ? " / " : "");
		print_set(f, layout, &ct->sets[set], all);
	}
}

static int same_sets(const struct layout_core_type *a, const struct layout_core_type *b)
{
	int set, i;

	if (a->nr_sets != b->nr_sets)
		return 0;
	for (set = 0; set < a->nr_sets; set++) {
		if (a->sets[set].nr != b->sets[set].nr)
			return 0;
		for (i = 0; i < a->sets[set].nr; i++)
			if (a->sets[set].columns[i] != b->sets[set].columns[i])
				return 0;
	}
	return 1;
}

/* Has a core type before @id the same sets? */
static int is_repeated(const struct layout *layout, int id)
{
	int before;

	for (before = 0; before < id; before++)
		if (same_sets(&layout->core_types[before], &layout->core_types[id]))
			return 1;
	return 0;
}

/* The events; of each core type, if they have different ones */
static void print_events(FILE *f, const struct layout *layout, int all)
{
	int id, nr = 0, n = 0;

	for (id = 0; id < layout->nr_core_types; id++)
		nr += layout->core_types[id].nr_sets && !is_repeated(layout, id);
	for (id = 0; id < layout->nr_core_types; id++) {
		if (!layout->core_types[id].nr_sets || is_repeated(layout, id))
			continue;
		fprintf(f, "%s", n++ ? "; " : "");
		if (nr > 1)
			fprintf(f, "%s: ", layout->core_types[id].info->name);
		print_sets(f, layout, id, all);
	}
}

static void print_what(FILE *f, const struct layout *layout)
{
	int i, n = layout_nr_visible(layout);

	if (n)
		print_events(f, layout, 0);
	for (i = 0; i < layout->nr_virtual; i++)
		fprintf(f, "%s%s", n++ ? ", " : "", layout->virtuals[i]->name);
	for (i = 0; i < nr_metrics(layout); i++)
		fprintf(f, "%s%s", n++ ? ", " : "", pmc_plan_name(layout->plan, i));
}

/* Bytes of a word that are shown, as whole UTF-8 characters: further bytes of one begin with 10. */
static int shown_bytes(const char *word)
{
	int len = strnlen(word, COMMAND_MAX);

	while (len && (word[len] & 0xc0) == 0x80)
		len--;
	return len;
}

static void print_command(FILE *f, char *const *command)
{
	size_t len = 0;

	for (; *command; command++) {
		if (len && len + strlen(*command) > COMMAND_MAX) {
			fprintf(f, " ...");
			return;
		}
		fprintf(f, "%s%.*s", len ? " " : "", shown_bytes(*command), *command);
		len += strlen(*command) + 1;
	}
}

static void print_whom(FILE *f, const struct options *o)
{
	int i;

	if (o->cpus) {
		fprintf(f, "CPUs %s", o->cpus);
	} else if (o->syswide) {
		fprintf(f, "all CPUs");
	} else if (o->command) {
		print_command(f, o->command);
	} else {
		fprintf(f, "process%s ", o->nr_pids > 1 ? "es" : "");
		for (i = 0; i < o->nr_pids; i++)
			fprintf(f, "%s%d", i ? ", " : "", o->pids[i]);
	}
}

static void print_mode(FILE *f, const struct layout *layout, const struct options *o)
{
	const char *filter = o->filter ? o->filter : "user";
	int i;

	/* The kernel's own events have no mode. */
	for (i = 0; i < layout->nr_names && layout_is_software(layout, i); i++)
		;
	if (i < layout->nr_names)
		fprintf(f, " (%s mode)", strcmp(filter, "all") ? filter : "user and kernel");
}

/* The first event with a sampling period */
static int print_period(FILE *f, const struct layout *layout)
{
	const struct layout_set *s;
	char number[NUMBER_MAX];
	int id, set, i;

	for (id = 0; id < layout->nr_core_types; id++)
		for (set = 0; (s = layout_set(layout, id, set)); set++)
			for (i = 0; i < s->nr; i++) {
				if (!s->periods[i])
					continue;
				number_format(number, s->periods[i], NUMBERS_GROUPS);
				fprintf(f, ", every %s %s", number, layout->names[s->columns[i]]);
				return 1;
			}
	return 0;
}

static void print_when(FILE *f, const struct layout *layout, const struct options *o)
{
	if (print_period(f, layout))
		return;
	if (o->aggregate)
		fprintf(f, ", sums");
	else if (o->period_us % 1000)
		fprintf(f, ", every %llu us", (unsigned long long)o->period_us);
	else if (o->period_us % 1000000)
		fprintf(f, ", every %llu ms", (unsigned long long)o->period_us / 1000);
	else
		fprintf(f, ", every %llu s", (unsigned long long)o->period_us / 1000000);
}

static void print_where(FILE *f, const struct layout *layout)
{
	int id, n = 0, nr = 0;

	if (layout->nr_core_types < 2)
		return;
	for (id = 0; id < layout->nr_core_types; id++)
		nr += layout->core_types[id].nr_sets || !layout->nr_names;
	fprintf(f, ", on core type%s ", nr > 1 ? "s" : "");
	for (id = 0; id < layout->nr_core_types; id++)
		if (layout->core_types[id].nr_sets || !layout->nr_names)
			fprintf(f, "%s%s", n++ ? ", " : "", layout->core_types[id].info->name);
}

/* What @print prints */
static char *text_of(const struct report *report,
		     void (*print)(FILE *f, const struct report *report))
{
	char *text;
	size_t size;
	FILE *line = must_have(open_memstream(&text, &size));

	print(line, report);
	fclose(line);
	return must_have(text);
}

/* A line of @print, which ends between words where the terminal does */
static void print_line(FILE *f, const struct report *report,
		       void (*print)(FILE *f, const struct report *report))
{
	char *text = text_of(report, print);

	print_wrapped(f, text, 0, 2, report->width);
	free(text);
}

static void print_subject(FILE *f, const struct report *report)
{
	fprintf(f, "pmctrack: ");
	print_what(f, report->layout);
	fprintf(f, " of ");
	print_whom(f, report->o);
	print_mode(f, report->layout, report->o);
	print_when(f, report->layout, report->o);
	print_where(f, report->layout);
}

char *report_title(const struct report *report)
{
	return report->title ? must_have(strdup(report->title)) : text_of(report, print_subject);
}

void print_head(FILE *f, const struct report *report)
{
	print_line(f, report, print_subject);
}

static void print_sources(FILE *f, const struct report *report)
{
	const struct layout *layout = report->layout;
	int i;

	fprintf(f, "pmctrack: metrics are computed from ");
	print_events(f, layout, 1);
	for (i = 0; i < nr_metrics(layout) && !metric_is_estimated(layout, i); i++)
		;
	if (i < nr_metrics(layout))
		fprintf(f, "; ~: estimated, from several event sets");
}

void print_plan(FILE *f, const struct report *report)
{
	if (report->layout->plan)
		print_line(f, report, print_sources);
}
