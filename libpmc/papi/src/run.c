// SPDX-License-Identifier: LGPL-2.1-or-later
/* Start, read and stop EventSets. */
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "eventset.h"
#include "library.h"
#include "overflow.h"
#include "papi_thread.h"

static int is_self(const struct target *target)
{
	return !target->tid && target->cpu < 0 && !target->inherit && !target->multiplex_ns;
}

/* The counters belong to the thread that opened them, unless they count another one. */
static int open_set(struct eventset *set, struct papi_thread *thread)
{
	int rc;

	if (set->open && set->thread == thread)
		return PAPI_OK;
	eventset_close(set);
	rc = counting_init(&set->counting, set->events, set->nr, &set->target);
	if (rc != PAPI_OK)
		return rc;
	set->counting.ops = is_self(&set->target) && pmc_machine_has_module(papi_machine()) ?
			    &caliper_ops : &session_ops;
	set->open = 1;
	set->thread = thread;
	rc = set->counting.ops->open(&set->counting);
	if (rc != PAPI_OK)
		eventset_close(set);
	return rc;
}

static int check_start(const struct eventset *set, const struct papi_thread *thread)
{
	if (!set->nr)
		return PAPI_EINVAL;
	/* One EventSet of a component counts a thread at a time, as PAPI has it since version 3. */
	if (set->state & PAPI_RUNNING)
		return PAPI_EISRUN;
	if (is_self(&set->target) && thread->running[set->component])
		return PAPI_EISRUN;
	return PAPI_OK;
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
		rc = open_set(set, thread);
	if (rc == PAPI_OK)
		rc = set->counting.ops->start(&set->counting);
	if (rc != PAPI_OK)
		return papi_fail(rc);
	if (is_self(&set->target))
		thread->running[set->component] = set;
	set->state = (set->state & ~PAPI_STOPPED) | PAPI_RUNNING;
	if (!set->overflow)
		return PAPI_OK;
	/* The first signal may come at once. */
	rc = overflow_start(set);
	if (rc != PAPI_OK)
		PAPI_stop(id, NULL);
	return papi_fail(rc);
}

/*
 * The calling thread's counters are read by instructions, which read those of no other
 * thread.
 */
static int may_read(const struct eventset *set)
{
	return set->thread == papi_this_thread || !is_self(&set->target);
}

static int read_running(struct eventset *set, long long *values)
{
	if (!may_read(set))
		return PAPI_ENOSUPP;
	return set->counting.ops->read(&set->counting, values);
}

int PAPI_stop(int id, long long *values)
{
	struct eventset *set = eventset_get(id);
	int rc;

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	if (!(set->state & PAPI_RUNNING))
		return papi_fail(PAPI_ENOTRUN);
	if (!may_read(set))
		return papi_fail(PAPI_ENOSUPP);
	if (set->overflow)
		overflow_stop(set);
	rc = set->counting.ops->stop(&set->counting, set->last);
	set->state = (set->state & ~PAPI_RUNNING) | PAPI_STOPPED;
	if (is_self(&set->target))
		set->thread->running[set->component] = NULL;
	if (rc != PAPI_OK)
		return papi_fail(rc);
	if (values)
		memcpy(values, set->last, set->nr * sizeof(*values));
	return PAPI_OK;
}

int PAPI_read(int id, long long *values)
{
	struct eventset *set = eventset_get(id);
	int rc;

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	if (!values)
		return papi_fail(PAPI_EINVAL);
	if (set->state & PAPI_RUNNING) {
		rc = read_running(set, values);
		return papi_fail(rc);
	}
	memcpy(values, set->last, set->nr * sizeof(*values));
	return PAPI_OK;
}

int PAPI_read_ts(int id, long long *values, long long *cycles)
{
	int rc = PAPI_read(id, values);

	if (rc == PAPI_OK && cycles)
		*cycles = PAPI_get_real_cyc();
	return rc;
}

int PAPI_reset(int id)
{
	struct eventset *set = eventset_get(id);
	int rc = PAPI_OK;

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	if (!(set->state & PAPI_RUNNING))
		memset(set->last, 0, set->nr * sizeof(*set->last));
	else
		rc = may_read(set) ? set->counting.ops->start(&set->counting) : PAPI_ENOSUPP;
	return papi_fail(rc);
}

/* Nothing is lost between the reading and the reset, which take the same counts. */
static int take(struct eventset *set, long long *values)
{
	int rc;

	if (!(set->state & PAPI_RUNNING)) {
		memcpy(values, set->last, set->nr * sizeof(*values));
		memset(set->last, 0, set->nr * sizeof(*set->last));
		return PAPI_OK;
	}
	rc = read_running(set, values);
	if (rc == PAPI_OK)
		set->counting.ops->restart(&set->counting);
	return rc;
}

int PAPI_accum(int id, long long *values)
{
	struct eventset *set = eventset_get(id);
	int i, rc;

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	if (!values)
		return papi_fail(PAPI_EINVAL);
	rc = take(set, set->taken);
	if (rc != PAPI_OK)
		return papi_fail(rc);
	for (i = 0; i < set->nr; i++)
		values[i] += set->taken[i];
	return PAPI_OK;
}

/* As PAPI's component for perf: counters cannot be given values. */
int PAPI_write(int id, long long *values)
{
	const struct eventset *set = eventset_get(id);

	if (!set)
		return papi_fail(papi_machine() ? PAPI_ENOEVST : PAPI_ENOINIT);
	if (!values)
		return papi_fail(PAPI_EINVAL);
	return papi_fail(PAPI_ECMP);
}
