// SPDX-License-Identifier: LGPL-2.1-or-later
/* Start, read and stop EventSets. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "eventset.h"
#include "library.h"
#include "overflow_events.h"
#include "papi_thread.h"
#include "virtuals.h"

/* Is the calling thread counted, and not another one or a CPU? */
static int counts_caller(const struct target *target)
{
	return !target->tid && target->cpu < 0;
}

/* Can it be counted by a caliper? */
static int is_self(const struct target *target)
{
	return counts_caller(target) && !target->inherit && !target->multiplex_ns &&
	       !target->sample_period;
}

static const struct counter_ops *choose_ops(const struct counting *c)
{
	if (c->target.sample_period)
		return &samples_ops;
	if (!is_self(&c->target) || !pmc_machine_has_module(papi_machine()))
		return &session_ops;
	return counting_is_sums(c) ? &caliper_ops : &formula_ops;
}

/* The counters belong to the thread that opened them, unless they count another one. */
static int open_set(struct eventset *set, struct papi_thread *thread)
{
	int rc;

	if (set->open && set->thread == thread)
		return PAPI_OK;
	eventset_close(set);
	rc = counting_init(&set->counting, set->events, set->nr, &set->target);
	if (rc == PAPI_OK && set->overflow)
		rc = overflow_leave_counters(set);
	if (rc != PAPI_OK)
		return rc;
	set->counting.ops = choose_ops(&set->counting);
	forks_see_this();
	set->open = 1;
	set->thread = thread;
	rc = counting_open(&set->counting);
	if (rc != PAPI_OK)
		eventset_close(set);
	return rc;
}

static int open_and_start(struct eventset *set, struct papi_thread *thread)
{
	int rc = open_set(set, thread);

	if (rc == PAPI_OK && set->overflow)
		rc = overflow_open(set);
	return rc == PAPI_OK ? counting_start(&set->counting) : rc;
}

/*
 * Stopped EventSets of the thread keep their counters, so that the next start costs little. They
 * make room for one that needs them. Counters may have been revoked since they were opened.
 */
static int start_set(struct eventset *set, struct papi_thread *thread)
{
	int rc = open_and_start(set, thread);

	if (rc == PAPI_OK)
		return rc;
	if (rc != PAPI_ECLOST && !eventsets_close_stopped(thread))
		return rc;
	eventset_close(set);
	return open_and_start(set, thread);
}

/* Does an EventSet with one of the components count the thread? */
static int any_running(const struct eventset *set, const struct papi_thread *thread)
{
	int i;

	for (i = 0; i < set->nr; i++)
		if (thread->running[set->events[i]->component])
			return 1;
	return 0;
}

static void set_running(const struct eventset *set, struct papi_thread *thread, struct eventset *value)
{
	int i;

	for (i = 0; i < set->nr; i++)
		thread->running[set->events[i]->component] = value;
}

/* One EventSet of a component counts a thread at a time, as PAPI has it since version 3. */
static int check_start(const struct eventset *set, const struct papi_thread *thread)
{
	if (set->component < 0)
		return PAPI_ENOCMP;
	if (set->state & PAPI_RUNNING)
		return PAPI_EISRUN;
	if (counts_caller(&set->target) && any_running(set, thread))
		return PAPI_EISRUN;
	return set->nr ? PAPI_OK : PAPI_EINVAL;
}

/* What PAPI_read() and its like look at first: a caliper that reads all values */
static void set_quick(struct eventset *set, struct papi_thread *thread)
{
	if (!counts_caller(&set->target) || !counting_caliper(&set->counting) ||
	    (set->overflow && set->overflow->counted_apart))
		return;
	thread->quick = counting_caliper(&set->counting);
	thread->quick_set = set;
	thread->quick_id = set->id;
}

static void block_handler(const struct eventset *set, sigset_t *before);
static void unblock_handler(const sigset_t *before, int was_blocked);

/* The first signal may come when not all counters are enabled, and its handler stop them. */
static void enable_overflows(struct eventset *set)
{
	sigset_t before;

	block_handler(set, &before);
	overflow_enable(set);
	unblock_handler(&before, 1);
}

int PAPI_start(int id)
{
	struct eventset *set = eventset_get(id);
	struct papi_thread *thread;
	int rc;

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	thread = thread_self();
	if (!thread)
		return papi_fail(PAPI_ENOMEM);
	rc = check_start(set, thread);
	if (rc == PAPI_OK)
		rc = start_set(set, thread);
	if (rc != PAPI_OK)
		return papi_fail(rc);
	if (counts_caller(&set->target))
		set_running(set, thread, set);
	set_quick(set, thread);
	set->state = (set->state & ~PAPI_STOPPED) | PAPI_RUNNING;
	if (set->overflow)
		enable_overflows(set);
	return PAPI_OK;
}

