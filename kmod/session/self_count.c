// SPDX-License-Identifier: GPL-2.0
/*
 * A thread counting itself. The first start adds it to the session; later
 * ones, and stop and read, do the work of a switch and nothing else.
 */
#include <linux/ktime.h>
#include "base/err.h"
#include "base/percpu.h"
#include "engine/evset_counters.h"
#include "engine/record_sample.h"
#include "engine/switch.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "engine/user_page.h"
#include "engine/virtual_read.h"
#include "include/pmctrack/monitoring_module.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "session/access.h"
#include "session/attach.h"
#include "session/query.h"
#include "session/running_tasks.h"
#include "session/self_count.h"
#include "session/session.h"
#include "session/session_prepare.h"
#include "uapi/pmctrack.h"

/* The calling thread, while its counts are looked at or changed. */
struct self {
	struct pmc_thread *t;
	struct pmc_cpu *cpu;
	unsigned long flags;
};

/*
 * Under RCU, from before this to after self_end(). False, and nothing begun,
 * when the session does not count the thread.
 */
static __always_inline bool self_begin(struct self *self,
				       const struct pmc_session *s)
{
	self->t = pmc_table_find(current, &s->consumer);
	if (!self->t)
		return false;
	local_irq_save(self->flags);
	self->cpu = this_cpu_ptr(&pmc_cpus);
	pmc_cpu_begin(self->cpu);
	return true;
}

static __always_inline void self_end(const struct self *self)
{
	pmc_cpu_end(self->cpu);
	local_irq_restore(self->flags);
}

static bool start_known(struct pmc_session *s)
{
	struct self self;
	bool known;

	rcu_read_lock();
	known = self_begin(&self, s);
	if (known) {
		/* The time since the stop is not the session's. */
		if (!self.t->active && unlikely(s->consumer.nr_virtuals))
			pmc_virtual_begin(self.t);
		if (!self.t->active) {
			self.t->active = true;
			pmc_thread_begin_period(self.t, ktime_get_mono_fast_ns());
			pmc_thread_update_ready(self.t);
			self.t->on_exec = false;
		}
		pmc_load_here(self.cpu, self.t);
		self_end(&self);
	}
	rcu_read_unlock();
	return known;
}

static int add_self(struct pmc_session *s)
{
	bool before;
	int ret;

	mutex_lock(&s->lock);
	before = s->state.prepared;
	pmc_err_clear(&s->err);
	ret = pmc_session_check_owner(s) ?: pmc_may_count_configured(s) ?: pmc_session_prepare(s) ?:
	      pmc_add_task(s, current, false);
	/* Only a stop takes it out again, and that needs the lock. */
	if (ret) {
		pmc_session_unprepare(s, before);
	} else {
		if (s->config.uses)
			pmc_load_attached(s);
		start_known(s);
	}
	mutex_unlock(&s->lock);
	return ret;
}

/**
 * pmc_self_start - count the calling thread from now on
 * @s: session
 *
 * Context: May sleep the first time.
 * Return: 0 or a negative error, explained in the session's message.
 */
int pmc_self_start(struct pmc_session *s)
{
	return start_known(s) ? 0 : add_self(s);
}

/* Else the message would be that of an older refusal. */
static int refuse_unknown(struct pmc_session *s)
{
	mutex_lock(&s->lock);
	pmc_err(&s->err, -ESRCH,
		"the session does not count the calling thread: start it first");
	mutex_unlock(&s->lock);
	return -ESRCH;
}

/**
 * pmc_self_stop - stop counting the calling thread and take a sample
 * @s: session
 *
 * Context: May sleep when it fails.
 * Return: 0, or -ESRCH when the session does not count the thread, explained
 * in the session's message.
 */
int pmc_self_stop(struct pmc_session *s)
{
	struct self self;
	bool known;

	rcu_read_lock();
	known = self_begin(&self, s);
	if (known) {
		self.t->active = false;
		pmc_thread_update_ready(self.t);
		if (self.t->cpu >= 0) {
			pmc_unload_one(self.cpu, self.t);
			pmc_record_sample(self.cpu, self.t, ktime_get_mono_fast_ns(),
					  PMC_SAMPLE_SELF, 0);
		}
		self_end(&self);
	}
	rcu_read_unlock();
	return known ? 0 : refuse_unknown(s);
}

