/* SPDX-License-Identifier: GPL-2.0 */
/* Names of events on the command line. */
#ifndef PMCTRACK_PAPI_PARSE_EVENTS_H
#define PMCTRACK_PAPI_PARSE_EVENTS_H

/**
 * struct event_names - events that the user named, in that order
 */
struct event_names {
	char **all;
	int nr;
};

/*
 * Add the names in @text, with commas between them. A comma inside slashes, as in
 * cpu/event=0x3c,umask=1/, is part of a name.
 */
void event_names_add(struct event_names *names, const char *text);

/* bad() if a word is an option that stands behind words */
void event_names_check_words(char **words);

/* The code of an event. bad() if PAPI does not know it */
int event_names_code(const char *name);

/*
 * Add the events to the EventSet @set. Ends with an error line at the first that does not fit: it
 * names the event, and says whether it would fit alone.
 */
void event_names_add_to(const struct event_names *names, int set);

/* Multiplex the EventSet @set, which has a component. library_bad() if that is impossible */
void event_names_multiplex(int set);

/* A new EventSet of the events, multiplexed or not; an error line, too, if they do not fit */
int event_names_new_set(const struct event_names *names, int multiplex);

void event_names_free(struct event_names *names);

#endif
