// SPDX-License-Identifier: GPL-2.0
/* pmc-avail: list the preset and native events of PAPI, by core type. */
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
"Usage: pmc-avail [OPTION]... [WORD]...\n"
"List the events that PAPI programs can count on this machine. With words, as in\n"
"pmc-avail cache miss, those that have all the words in their name or description.\n"
"\n"
"  -p, --presets             list preset events, whose names are the same on all machines\n"
"                            (default, if there are no words), and those of the user\n"
"  -n, --native              list native events, which are those of the hardware\n"
"  -a, --available           only those that can be counted here. Each native event is tried\n"
"  -t, --core-type=PMU       only those that this core type counts, as adl_glc\n"
"  -d, --detail              all that is known of each event: its formula, the native events\n"
"                            that it is made of, its unit masks\n"
"  -e, --event=EVENT         details of this event; may be repeated\n"
FORMAT_HELP
"\n"
"On a machine whose cores differ, a preset is the sum of the core types' own formulas.\n"
"NAME counts on all core types, and PMU::NAME on one.\n"
"\n"
"Examples: pmc-avail -a                    which presets can be counted?\n"
"          pmc-avail -n branch             native events that have to do with branches\n"
"          pmc-avail -e PAPI_L1_DCM        what does this preset count?\n";

struct avail {
	struct options o;	/* first, for the table */
	int presets;
	int natives;
	int available;
	int detail;
	const char *type;
	struct event_names events;	/* -e */
	char **words;
	struct core_pmus types;
	unsigned int wanted_types;
};

static void take_event(struct options *o, const char *text)
{
	event_names_add(&((struct avail *)o)->events, text);
}

static const struct option_row rows[] = {
	OPTION_FLAG('p', "presets", struct avail, presets),
	OPTION_FLAG('n', "native", struct avail, natives),
	OPTION_FLAG('a', "available", struct avail, available),
	OPTION_TEXT('t', "core-type", struct avail, type),
	OPTION_FLAG('d', "detail", struct avail, detail),
	OPTION_TAKE('e', "event", take_event),
	FORMAT_ROW,
	{ 0 }
};

static int has_word(const char *text, const char *word)
{
	return strcasestr(text, word) != NULL;
}

static int is_wanted(const struct event *ev, const void *arg)
{
	const struct avail *a = arg;
	char **word;

	if (a->available && ev->state == EVENT_ABSENT)
		return 0;
	if (a->type && !(ev->core_types & a->wanted_types))
		return 0;
	for (word = a->words; word && *word; word++)
		if (!has_word(ev->name, *word) && !has_word(ev->description, *word))
			return 0;
	return 1;
}

static void find_type(struct avail *a)
{
	char list[CORE_PMUS_MAX * (PAPI_MIN_STR_LEN + 2)] = "";
	size_t len = 0;
	int i;

	for (i = 0; i < a->types.nr; i++) {
		if (!strcmp(a->types.name[i], a->type)) {
			a->wanted_types = 1U << i;
			return;
		}
		len += snprintf(list + len, sizeof(list) - len, "%s%s", len ? ", " : "",
				a->types.name[i]);
	}
	if (a->types.nr < 2)
		bad("-t %s: the cores of this machine are equal: leave out -t", a->type);
	bad("-t: there is no core type '%s': take one of %s", a->type, list);
}

/* Rows of unit masks are for programs; a person sees them among the details of their event. */
static void add_umasks(const struct avail *a, struct catalogue *c)
{
	size_t i, nr = c->nr;

	if (!a->detail || format_taken() == FORM_TABLE)
		return;
	for (i = 0; i < nr; i++)
		catalogue_add_umasks(c, c->all[i].code);
}

static void refuse_words(const struct avail *a)
{
	char list[256] = "";
	size_t len = 0;
	char **word;

	for (word = a->words; word && *word && len < sizeof(list); word++)
		len += snprintf(list + len, sizeof(list) - len, "%s'%s'",
				word == a->words ? "" : " and ", *word);
	if (a->words)
		bad("no event has %s in its name or description%s", list,
		    a->available ? ", of those that can be counted: leave out -a" :
		    a->natives ? "" : ": pmc-avail -n lists the native events");
	bad("no such event can be counted here: pmctrack doctor says whether counting works");
}

/* Words are looked for in all events. */
static void choose_kinds(struct avail *a)
{
	if (a->presets || a->natives)
		return;
	a->presets = 1;
	a->natives = a->words != NULL;
}

static void list_events(struct avail *a, struct event_list *list)
{
	struct catalogue c = { .types = &a->types };
	size_t nr = 0;
	int kind;

	if (a->presets) {
		catalogue_add_presets(&c);
		catalogue_add_users(&c);
	}
	if (a->natives)
		catalogue_add_natives(&c);
	add_umasks(a, &c);
	if (a->available)
		catalogue_try(&c, is_wanted, a);
	event_list_begin(list);
	for (kind = 0; kind < EVENT_KINDS; kind++)
		nr += event_list_print(list, &c, kind, is_wanted, a);
	catalogue_free(&c);
	if (!nr)
		refuse_words(a);
}

static int is_any(const struct event *ev, const void *arg)
{
	(void)ev;
	(void)arg;
	return 1;
}

/* -e: the events of the command line, in its order, each with its unit masks */
static void show_events(struct avail *a, struct event_list *list)
{
	struct catalogue c = { .types = &a->types };
	int i, code, kind;

	for (i = 0; i < a->events.nr; i++) {
		code = event_names_code(a->events.all[i]);
		library_must(catalogue_add_event(&c, code), "-e %s", a->events.all[i]);
	}
	a->detail = 1;
	add_umasks(a, &c);
	catalogue_try(&c, is_any, NULL);
	event_list_begin(list);
	if (list->format == FORM_TABLE)
		for (i = 0; i < (int)c.nr; i++)
			event_list_detail(list, &c.all[i]);
	else
		for (kind = 0; kind < EVENT_KINDS; kind++)
			event_list_print(list, &c, kind, is_any, NULL);
	catalogue_free(&c);
}

int main(int argc, char **argv)
{
	struct avail a = { 0 };
	struct event_list list = { .types = &a.types };

	a.words = option_table_parse(rows, help, &a.o, argc, argv);
	event_names_check_words(a.words);
	if (a.events.nr && (a.words || a.presets || a.natives || a.available || a.type))
		bad("-e shows the events that it names: leave out the other options and words");
	library_begin();
	core_pmus_find(&a.types);
	if (a.type)
		find_type(&a);
	choose_kinds(&a);
	list.format = format_taken();
	list.detail = a.detail;
	list.width = output_width(stdout);
	if (a.events.nr)
		show_events(&a, &list);
	else
		list_events(&a, &list);
	event_names_free(&a.events);
	written(stdout, "the list");
	PAPI_shutdown();
	return 0;
}
