// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions that can't count one thread both, as a counter would have to count
 * two things at once; and what their owners are told about it.
 */
#include "modules.h"
#include "session.h"
#include "table.h"

/**
 * struct clash - what two sets want of one counter
 * @core_type: whose counter
 * @a: the one's event
 * @b: the other's
 */
struct clash {
	unsigned int core_type;
	const struct pmc_hw_event *a;
	const struct pmc_hw_event *b;
};

static bool sets_clash(const struct pmc_evset *a, const struct pmc_evset *b,
		       struct clash *clash)
{
	unsigned int i, j;

	if (!(a->slots & b->slots))
		return false;
	for (i = 0; i < a->nr_hw; i++) {
		for (j = 0; j < b->nr_hw; j++) {
			const struct pmc_hw_event *x = &a->hw[i];
			const struct pmc_hw_event *y = &b->hw[j];

			if (x->slot != y->slot ||
			    (x->config == y->config && !x->ebs && !y->ebs))
				continue;
			*clash = (struct clash){ a->core_type, x, y };
			return true;
		}
	}
	return false;
}

static bool sessions_clash(const struct pmc_session *a,
			   const struct pmc_session *b, struct clash *clash)
{
	unsigned int ct, i, j;

	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_rotation *x = &a->rotation[ct];
		const struct pmc_rotation *y = &b->rotation[ct];

		for (i = 0; i < x->nr; i++)
			for (j = 0; j < y->nr; j++)
				if (sets_clash(x->sets[i], y->sets[j], clash))
					return true;
	}
	return false;
}

/**
 * pmc_sessions_clash - can't two sessions count one thread
 * @a: a session
 * @b: another
 *
 * Context: Any; both are prepared, so that their sets stay.
 * Return: true when a counter would have to count two things at once.
 */
bool pmc_sessions_clash(const struct pmc_session *a,
			const struct pmc_session *b)
{
	struct clash clash;

	return sessions_clash(a, b, &clash);
}

static const char *modes_of(const struct pmc_hw_event *ev)
{
	return !ev->kernel ? "user mode" : !ev->user ? "kernel mode" :
						       "user and kernel mode";
}

/* Nothing but the modes is in the way: that can be helped. */
static bool only_modes(const struct clash *clash)
{
	return !clash->a->ebs && !clash->b->ebs &&
	       !((clash->a->config ^ clash->b->config) & ~pmc_backend->modes);
}

static void explain(struct pmc_err *err, const struct pmc_thread *t,
		    const struct pmc_session *other, const struct clash *clash)
{
	const struct pmc_module *m = other->module;
	const char *name = m ? m->mm->name : "";
	const char *who = m ? "monitoring module " : "another session";
	const char *otherwise = m ? "deactivate the module (/proc/pmc/mm_manager)" :
				    "stop that one";
	const struct pmc_core_type *ct = &pmc_core_types[clash->core_type];

	if (only_modes(clash))
		pmc_err(err, -EBUSY,
			"thread %u: %s%s has pmc%u of core type %u (%s) count in %s, this session in %s: count in the same modes ('filter', or :u and :k), or %s",
			t->tid, who, name, clash->a->slot, ct->id, ct->name,
			modes_of(clash->b), modes_of(clash->a), otherwise);
	else
		pmc_err(err, -EBUSY,
			"thread %u: %s%s has pmc%u of core type %u (%s) for something else: ask for fewer events, or %s",
			t->tid, who, name, clash->a->slot, ct->id, ct->name,
			otherwise);
}

/**
 * pmc_clash_explain - say why pmc_table_add() was refused with -EBUSY
 * @t: the thread it was refused for
 * @err: out: who is in the way and what to do about it
 *
 * Context: Not from interrupts.
 * Return: -EBUSY.
 */
int pmc_clash_explain(const struct pmc_thread *t, struct pmc_err *err)
{
	struct hlist_bl_head *head = pmc_table_head(t->task);
	struct hlist_bl_node *pos;
	struct pmc_thread *other;
	struct clash clash;

	pmc_err(err, -EBUSY,
		"thread %u was counted by another session on the same counters until just now: try again",
		t->tid);
	/* Whoever is found stays, and so does the module, under the lock. */
	hlist_bl_lock(head);
	hlist_bl_for_each_entry(other, pos, head, node) {
		if (other->task != t->task || other->session == t->session ||
		    !sessions_clash(t->session, other->session, &clash))
			continue;
		explain(err, t, other->session, &clash);
		break;
	}
	hlist_bl_unlock(head);
	return -EBUSY;
}
