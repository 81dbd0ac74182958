// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The high level: PAPI_hl_region_begin() and the calls that belong to it.
 *
 * The first call chooses the events for all threads. Each thread has EventSets of its own and
 * measures without a lock. After an error the high level is off: its calls give PAPI_EMISC,
 * and the regions that were finished until then are in the output.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "high_messages.h"
#include "high_output.h"
#include "implicit_init.h"
#include "rates.h"

enum state { HL_NEW, HL_READY, HL_OFF };

static struct {
	pthread_mutex_t lock;		/* of the changes of the fields below */
	_Atomic enum state state;
	bool at_exit;			/* the functions at exit and fork are registered */
	pthread_key_t key;		/* a thread's end closes its EventSets */
	struct hl_events events;
	struct hl_thread *threads;	/* sorted by their numbers */
	struct hl_thread *of_parents;	/* of the processes that this one is forked from */
} hl = { .lock = PTHREAD_MUTEX_INITIALIZER };

static __thread struct hl_thread *me;

/* Other threads close their EventSets at their next call. */
static int turn_off(int err)
{
	hl_warn("the high level is off after an error: %s", PAPI_strerror(err));
	atomic_store(&hl.state, HL_OFF);
	if (me)
		hl_thread_close(me);
	return err;
}

/* PAPI_ENOEVNT: it does not count. */
static int stop(void)
{
	int err;

	if (!me || !me->counting)
		return PAPI_ENOEVNT;
	err = hl_thread_stop(me);
	return err ? turn_off(err) : PAPI_OK;
}

static int stop_if_running(void)
{
	int err = stop();

	return err == PAPI_ENOEVNT ? PAPI_OK : err;
}

static void thread_ends(void *thread)
{
	hl_thread_close(thread);
}

static bool open_regions(void)
{
	const struct hl_thread *thread;

	for (thread = hl.threads; thread; thread = thread->next) {
		if (thread->open)
			return true;
	}
	return false;
}

static void write_output(void)
{
	pthread_mutex_lock(&hl.lock);
	if (open_regions())
		hl_warn("regions that were not ended are not in the output");
	hl_output_write(&hl.events, hl.threads);
	atomic_store(&hl.state, HL_OFF);
	pthread_mutex_unlock(&hl.lock);
}

/*
 * The regions until then are the parent's; the child measures its own. To free the parent's
 * would copy pages at each fork.
 */
static void child_begins(void)
{
	struct hl_thread **end;

	pthread_mutex_init(&hl.lock, NULL);
	for (end = &hl.of_parents; *end; end = &(*end)->next)
		;
	*end = hl.threads;
	hl.threads = NULL;
	me = NULL;
	pthread_setspecific(hl.key, NULL);
}

static int register_ends(void)
{
	if (hl.at_exit)
		return PAPI_OK;
	if (pthread_key_create(&hl.key, thread_ends) || atexit(write_output) ||
	    pthread_atfork(NULL, NULL, child_begins))
		return PAPI_ESYS;
	rates_stop_before(stop_if_running);
	hl.at_exit = true;
	return PAPI_OK;
}

static bool multiplex_wanted(void)
{
	int err;

	if (!getenv("PAPI_MULTIPLEX"))
		return false;
	err = PAPI_multiplex_init();
	if (err)
		hl_warn("events cannot take turns: %s", PAPI_strerror(err));
	return !err;
}

/* PAPI_HL_THREAD_MULTIPLE=0: the program has one thread. */
static bool one_thread(void)
{
	const char *value = getenv("PAPI_HL_THREAD_MULTIPLE");

	return value && atoi(value) != 1;
}

static int init(void)
{
	int err = papi_implicit_init(one_thread());

	if (!err)
		err = register_ends();
	if (!err)
		err = hl_output_prepare();
	if (err) {
		hl_warn("nothing is measured: %s", PAPI_strerror(err));
		return PAPI_EMISC;
	}
	hl.events.multiplex = multiplex_wanted();
	err = hl_events_choose(&hl.events, getenv("PAPI_EVENTS"));
	if (err)
		hl_warn("no event can be counted: %s", PAPI_strerror(err));
	return err;
}

static int init_once(void)
{
	int err = PAPI_OK;

	pthread_mutex_lock(&hl.lock);
	if (atomic_load(&hl.state) == HL_NEW) {
		err = init();
		atomic_store(&hl.state, err ? HL_OFF : HL_READY);
	} else if (atomic_load(&hl.state) == HL_OFF) {
		err = PAPI_EMISC;
	}
	pthread_mutex_unlock(&hl.lock);
	return err;
}

static void add_thread(struct hl_thread *thread)
{
	struct hl_thread **at;

	pthread_mutex_lock(&hl.lock);
	for (at = &hl.threads; *at && (*at)->id <= thread->id; at = &(*at)->next)
		;
	thread->next = *at;
	*at = thread;
	pthread_mutex_unlock(&hl.lock);
}

static int make_thread(void)
{
	struct hl_thread *thread = hl_thread_new(&hl.events);

	if (!thread)
		return PAPI_ENOMEM;
	add_thread(thread);
	me = thread;
	pthread_setspecific(hl.key, thread);
	return PAPI_OK;
}

static bool is_off(void)
{
	if (atomic_load_explicit(&hl.state, memory_order_acquire) != HL_OFF)
		return false;
	if (me)
		hl_thread_close(me);
	return true;
}

static int get_ready(void)
{
	int err = PAPI_OK;

	/* Whether the rates were right does not matter here. */
	if (rates_running())
		PAPI_rate_stop();
	if (is_off())
		return PAPI_EMISC;
	if (atomic_load_explicit(&hl.state, memory_order_acquire) == HL_NEW)
		err = init_once();
	if (!err && !me)
		err = make_thread();
	return err;
}

int PAPI_hl_region_begin(const char *region)
{
	int err;

	if (!region)
		return PAPI_EINVAL;
	err = get_ready();
	if (err)
		return err;
	err = hl_thread_start(me);
	if (!err)
		err = hl_region_begin(me, region);
	return err ? turn_off(err) : PAPI_OK;
}

/* What PAPI_hl_read() and PAPI_hl_region_end() want to be so. */
static int check_begun(const char *region, const char *call)
{
	if (!region)
		return PAPI_EINVAL;
	if (is_off())
		return PAPI_EMISC;
	if (me && me->nr_begun)
		return PAPI_OK;
	hl_warn("%s(\"%s\") without a region", call, region);
	return PAPI_EMISC;
}

int PAPI_hl_read(const char *region)
{
	int err = check_begun(region, "PAPI_hl_read");

	if (err)
		return err;
	err = hl_region_read(me, region);
	if (err == PAPI_ENOEVNT) {
		/* PAPI does without the reading. */
		hl_warn("PAPI_hl_read(\"%s\"): the innermost region has another name", region);
		return PAPI_OK;
	}
	return err ? turn_off(err) : PAPI_OK;
}

int PAPI_hl_region_end(const char *region)
{
	int err = check_begun(region, "PAPI_hl_region_end");

	if (err)
		return err;
	err = hl_region_end(me, region);
	if (err == PAPI_ENOEVNT) {
		hl_warn("PAPI_hl_region_end(\"%s\"): the innermost region has another name",
			region);
		err = PAPI_EINVAL;
	}
	return err ? turn_off(err) : PAPI_OK;
}

int PAPI_hl_stop(void)
{
	return stop();
}
