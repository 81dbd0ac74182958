/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handlers that are called each time an event has happened so many times. The counters that call
 * them are beside those of the EventSet. Where there are not enough for both, they count for the
 * EventSet, too.
 */
#ifndef PAPI_OVERFLOW_EVENTS_H
#define PAPI_OVERFLOW_EVENTS_H

#include <stdint.h>

#include "papi.h"

struct eventset;
struct overflow_counter;
struct papi_event;

/**
 * struct overflow_event - an event of an EventSet that has a handler
 * @event: the event
 * @threshold: number of events from one call to the next
 * @counters: what interrupts the thread, one for each core type; NULL: not open
 * @base: their count when the values of the EventSet began
 */
struct overflow_event {
	const struct papi_event *event;
	int threshold;
	struct overflow_counter *counters;
	long long base;
};

/**
 * overflow_fn - an overflow
 * @index: place of the event in the EventSet
 * @address: the instruction at which it was seen
 * @excess: events beyond the threshold
 * @context: the ucontext_t of the signal
 */
typedef void (*overflow_fn)(struct eventset *set, int index, void *address, long long excess,
			    void *context);

/**
 * struct overflow - the handlers of an EventSet
 * @closed: how often the counters were closed or started anew
 * @fn: is called for each overflow of @events
 * @handler: the program's, of PAPI_overflow()
 * @profile: of PAPI_profil(), instead of @handler; NULL: none
 * @counted_apart: the events of the EventSet, with one that nothing counts in the place of each of
 *	@events: their own counters have the counts. NULL: the EventSet's counters count all
 */
struct overflow {
	int nr;
	unsigned int closed;
	struct overflow_event *events;
	const struct papi_event **counted_apart;
	overflow_fn fn;
	PAPI_overflow_handler_t handler;
	struct profile *profile;
};

/*
 * Call @fn from now on each time that an event of the EventSet has happened @threshold times;
 * 0: no longer. The EventSet is closed. PAPI_OK or PAPI_E*.
 */
int overflow_set(struct eventset *set, int index, int threshold, overflow_fn fn);

/*
 * The place in the EventSet of an event that may have a handler, or PAPI_E*: why it may not.
 * @threshold: 0: a handler is taken away
 */
int overflow_check(const struct eventset *set, int code, int threshold);

/*
 * The EventSet starts or stops to count for the calling thread: open the counters, enable and
 * disable them.
 */
int overflow_open(struct eventset *set);
void overflow_enable(struct eventset *set);
void overflow_disable(struct eventset *set);

/*
 * Make set->counting, which has all events, one that leaves counters for the handlers. PAPI_OK or
 * PAPI_E*, as PAPI_ECNFLCT: children are counted, too, and there are not enough counters for both;
 * set->counting is empty after a failure.
 */
int overflow_leave_counters(struct eventset *set);

/*
 * Store the counts of events that are counted apart at their places. @rc: of the other values.
 * Return: the same, or PAPI_ECLOST instead of PAPI_OK: an event had no counter for some time.
 */
int overflow_store_values(const struct eventset *set, long long *values, int rc);

/* Values of these events begin anew after @values, which have them; NULL: now, without losses. */
void overflow_restart(struct eventset *set, const long long *values);

/* Close the counters: they are opened anew for another thread or other modes. */
void overflow_close(struct eventset *set);

/* In a child process: close the parent's counters, which are not mapped here. */
void overflow_forget_parent(struct eventset *set);

/* Forget all handlers of an EventSet that is stopped. */
void overflow_free(struct eventset *set);

/*
 * overflow_signal.c: counters that interrupt the calling thread. open: NULL with *@error set to a
 * PAPI_E* code; @pinned: they count all the time, or are lost. count: the sum of all core types
 * since they were enabled; PAPI_ECLOST: of those that were not lost.
 */
struct overflow_counter *overflow_counter_open(const struct papi_event *event, int domain,
					       int threshold, int pinned, int *error);
void overflow_counter_enable(struct overflow_counter *counters);
void overflow_counter_disable(struct overflow_counter *counters);
int overflow_counter_count(const struct overflow_counter *counters, long long *sum);
void overflow_counter_close(struct overflow_counter *counters);
void overflow_counter_forget_parent(struct overflow_counter *counters);

/* The signal of overflows */
int overflow_signal_number(void);

/* Is the calling thread in a handler? It may have interrupted malloc(). */
int overflow_in_handler(void);

#endif