/*
 * The calling thread's counters are read by instructions, which read those of no other thread, or
 * by a session, which two threads would read at once without a lock.
 */
static int may_read(const struct eventset *set)
{
	return set->thread == papi_this_thread ||
	       (!counts_caller(&set->target) && !virtual_is_own(set->counting.virtuals));
}

/*
 * An overflow handler may read a caliper while the code that it interrupts does the same. All
 * other calls have to end first, so the signal waits.
 */
static void block_handler(const struct eventset *set, sigset_t *before)
{
	sigset_t signals;

	if (!set->overflow)
		return;
	sigemptyset(&signals);
	sigaddset(&signals, overflow_signal_number());
	pthread_sigmask(SIG_BLOCK, &signals, before);
}

static void unblock_handler(const sigset_t *before, int was_blocked)
{
	if (was_blocked)
		pthread_sigmask(SIG_SETMASK, before, NULL);
}

static int has_values(int rc)
{
	return rc == PAPI_OK || rc == PAPI_ECLOST;
}

static int call(struct eventset *set, int (*op)(struct counting *c, long long *values),
		long long *values)
{
	sigset_t before;
	int rc;

	if (!may_read(set))
		return PAPI_ENOSUPP;
	if (!set->overflow)
		return op(&set->counting, values);
	block_handler(set, &before);
	rc = op(&set->counting, values);
	if (has_values(rc))
		rc = overflow_store_values(set, values, rc);
	unblock_handler(&before, 1);
	return rc;
}

static void set_stopped(struct eventset *set)
{
	set->ended = 0;
	set->state = (set->state & ~PAPI_RUNNING) | PAPI_STOPPED;
	if (!set->thread || !counts_caller(&set->target))
		return;
	set_running(set, set->thread, NULL);
	if (set->thread->quick_id == set->id)
		set->thread->quick_id = NO_QUICK_ID;
}

/* A signal that comes meanwhile finds no EventSet that runs. */
static int stop_set(struct eventset *set)
{
	int blocked = set->overflow != NULL;
	sigset_t before;

	if (!set->ended && !may_read(set))
		return PAPI_ENOSUPP;
	block_handler(set, &before);
	if (!set->ended) {
		set->last_error = counting_stop(&set->counting, set->last);
		if (set->overflow) {
			set->last_error = overflow_store_values(set, set->last, set->last_error);
			overflow_disable(set);
		}
	}
	set_stopped(set);
	unblock_handler(&before, blocked);
	return set->last_error;
}

int PAPI_stop(int id, long long *values)
{
	struct eventset *set = eventset_get(id);
	int rc;

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	if (set->component < 0)
		return papi_fail(PAPI_ENOCMP);
	if (!(set->state & PAPI_RUNNING))
		return papi_fail(PAPI_ENOTRUN);
	rc = stop_set(set);
	if (values && has_values(rc))
		memcpy(values, set->last, set->nr * sizeof(*values));
	return papi_fail(rc);
}

/* The counts of a stopped EventSet, or of a thread that has ended, do not change. */
static int counts_now(const struct eventset *set)
{
	return set->state & PAPI_RUNNING && !set->ended;
}

/* Not inlined: PAPI_read(), PAPI_reset() and PAPI_accum() would save registers on their quick paths. */
#define SLOW_PATH	__attribute__((noinline))

SLOW_PATH static int read_set(int id, long long *values)
{
	struct eventset *set = eventset_get(id);

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	if (set->component < 0)
		return papi_fail(PAPI_ENOCMP);
	if (!values)
		return papi_fail(PAPI_EINVAL);
	if (counts_now(set))
		return papi_fail(call(set, counting_read, values));
	memcpy(values, set->last, set->nr * sizeof(*values));
	return papi_fail(set->last_error);
}

/* The thread's EventSet whose values a caliper reads; NULL: it is another one. */
static inline const struct papi_thread *quick_thread(int id, const long long *values)
{
	const struct papi_thread *thread = papi_this_thread;

	return thread && thread->quick_id == id && values ? thread : NULL;
}

/* PAPI_OK or PAPI_E*. A handler may interrupt this, and do the same. */
static inline int read_quick(const struct papi_thread *thread, long long *values)
{
	if (__builtin_expect(pmc_caliper_read(thread->quick, (uint64_t *)values) < 0, 0))
		return papi_error_of(errno);
	return counting_check(&thread->quick_set->counting, thread->quick);
}

int PAPI_read(int id, long long *values)
{
	const struct papi_thread *thread = quick_thread(id, values);
	int rc;

	if (!thread)
		return read_set(id, values);
	rc = read_quick(thread, values);
	return rc == PAPI_OK ? PAPI_OK : papi_fail(rc);
}

