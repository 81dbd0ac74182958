/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* EventSets: the events that a program counts together. */
#ifndef PAPI_EVENTSET_H
#define PAPI_EVENTSET_H

#include "count_events.h"
#include "papi.h"

struct overflow;
struct papi_thread;

/**
 * struct eventset - an EventSet
 * @id: its number
 * @state: PAPI_STOPPED or PAPI_RUNNING, and PAPI_MULTIPLEXING, PAPI_ATTACHED, PAPI_CPU_ATTACHED
 * @component: that of its first event, or the assigned one; -1: none yet
 * @granularity: PAPI_GRN_*
 * @own_domain, @own_granularity: the program has chosen these for this EventSet
 * @nr, @events: its events in the order in which they were added
 * @last: their values when it was stopped last
 * @last_error: PAPI_E* of the reading of @last, as PAPI_ECLOST: they are too small
 * @taken: room for their values
 * @target: what it counts
 * @overflow: handlers of its events; NULL: none
 * @open: @counting is made for the events, and its counters are open
 * @ended: the thread ended while the EventSet counted it; its last counts are in @last
 * @thread: thread that opened them
 */
struct eventset {
	int id;
	int state;
	int component;
	int granularity;
	int own_domain;
	int own_granularity;
	int nr;
	const struct papi_event **events;
	long long *last;
	int last_error;
	long long *taken;
	struct target target;
	struct overflow *overflow;
	int open;
	int ended;
	struct papi_thread *thread;
	struct counting counting;
};

/* By number; NULL: there is none. */
struct eventset *eventset_get(int id);

/* The same for a call that changes it: NULL with *@error set if it counts, too. */
struct eventset *eventset_get_stopped(int id, int *error);

/* Close the counters: events or target are about to change. */
void eventset_close(struct eventset *set);

/* How long a turn of multiplexed events lasts, unless an EventSet has its own time */
extern long long eventset_default_multiplex_ns;

/* The component of an EventSet is known now, and so are its default options. */
void eventset_set_component(struct eventset *set, int component);

/* Close the counters of stopped EventSets of a thread. Return: how many there were. */
int eventsets_close_stopped(struct papi_thread *thread);

/* Close the counters of a thread that ends. */
void eventsets_leave_thread(struct papi_thread *thread);

/* In a child process: its parent's counters are not its own. */
void eventsets_forget_parent(void);

void eventsets_exit(void);

#endif
