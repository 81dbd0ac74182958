// SPDX-License-Identifier: LGPL-2.1-or-later
/* EventSets: the table of all, and their events. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "errors.h"
#include "eventset.h"
#include "library.h"
#include "overflow_events.h"
#include "papi_thread.h"

/*
 * The table has two levels, so that entries do not move while other threads use them. A number
 * is used again after its EventSet was destroyed. After PAPI_shutdown() the others are given
 * first, as the rates and the high level of a thread may still have old ones.
 */
#define PER_CHUNK	64
#define MAX_CHUNKS	1024
#define NUMBERS		(PER_CHUNK * MAX_CHUNKS)

static struct eventset **chunks[MAX_CHUNKS];
static int first_number;	/* after PAPI_library_init() */
static int nr_numbers;		/* that were given since then */

long long eventset_default_multiplex_ns = 10000000;

static int number(int n)
{
	return (first_number + n) % NUMBERS;
}

static struct eventset **entry(int id)
{
	struct eventset **chunk;

	if (id < 0 || id >= NUMBERS)
		return NULL;
	chunk = __atomic_load_n(&chunks[id / PER_CHUNK], __ATOMIC_ACQUIRE);
	return chunk ? &chunk[id % PER_CHUNK] : NULL;
}

struct eventset *eventset_get(int id)
{
	struct eventset **e = entry(id);

	return e ? __atomic_load_n(e, __ATOMIC_ACQUIRE) : NULL;
}

struct eventset *eventset_get_stopped(int id, int *error)
{
	struct eventset *set = eventset_get(id);

	*error = !papi_machine() ? PAPI_ENOINIT : !set ? PAPI_ENOEVST :
		 set->state & PAPI_RUNNING ? PAPI_EISRUN : PAPI_OK;
	return *error == PAPI_OK ? set : NULL;
}

/* Make the EventSet one that is not open; the lock is held. Return: was it open? */
static int take_counting(struct eventset *set, struct counting *counting)
{
	if (!set->open)
		return 0;
	*counting = set->counting;
	set->open = 0;
	set->thread = NULL;
	forks_see_this();
	memset(&set->counting, 0, sizeof(set->counting));
	return 1;
}

/*
 * Another thread may close the EventSet of one that ends, or fork at any time. Neither that
 * thread nor the child closes again what is closed here: the EventSet is not open any more.
 */
void eventset_close(struct eventset *set)
{
	struct counting counting;
	int was_open;

	overflow_close(set);
	papi_lock();
	was_open = take_counting(set, &counting);
	papi_unlock();
	if (!was_open)
		return;
	counting_close(&counting);
	counting_free(&counting);
}

/* Without a component, events or target */
static void clear(struct eventset *set)
{
	set->nr = 0;
	set->state = PAPI_STOPPED;
	set->component = -1;
	set->granularity = PAPI_GRN_THR;
	set->own_domain = 0;
	set->own_granularity = 0;
	set->target = (struct target){ .domain = PAPI_DOM_USER, .cpu = -1 };
	set->ended = 0;
	set->last_error = PAPI_OK;
}

/* Take what the program has not chosen for the EventSet itself. */
static void take_defaults(struct eventset *set, int component)
{
	const PAPI_component_info_t *info = component_get(component);

	if (!set->own_domain)
		set->target.domain = info->default_domain ? info->default_domain : PAPI_DOM_USER;
	if (set->own_granularity || set->state & (PAPI_ATTACHED | PAPI_CPU_ATTACHED))
		return;
	set->granularity = info->default_granularity ? info->default_granularity : PAPI_GRN_THR;
	set->target.cpu = set->granularity == PAPI_GRN_SYS ? sched_getcpu() : -1;
}

void eventset_set_component(struct eventset *set, int component)
{
	set->component = component;
	take_defaults(set, component);
}

/* An entry that is free; NULL: no memory, or too many EventSets. The lock is held. */
static struct eventset **free_entry(int *id)
{
	struct eventset **chunk;
	int n;