int PAPI_read_ts(int id, long long *values, long long *cycles)
{
	int rc = PAPI_read(id, values);

	if (rc == PAPI_OK && cycles)
		*cycles = PAPI_get_real_cyc();
	return rc;
}

static int start_again(struct eventset *set)
{
	sigset_t before;
	int rc;

	if (!may_read(set))
		return PAPI_ENOSUPP;
	block_handler(set, &before);
	rc = counting_start(&set->counting);
	overflow_restart(set, NULL);
	unblock_handler(&before, set->overflow != NULL);
	return rc;
}

SLOW_PATH static int reset_set(int id)
{
	struct eventset *set = eventset_get(id);

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	if (set->component < 0)
		return papi_fail(PAPI_ENOCMP);
	if (counts_now(set))
		return papi_fail(start_again(set));
	memset(set->last, 0, set->nr * sizeof(*set->last));
	set->last_error = PAPI_OK;
	return PAPI_OK;
}

/* An overflow handler waits until the values begin anew. */
static inline int take_quick(const struct papi_thread *thread)
{
	long long *taken = thread->quick_set->taken;
	int rc = read_quick(thread, taken);

	if (rc == PAPI_OK)
		pmc_caliper_restart(thread->quick, (uint64_t *)taken);
	return rc;
}

/* Values begin anew: counts and losses up to now are forgotten. */
static inline int restart_quick(const struct papi_thread *thread)
{
	struct eventset *set = thread->quick_set;

	if (pmc_caliper_read(thread->quick, (uint64_t *)set->taken) < 0)
		return papi_error_of(errno);
	pmc_caliper_restart(thread->quick, (uint64_t *)set->taken);
	set->counting.losses = pmc_caliper_losses(thread->quick);
	return PAPI_OK;
}

int PAPI_reset(int id)
{
	const struct papi_thread *thread = papi_this_thread;
	int rc;

	if (!thread || thread->quick_id != id || thread->quick_set->overflow)
		return reset_set(id);
	rc = restart_quick(thread);
	return rc == PAPI_OK ? PAPI_OK : papi_fail(rc);
}

/* Nothing is lost between the reading and the reset, which take the same counts. */
static int take_running(struct eventset *set, long long *values)
{
	int rc = counting_read(&set->counting, values);

	if (set->overflow)
		rc = overflow_store_values(set, values, rc);
	if (rc != PAPI_OK)
		return rc;
	counting_restart(&set->counting);
	if (set->overflow)
		overflow_restart(set, values);
	return PAPI_OK;
}

static int take(struct eventset *set, long long *values)
{
	if (counts_now(set))
		return may_read(set) ? take_running(set, values) : PAPI_ENOSUPP;
	if (set->last_error != PAPI_OK)
		return set->last_error;
	memcpy(values, set->last, set->nr * sizeof(*values));
	memset(set->last, 0, set->nr * sizeof(*set->last));
	return PAPI_OK;
}

static void add_taken(const struct eventset *set, long long *values)
{
	int i;

	for (i = 0; i < set->nr; i++)
		values[i] += set->taken[i];
}

/* A handler may do the same. It waits until what was taken is added. */
static int take_and_add(struct eventset *set, long long *values)
{
	int rc, blocked = set->overflow != NULL;
	sigset_t before;

	block_handler(set, &before);
	rc = take(set, set->taken);
	if (rc == PAPI_OK)
		add_taken(set, values);
	unblock_handler(&before, blocked);
	return rc;
}

SLOW_PATH static int accum_set(int id, long long *values)
{
	struct eventset *set = eventset_get(id);

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	if (set->component < 0)
		return papi_fail(PAPI_ENOCMP);
	if (!values)
		return papi_fail(PAPI_EINVAL);
	return papi_fail(take_and_add(set, values));
}

int PAPI_accum(int id, long long *values)
{
	const struct papi_thread *thread = quick_thread(id, values);
	int rc;

	if (!thread || thread->quick_set->overflow)
		return accum_set(id, values);
	rc = take_quick(thread);
	if (rc != PAPI_OK)
		return papi_fail(rc);
	add_taken(thread->quick_set, values);
	return PAPI_OK;
}

/* As PAPI's component for perf: running counters cannot be given values. */
int PAPI_write(int id, long long *values)
{
	const struct eventset *set = eventset_get(id);

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	if (set->component < 0)
		return papi_fail(PAPI_ENOCMP);
	if (!values)
		return papi_fail(PAPI_EINVAL);
	return set->state & PAPI_RUNNING ? papi_fail(PAPI_ENOSUPP) : PAPI_OK;
}