static bool wanted(const struct pmc_read *r, const struct pmc_evset *set)
{
	return r->set == set->index && (r->core_type == set->core_type ||
					r->core_type == PMC_ALL_CORE_TYPES);
}

/* The counts of the requested sets, up to now. */
static noinline void add_virtuals(struct pmc_thread *t, struct pmc_read *r)
{
	const struct pmc_session *s = pmc_session_of(t);
	u64 *out = &r->counts[r->nr_counts];
	u64 none[PMC_VIRTUALS_MAX] = { };
	unsigned int ct, i;

	r->nr_virtual = s->consumer.nr_virtuals;
	/* Counts since the last sample; levels and ratios. */
	if (t->set)
		pmc_virtual_peek(t, none, out);
	for (i = 0; i < s->consumer.nr_virtuals; i++)
		if (!t->set || (s->consumer.virtuals[i].count && !wanted(r, t->set)))
			out[i] = s->consumer.virtuals[i].count ? 0 : PMC_NO_VALUE;
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_rotation *rot = &s->consumer.rotation[ct];
		const struct pmc_evset *set;

		if (r->set >= rot->nr)
			continue;
		set = rot->sets[r->set];
		for (i = 0; wanted(r, set) && i < s->consumer.nr_virtuals; i++)
			if (s->consumer.virtuals[i].count)
				out[i] += t->total[set->acc + set->nr + 1 + i];
	}
	for (i = 0; i < s->consumer.nr_virtuals; i++)
		if (!out[i] && s->consumer.virtuals[i].count && t->virt_base[i] == PMC_NO_VALUE)
			out[i] = PMC_NO_VALUE;
}

static void add_set(struct pmc_read *r, const struct pmc_evset *set,
		    const u64 *counts, u64 running)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		r->counts[set->pos[i]] += counts[i];
	r->running += running;
	r->nr_counts = max_t(u16, r->nr_counts, set->nr);
}

static int read_here(struct pmc_session *s, const struct self *self,
		     struct pmc_read *r)
{
	u64 open[PMC_MAX_COUNTS], running = 0;
	struct pmc_thread *t = self->t;
	const struct pmc_evset *set;
	unsigned int ct;
	int ret = -EINVAL;

	if (t->set)
		running = pmc_peek(self->cpu, t, open);
	/* Next time without a call. */
	pmc_caliper_open(self->cpu, t);
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_rotation *rot = &s->consumer.rotation[ct];

		if ((r->core_type != ct && r->core_type != PMC_ALL_CORE_TYPES) ||
		    r->set >= rot->nr)
			continue;
		set = rot->sets[r->set];
		add_set(r, set, t->total + set->acc,
			t->total[set->acc + set->nr]);
		if (set == t->set)
			add_set(r, set, open, running);
		ret = 0;
	}
	if (unlikely(s->consumer.nr_virtuals))
		add_virtuals(t, r);
	return ret;
}

/**
 * pmc_self_read - counts of the calling thread
 * @s: session
 * @r: what is wanted; filled
 *
 * Context: May sleep when it fails.
 * Return: 0, -ESRCH when the session does not count the thread, -EINVAL when
 * there is no such core type or set; explained in the session's message.
 */
int pmc_self_read(struct pmc_session *s, struct pmc_read *r)
{
	struct self self;
	bool known;
	int ret = 0;

	r->nr_counts = 0;
	r->nr_virtual = 0;
	r->running = 0;
	memset(r->counts, 0, sizeof(r->counts));
	rcu_read_lock();
	known = self_begin(&self, s);
	if (known) {
		ret = read_here(s, &self, r);
		self_end(&self);
	}
	rcu_read_unlock();
	if (unlikely(!known))
		return refuse_unknown(s);
	if (unlikely(ret)) {
		mutex_lock(&s->lock);
		pmc_session_no_set(s, r->core_type, r->set);
		mutex_unlock(&s->lock);
	}
	return ret;
}