	for (n = 0; n < nr_numbers; n++) {
		*id = number(n);
		if (!eventset_get(*id))
			return entry(*id);
	}
	if (n == NUMBERS)
		return NULL;
	*id = number(n);
	if (!entry(*id)) {
		chunk = calloc(PER_CHUNK, sizeof(*chunk));
		if (!chunk)
			return NULL;
		__atomic_store_n(&chunks[*id / PER_CHUNK], chunk, __ATOMIC_RELEASE);
	}
	nr_numbers++;
	return entry(*id);
}

int PAPI_create_eventset(int *id)
{
	struct eventset *set, **e;

	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (!id || *id != PAPI_NULL)
		return papi_fail(PAPI_EINVAL);
	set = calloc(1, sizeof(*set));
	if (!set)
		return papi_fail(PAPI_ENOMEM);
	clear(set);
	papi_lock();
	e = free_entry(&set->id);
	if (e)
		__atomic_store_n(e, set, __ATOMIC_RELEASE);
	papi_unlock();
	if (!e) {
		free(set);
		return papi_fail(PAPI_ENOMEM);
	}
	*id = set->id;
	return PAPI_OK;
}

static void free_set(struct eventset *set)
{
	overflow_free(set);
	eventset_close(set);
	free(set->events);
	free(set->last);
	free(set->taken);
	free(set);
}

int PAPI_destroy_eventset(int *id)
{
	struct eventset *set;
	int error;

	if (!id)
		return papi_fail(PAPI_EINVAL);
	set = eventset_get_stopped(*id, &error);
	if (!set)
		return papi_fail(error);
	if (set->nr)
		return papi_fail(PAPI_EINVAL);
	papi_lock();
	__atomic_store_n(entry(*id), NULL, __ATOMIC_RELEASE);
	papi_unlock();
	free_set(set);
	*id = PAPI_NULL;
	return PAPI_OK;
}

int PAPI_cleanup_eventset(int id)
{
	int error;
	struct eventset *set = eventset_get_stopped(id, &error);

	if (!set)
		return papi_fail(error);
	overflow_free(set);
	eventset_close(set);
	clear(set);
	return PAPI_OK;
}

/* Counters of other threads and of CPUs count on; they are only no longer this thread's. */
static void leave(struct eventset *set)
{
	int rc;

	if (set->target.tid || set->target.cpu >= 0) {
		set->thread = NULL;
		return;
	}
	if (set->state & PAPI_RUNNING) {
		rc = counting_stop(&set->counting, set->last);
		set->last_error = overflow_store_values(set, set->last, rc);
		set->ended = 1;
	}
	eventset_close(set);
}

void eventsets_leave_thread(struct papi_thread *thread)
{
	struct eventset *set;
	int n;

	papi_lock();
	thread_clear_running(thread);
	for (n = 0; n < nr_numbers; n++) {
		set = eventset_get(number(n));
		if (set && set->thread == thread)
			leave(set);
	}
	papi_unlock();
}

int eventsets_close_stopped(struct papi_thread *thread)
{
	struct eventset *set;
	int n, nr = 0;

	papi_lock();
	for (n = 0; n < nr_numbers; n++) {
		set = eventset_get(number(n));
		if (!set || !set->open || set->thread != thread || set->state & PAPI_RUNNING)
			continue;
		eventset_close(set);
		nr++;
	}
	papi_unlock();
	return nr;
}

void eventsets_forget_parent(void)
{
	struct eventset *set;
	int n;

	for (n = 0; n < nr_numbers; n++) {
		set = eventset_get(number(n));
		if (!set)
			continue;
		overflow_forget_parent(set);
		eventset_close(set);
		set->state = (set->state & ~PAPI_RUNNING) | PAPI_STOPPED;
		set->ended = 0;
	}
}

