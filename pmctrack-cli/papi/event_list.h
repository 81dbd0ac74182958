/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of events: a table, CSV or JSON. */
#ifndef PMCTRACK_PAPI_EVENT_LIST_H
#define PMCTRACK_PAPI_EVENT_LIST_H

#include "catalogue.h"
#include "format.h"

/**
 * struct event_list - how events are listed
 * @types: the core types of the machine
 * @format: table, CSV or JSON
 * @detail: several lines an event instead of a row of a table
 * @width: width of the terminal; 0: none
 * @printed: an event was printed
 */
struct event_list {
	const struct core_pmus *types;
	enum form format;
	int detail;
	int width;
	int printed;
};

/* Print the heading that the form has before all events. */
void event_list_begin(const struct event_list *list);

/*
 * Print the events of a kind in @c that @wanted selects, below a heading if they are a table.
 * Return: how many
 */
size_t event_list_print(struct event_list *list, const struct catalogue *c, enum event_kind kind,
			event_filter *wanted, const void *arg);

/* Print details of one event, with its unit masks. */
void event_list_detail(const struct event_list *list, const struct event *ev);

#endif
