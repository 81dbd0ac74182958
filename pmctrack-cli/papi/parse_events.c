// SPDX-License-Identifier: GPL-2.0
/* Names of events on the command line: lists of them, their codes, and EventSets of them. */
#include <stdlib.h>
#include <string.h>

#include <papi.h>

#include "../src/common.h"
#include "library.h"
#include "parse_events.h"

/* Length of the first name of a list */
static size_t name_length(const char *text)
{
	int inside = 0;
	size_t len;

	for (len = 0; text[len] && (inside || text[len] != ','); len++)
		inside ^= text[len] == '/';
	return len;
}

void event_names_add(struct event_names *names, const char *text)
{
	size_t len;

	do {
		len = name_length(text);
		if (!len)
			bad("a name is missing between the commas of the events");
		names->all = must_have(realloc(names->all, (names->nr + 1) * sizeof(*names->all)));
		names->all[names->nr++] = must_have(strndup(text, len));
		text += len;
	} while (*text++ == ',');
}

void event_names_check_words(char **words)
{
	for (; words && *words; words++)
		if (**words == '-')
			bad("'%s' stands behind words: options come first", *words);
}

/* PAPI has several codes for a name that it does not know, by the component that looked last. */
static void check_known(int rc, const char *name)
{
	if (rc == PAPI_ENOEVNT || rc == PAPI_ENOTPRESET || rc == PAPI_ENOSUPP || rc == PAPI_EINVAL)
		bad("there is no event '%s' here: pmc-avail WORD lists events with a word in their name or description",
		    name);
	library_must(rc, "'%s'", name);
}

int event_names_code(const char *name)
{
	int code = 0;

	check_known(PAPI_event_name_to_code(name, &code), name);
	return code;
}

/* Does an event find a counter when it is the only one? */
static int fits_alone(const char *name)
{
	int set = PAPI_NULL, rc;

	if (PAPI_create_eventset(&set) != PAPI_OK)
		return 0;
	rc = PAPI_add_named_event(set, name);
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
	return rc == PAPI_OK;
}

void event_names_add_to(const struct event_names *names, int set)
{
	int i, rc;

	for (i = 0; i < names->nr; i++) {
		rc = PAPI_add_named_event(set, names->all[i]);
		if (rc == PAPI_ECNFLCT && i && fits_alone(names->all[i]))
			bad("'%s' finds no counter beside the events before it: count it in another run; pmc-chooser lists what fits",
			    names->all[i]);
		check_known(rc, names->all[i]);
	}
}

void event_names_multiplex(int set)
{
	library_must(PAPI_multiplex_init(), "events cannot take turns");
	library_must(PAPI_set_multiplex(set), "events cannot take turns");
}

int event_names_new_set(const struct event_names *names, int multiplex)
{
	int set = PAPI_NULL;

	library_must(PAPI_create_eventset(&set), "no EventSet can be created");
	if (multiplex) {
		library_must(PAPI_assign_eventset_component(set, 0), "no EventSet for cores");
		event_names_multiplex(set);
	}
	event_names_add_to(names, set);
	return set;
}

void event_names_free(struct event_names *names)
{
	while (names->nr)
		free(names->all[--names->nr]);
	free(names->all);
	names->all = NULL;
}