/* No thread has a running EventSet any more. */
void eventsets_exit(void)
{
	struct eventset *set;
	int n;

	for (n = 0; n < nr_numbers; n++) {
		set = eventset_get(number(n));
		if (!set)
			continue;
		*entry(number(n)) = NULL;
		free_set(set);
	}
	for (n = 0; n < MAX_CHUNKS; n++) {
		free(chunks[n]);
		chunks[n] = NULL;
	}
	first_number = number(nr_numbers);
	nr_numbers = 0;
}

static int index_of(const struct eventset *set, const struct papi_event *event)
{
	int i;

	for (i = 0; i < set->nr; i++)
		if (set->events[i] == event)
			return i;
	return -1;
}

/* The arrays have room for one event less than a power of two. */
static int make_room(struct eventset *set)
{
	size_t room = 2 * set->nr + 1;
	const struct papi_event **events;
	long long *last, *taken;

	if (set->nr & (set->nr + 1))
		return PAPI_OK;
	events = realloc(set->events, room * sizeof(*events));
	if (events)
		set->events = events;
	last = realloc(set->last, room * sizeof(*last));
	if (last)
		set->last = last;
	taken = realloc(set->taken, room * sizeof(*taken));
	if (taken)
		set->taken = taken;
	return events && last && taken ? PAPI_OK : PAPI_ENOMEM;
}

/* Return: whether this is the first event with modes, after virtual counters without them. */
static int brings_modes(const struct eventset *set, const struct papi_event *event)
{
	int i;

	if (set->component != COMPONENT_VIRTUAL || event->component != COMPONENT_CPU)
		return 0;
	for (i = 0; i < set->nr; i++)
		if (set->events[i]->component == COMPONENT_CPU)
			return 0;
	return 1;
}

static int try_and_add(struct eventset *set, const struct papi_event *event)
{
	int rc;

	/* fork() waits for the lock: a child that destroys the EventSet has no array that was moved. */
	papi_lock();
	rc = make_room(set);
	papi_unlock();
	if (rc != PAPI_OK)
		return rc;
	set->events[set->nr] = event;
	/* Each of events that take turns has to fit by itself. */
	rc = set->target.multiplex_ns ? counting_try(&event, 1, &set->target) :
	     counting_try(set->events, set->nr + 1, &set->target);
	if (rc != PAPI_OK)
		return rc;
	eventset_close(set);
	set->last[set->nr++] = 0;
	return PAPI_OK;
}

static int add(struct eventset *set, const struct papi_event *event)
{
	const PAPI_component_info_t *info = component_get(event->component);
	int rc, granularity;
	struct target before;

	if (info->disabled)
		return PAPI_ECMP_DISABLED;
	/* Counters and virtual counters can be in one EventSet. */
	if (set->component == COMPONENT_SYSDETECT)
		return PAPI_EINVAL;
	if (set->component < 0)
		eventset_set_component(set, event->component);
	if (index_of(set, event) >= 0)
		return PAPI_ECNFLCT;
	before = set->target;
	granularity = set->granularity;
	if (brings_modes(set, event))
		take_defaults(set, COMPONENT_CPU);
	rc = try_and_add(set, event);
	if (rc != PAPI_OK) {
		set->target = before;
		set->granularity = granularity;
	}
	return rc;
}

int PAPI_add_event(int id, int code)
{
	int rc;
	struct eventset *set = eventset_get_stopped(id, &rc);
	const struct papi_event *event;

	if (set && !(code & (PAPI_PRESET_MASK | PAPI_NATIVE_MASK)))
		rc = PAPI_EINVAL;
	if (rc == PAPI_OK) {
		event = papi_event_by_code(code);
		rc = event ? add(set, event) : PAPI_ENOEVNT;
	}
	return papi_fail(rc);
}

