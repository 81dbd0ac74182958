// SPDX-License-Identifier: GPL-2.0
/*
 * A session gets ready to count: its configuration is checked and final from then on, its
 * counters are reserved, and hooks and pool are at work until it stops.
 */
#include "base/err.h"
#include "base/parse_command.h"
#include "base/parse_evset.h"
#include "engine/evset_counters.h"
#include "engine/hooks_enable.h"
#include "engine/module_notify.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/pmu.h"
#include "session/attach.h"
#include "session/evset.h"
#include "session/module_callbacks.h"
#include "session/reserve.h"
#include "session/session.h"
#include "session/session_prepare.h"
#include "session/session_size.h"
#include "session/syswide.h"
#include "session/thread_pool.h"
#include "session/user_page_map.h"
#include "session/wake.h"

static int check_uncore(struct pmc_session *s)
{
	unsigned int ct, i;

	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		for (i = 0; i < s->consumer.rotation[ct].nr; i++) {
			const struct pmc_evset *set = s->consumer.rotation[ct].sets[i];

			if (set->nr_uncore)
				return pmc_err(&s->err, -EINVAL,
					       "%s counts for all CPUs that share it, not for a thread: count CPUs ('syswide'), or leave it out",
					       pmc_uncore_names[set->hw[set->nr_hw].slot]);
		}
	}
	return 0;
}

static int check_virtuals(struct pmc_session *s)
{
	return s->config.uses ? pmc_module_ops->check(s, false) : 0;
}

/*
 * The rotation goes on with each sample. A set without a sampling period would stay
 * in force for ever where the session has none either.
 */
static int check_turns(struct pmc_session *s)
{
	unsigned int ct, i;

	if (!s->consumer.ebs || s->consumer.period)
		return 0;
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_rotation *rot = &s->consumer.rotation[ct];

		for (i = 0; rot->nr > 1 && i < rot->nr; i++)
			if (!rot->sets[i]->nr_ebs)
				return pmc_err(&s->err, -EINVAL,
					       "event set %u of core type %u (%s) has no sampling period (ebs), so that the rotation would stop at it: give it one, or the session a 'period'",
					       i, ct, pmc_core_types[ct].name);
	}
	return 0;
}

/**
 * pmc_session_prepare - make ready to count threads
 * @s: session; its lock is held
 *
 * From here to pmc_session_stop() the configuration is final.
 *
 * Context: May sleep.
 * Return: 0 (also when it is ready already), or a negative error explained
 * in the session's message.
 */
int pmc_session_prepare(struct pmc_session *s)
{
	int ret;

	if (s->state.prepared)
		return 0;
	if (s->syswide.active)
		return pmc_err(&s->err, -EBUSY,
			       "the session counts CPUs: write 'stop' first, or open another one");
	ret = check_uncore(s) ?: check_virtuals(s) ?: pmc_session_reserve(s);
	if (ret)
		return ret;
	ret = pmc_session_size(s) ?: check_turns(s);
	if (ret)
		goto unreserve;
	pmc_caliper_prepare(s);
	if (s->config.follow != PMC_FOLLOW_NONE) {
		ret = pmc_pool_start(&s->pool, s);
		if (ret)
			goto unreserve;
	}
	ret = pmc_hooks_get();
	if (ret)
		goto stop_pool;
	if (s->consumer.ebs && pmc_backend->overflows) {
		ret = pmc_irq_entry_get();
		if (ret)
			goto put_hooks;
	}
	s->state.prepared = true;
	return 0;
put_hooks:
	pmc_hooks_put();
stop_pool:
	pmc_pool_stop(&s->pool, s);
unreserve:
	pmc_session_unreserve(s);
	return ret;
}

/**
 * pmc_session_unprepare - undo pmc_session_prepare() after a failure
 * @s: session; its lock is held
 * @before: whether it was prepared before
 *
 * A command that fails must not keep the session from being configured, and must
 * leave no threads that were added before the one that was refused.
 *
 * Context: May sleep.
 */
void pmc_session_unprepare(struct pmc_session *s, bool before)
{
	if (!before && s->state.prepared)
		pmc_session_stop(s);
}

/**
 * pmc_session_prepare_module - make a module's session ready
 * @s: session with the module's event sets
 *
 * The hooks that report the module's threads are those of the sessions that use the module.
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_session_prepare_module(struct pmc_session *s)
{
	int ret = check_uncore(s);

	if (ret)
		return ret;
	pmc_session_link_sets(s);
	ret = pmc_session_size(s);
	if (ret)
		return ret;
	/* It has no ring to report interrupts in. */
	if (s->consumer.ebs)
		return pmc_err(&s->err, -EINVAL,
			       "its events have sampling periods (ebs), which are for sessions: leave them out");
	if (!pmc_module_monitors(s->owner.mm))
		return 0;
	s->consumer.sampling = true;
	ret = pmc_session_reserve(s);
	if (ret)
		return ret;
	ret = pmc_pool_start(&s->pool, s);
	if (ret)
		pmc_session_unreserve(s);
	else
		s->state.prepared = true;
	return ret;
}

/**
 * pmc_session_stop - stop counting; last samples go to the ring
 * @s: session; its lock is held, or it is closed
 *
 * Context: May sleep.
 */
void pmc_session_stop(struct pmc_session *s)
{
	if (s->syswide.active)
		pmc_syswide_stop(s);
	if (!s->state.prepared)
		return;
	pmc_detach_all(s);
	pmc_session_unreserve(s);
	if (s->owner.mm) {
		pmc_pool_stop(&s->pool, s);
		s->state.prepared = false;
		return;
	}
	if (s->config.uses)
		pmc_module_ops->sweep(s);
	pmc_caliper_end_direct(s);
	if (s->consumer.ebs && pmc_backend->overflows)
		pmc_irq_entry_put();
	pmc_hooks_put();
	pmc_pool_stop(&s->pool, s);
	s->state.prepared = false;
	pmc_session_wake_now(s);
}
