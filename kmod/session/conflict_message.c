// SPDX-License-Identifier: GPL-2.0
/* The message that explains why two sessions can't count one thread. */
#include "base/err.h"
#include "engine/evset_counters.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "include/pmctrack/monitoring_module.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/pmu.h"
#include "session/conflict_message.h"
#include "session/session.h"

/**
 * struct conflict - what two sessions want of one counter
 * @core_type: whose counter
 * @a: the one's event
 * @b: the other's
 */
struct conflict {
	unsigned int core_type;
	const struct pmc_hw_event *a;
	const struct pmc_hw_event *b;
};

/* The first of the events on a slot that can't be @other. */
static const struct pmc_hw_event *event_on(const struct pmc_rotation *rot,
					   int slot,
					   const struct pmc_hw_event *other)
{
	unsigned int i, j;

	for (i = 0; i < rot->nr; i++) {
		const struct pmc_evset *set = rot->sets[i];

		for (j = 0; j < set->nr_hw; j++) {
			const struct pmc_hw_event *ev = &set->hw[j];

			if (ev->slot == slot &&
			    (!other || ev->ebs || other->ebs ||
			     ev->config != other->config || ev->extra != other->extra))
				return ev;
		}
	}
	return NULL;
}

static bool find_conflict(const struct pmc_session *a, const struct pmc_session *b,
			  struct conflict *conflict)
{
	unsigned int ct;

	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_rotation *x = &a->consumer.rotation[ct];
		const struct pmc_rotation *y = &b->consumer.rotation[ct];
		int slot = pmc_contested_slot(x, y);

		if (slot < 0)
			continue;
		conflict->core_type = ct;
		conflict->a = event_on(x, slot, NULL);
		conflict->b = event_on(y, slot, conflict->a);
		/* All of y's are what x's first is: another one of x's is not. */
		if (!conflict->b) {
			conflict->b = event_on(y, slot, NULL);
			conflict->a = event_on(x, slot, conflict->b);
		}
		return true;
	}
	return false;
}

static const char *modes_of(const struct pmc_hw_event *ev)
{
	return !ev->kernel ? "user mode" : !ev->user ? "kernel mode" :
						       "user and kernel mode";
}

/* The events differ in their modes only: the user can change that. */
static bool only_modes(const struct conflict *conflict)
{
	return !conflict->a->ebs && !conflict->b->ebs &&
	       conflict->a->extra == conflict->b->extra &&
	       !((conflict->a->config ^ conflict->b->config) & ~pmc_backend->modes);
}

static void explain(struct pmc_err *err, const struct pmc_thread *t,
		    const struct pmc_session *other, const struct conflict *conflict)
{
	const struct monitoring_module *mm = other->owner.mm;
	const char *name = mm ? mm->name : "";
	const char *owner = mm ? "monitoring module " : "another session";
	const char *otherwise = mm ? "deactivate the module (/proc/pmc/mm_manager)" :
				     "stop that one";
	const struct pmc_core_type *ct = &pmc_core_types[conflict->core_type];

	if (only_modes(conflict))
		pmc_err(err, -EBUSY,
			"thread %u: %s%s has pmc%u of core type %u (%s) count in %s, this session in %s: count in the same modes ('filter', or :u and :k), or %s",
			t->tid, owner, name, conflict->a->number, ct->id, ct->name,
			modes_of(conflict->b), modes_of(conflict->a), otherwise);
	else
		pmc_err(err, -EBUSY,
			"thread %u: %s%s has pmc%u of core type %u (%s) for something else: ask for fewer events, or %s",
			t->tid, owner, name, conflict->a->number, ct->id, ct->name,
			otherwise);
}

/**
 * pmc_conflict_explain - say why pmc_table_add() was refused with -EBUSY
 * @t: the thread it was refused for
 * @err: out: the session that conflicts, and the remedy
 *
 * Context: Not from interrupts.
 * Return: -EBUSY.
 */
int pmc_conflict_explain(const struct pmc_thread *t, struct pmc_err *err)
{
	struct hlist_bl_head *head = pmc_table_head(t->task);
	struct hlist_bl_node *pos;
	struct pmc_thread *other;
	struct conflict conflict;

	pmc_err(err, -EBUSY,
		"thread %u was counted by another session on the same counters until just now: try again",
		t->tid);
	/* The thread that is found stays, and its module, under the lock. */
	hlist_bl_lock(head);
	hlist_bl_for_each_entry(other, pos, head, node) {
		if (other->task != t->task || pmc_session_of(other) == pmc_session_of(t) ||
		    !find_conflict(pmc_session_of(t), pmc_session_of(other), &conflict))
			continue;
		explain(err, t, pmc_session_of(other), &conflict);
		break;
	}
	hlist_bl_unlock(head);
	return -EBUSY;
}