int PAPI_add_named_event(int id, const char *name)
{
	int rc;
	struct eventset *set = eventset_get_stopped(id, &rc);
	const struct papi_event *event;

	if (set && !name)
		rc = PAPI_EINVAL;
	if (rc == PAPI_OK) {
		event = papi_event_by_name(name, &rc);
		rc = event ? add(set, event) : rc;
	}
	return papi_fail(rc);
}

/* As PAPI: how many were added, if some were, or the error of the first. */
int PAPI_add_events(int id, int *codes, int number)
{
	int i, rc = PAPI_OK;

	if (!codes || number <= 0)
		return papi_fail(PAPI_EINVAL);
	for (i = 0; i < number && rc == PAPI_OK; i++)
		rc = PAPI_add_event(id, codes[i]);
	return rc == PAPI_OK ? rc : i > 1 ? i - 1 : rc;
}

static int remove_at(struct eventset *set, int i)
{
	eventset_close(set);
	if (set->overflow)
		overflow_set(set, i, 0, NULL);
	set->nr--;
	memmove(set->events + i, set->events + i + 1, (set->nr - i) * sizeof(*set->events));
	memmove(set->last + i, set->last + i + 1, (set->nr - i) * sizeof(*set->last));
	return PAPI_OK;
}

static int remove_event(int id, const struct papi_event *event, int why_not)
{
	int rc, i;
	struct eventset *set = eventset_get_stopped(id, &rc);

	if (!set)
		return papi_fail(rc);
	if (!event)
		return papi_fail(why_not);
	i = index_of(set, event);
	return i < 0 ? papi_fail(PAPI_EINVAL) : remove_at(set, i);
}

int PAPI_remove_event(int id, int code)
{
	return remove_event(id, papi_event_by_code(code), PAPI_ENOEVNT);
}

int PAPI_remove_named_event(int id, const char *name)
{
	int error = PAPI_EINVAL;
	const struct papi_event *event = name ? papi_event_by_name(name, &error) : NULL;

	return remove_event(id, event, error);
}

int PAPI_remove_events(int id, int *codes, int number)
{
	int i, rc = PAPI_OK;

	if (!codes || number <= 0)
		return papi_fail(PAPI_EINVAL);
	for (i = 0; i < number && rc == PAPI_OK; i++)
		rc = PAPI_remove_event(id, codes[i]);
	return rc == PAPI_OK ? rc : i > 1 ? i - 1 : rc;
}

int PAPI_num_events(int id)
{
	const struct eventset *set = eventset_get(id);

	if (!set)
		return papi_fail(PAPI_ENOEVST);
	return set->nr;
}

int PAPI_list_events(int id, int *codes, int *number)
{
	const struct eventset *set = eventset_get(id);
	int i, room;

	if (!set)
		return papi_fail(PAPI_ENOEVST);
	if (!number || *number < 0 || (!codes && *number))
		return papi_fail(PAPI_EINVAL);
	room = codes ? *number : 0;
	for (i = 0; i < set->nr && i < room; i++)
		codes[i] = set->events[i]->code;
	*number = room ? i : set->nr;
	return PAPI_OK;
}

int PAPI_assign_eventset_component(int id, int cidx)
{
	struct eventset *set = eventset_get(id);

	if (!set)
		return papi_fail(PAPI_ENOEVST);
	if (!component_get(cidx))
		return papi_fail(PAPI_ENOCMP);
	if (set->component >= 0)
		return papi_fail(PAPI_EINVAL);
	eventset_set_component(set, cidx);
	return PAPI_OK;
}

int PAPI_get_eventset_component(int id)
{
	const struct eventset *set = eventset_get(id);

	if (!set)
		return papi_fail(PAPI_ENOEVST);
	return set->component < 0 ? papi_fail(PAPI_ENOCMP) : set->component;
}

int PAPI_state(int id, int *status)
{
	const struct eventset *set = eventset_get(id);

	if (!status)
		return papi_fail(PAPI_EINVAL);
	if (!set)
		return papi_fail(PAPI_ENOEVST);
	*status = set->state;
	return PAPI_OK;
}
