// SPDX-License-Identifier: GPL-2.0
/* pmc-chooser: which events can be counted beside the given ones, in one EventSet. */
#include <string.h>

#include <papi.h>

#include "../src/common.h"
#include "../src/output.h"
#include "catalogue.h"
#include "event_list.h"
#include "format.h"
#include "library.h"
#include "parse_events.h"

static const char help[] =
"Usage: pmc-chooser [OPTION]... EVENT...\n"
"List the events that can be counted at the same time as the given ones: those that PAPI\n"
"accepts in the same EventSet. Each is tried.\n"
"\n"
"  -p, --presets             try preset events (default)\n"
"  -n, --native              try native events\n"
"  -m, --multiplex           the EventSet is multiplexed: events take turns, and their counts\n"
"                            are estimates\n"
"  -x, --excluded            list those that do not fit instead\n"
FORMAT_HELP
"\n"
"An event that fits may not fit any more when another one of the list was added: add it to\n"
"the command line, and look again.\n"
"\n"
"Example: pmc-chooser PAPI_TOT_CYC PAPI_L1_DCM\n";

struct chooser {
	struct options o;	/* first, for the table */
	int presets;
	int natives;
	int multiplex;
	int excluded;
	struct event_names events;
	struct core_pmus types;
};

static const struct option_row rows[] = {
	OPTION_FLAG('p', "presets", struct chooser, presets),
	OPTION_FLAG('n', "native", struct chooser, natives),
	OPTION_FLAG('m', "multiplex", struct chooser, multiplex),
	OPTION_FLAG('x', "excluded", struct chooser, excluded),
	FORMAT_ROW,
	{ 0 }
};

static void parse(struct chooser *ch, int argc, char **argv)
{
	char **words = option_table_parse(rows, help, &ch->o, argc, argv);

	if (!words)
		bad("no event: name one or more, as in pmc-chooser PAPI_TOT_CYC; pmc-avail lists them");
	event_names_check_words(words);
	for (; *words; words++)
		event_names_add(&ch->events, *words);
	if (!ch->presets && !ch->natives)
		ch->presets = 1;
}

static int is_given(const struct chooser *ch, const struct event *ev)
{
	int i;

	for (i = 0; i < ch->events.nr; i++)
		if (!strcmp(ch->events.all[i], ev->name))
			return 1;
	return 0;
}

/* Events that the machine does not have are of neither list. */
static int is_wanted(const struct event *ev, const void *arg)
{
	const struct chooser *ch = arg;

	return ev->state == (ch->excluded ? EVENT_ABSENT : EVENT_AVAILABLE);
}

static int is_had(const struct event *ev, const void *arg)
{
	return ev->state != EVENT_ABSENT && !is_given(arg, ev);
}

/* The state of each event becomes whether it fits; the machine's own lack makes it unknown. */
static void try(const struct chooser *ch, struct catalogue *c, int set)
{
	struct event *ev;
	size_t i;

	if (ch->excluded)
		catalogue_try(c, is_had, ch);
	for (i = 0; i < c->nr; i++) {
		ev = &c->all[i];
		if (!is_had(ev, ch))
			ev->state = EVENT_UNKNOWN;
		else
			ev->state = catalogue_fits(set, ev->code) ? EVENT_AVAILABLE : EVENT_ABSENT;
	}
}

static void list_events(const struct chooser *ch, const struct catalogue *c)
{
	struct event_list list = {
		.types = &ch->types, .format = format_taken(), .width = output_width(stdout),
	};
	size_t nr = 0;
	int kind;

	event_list_begin(&list);
	for (kind = 0; kind < EVENT_KINDS; kind++)
		nr += event_list_print(&list, c, kind, is_wanted, ch);
	if (!nr && format_taken() == FORM_TABLE)
		printf(ch->excluded ? "all events fit beside these\n" :
		       "no event fits beside these: count them in another run, or with -m\n");
}

int main(int argc, char **argv)
{
	struct chooser ch = { 0 };
	struct catalogue c = { .types = &ch.types };
	int set;

	parse(&ch, argc, argv);
	library_begin();
	core_pmus_find(&ch.types);
	set = event_names_new_set(&ch.events, ch.multiplex);
	if (ch.presets) {
		catalogue_add_presets(&c);
		catalogue_add_users(&c);
	}
	if (ch.natives)
		catalogue_add_natives(&c);
	try(&ch, &c, set);
	list_events(&ch, &c);
	catalogue_free(&c);
	event_names_free(&ch.events);
	written(stdout, "the list");
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
	PAPI_shutdown();
	return 0;
}
