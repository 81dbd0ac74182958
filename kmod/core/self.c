// SPDX-License-Identifier: GPL-2.0
/*
 * A thread counting itself. The first start adds it to the session; later
 * ones, and stop and read, do the work of a switch and nothing else.
 */
#include <linux/ktime.h>
#include "session.h"
#include "table.h"

static void start_here(struct pmc_thread *t)
{
	struct pmc_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&pmc_cpus);
	pmc_cpu_begin(cpu);
	t->active = true;
	if (t->cpu < 0 && cpu->online)
		pmc_load_one(cpu, t);
	pmc_cpu_end(cpu);
	local_irq_restore(flags);
}

static int add_self(struct pmc_session *s)
{
	struct pmc_thread *t;
	int ret;

	mutex_lock(&s->lock);
	pmc_err_clear(&s->err);
	ret = pmc_session_check_owner(s) ?: pmc_session_prepare(s) ?:
	      pmc_add_task(s, current, false);
	if (!ret) {
		/* Only a stop takes it out again, and that needs the lock. */
		rcu_read_lock();
		t = pmc_table_find(current, s);
		rcu_read_unlock();
		start_here(t);
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
	struct pmc_thread *t;

	rcu_read_lock();
	t = pmc_table_find(current, s);
	if (t)
		start_here(t);
	rcu_read_unlock();
	return t ? 0 : add_self(s);
}

/**
 * pmc_self_stop - stop counting the calling thread and cut a sample
 * @s: session
 *
 * Context: Does not sleep.
 * Return: 0, or -ESRCH when the session does not count the thread.
 */
int pmc_self_stop(struct pmc_session *s)
{
	struct pmc_thread *t;
	struct pmc_cpu *cpu;
	unsigned long flags;

	rcu_read_lock();
	t = pmc_table_find(current, s);
	if (!t) {
		rcu_read_unlock();
		return -ESRCH;
	}
	local_irq_save(flags);
	cpu = this_cpu_ptr(&pmc_cpus);
	pmc_cpu_begin(cpu);
	t->active = false;
	if (t->cpu >= 0) {
		pmc_unload_one(cpu, t);
		pmc_cut(cpu, t, ktime_get_mono_fast_ns(), PMC_SAMPLE_SELF, 0);
	}
	pmc_cpu_end(cpu);
	local_irq_restore(flags);
	rcu_read_unlock();
	return 0;
}

static void add_set(struct pmc_read *r, const struct pmc_evset *set,
		    const u64 *counts, u64 running)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		r->counts[set->pos[i]] += counts[i];
	r->running += running;
	r->nr_counts = max_t(u32, r->nr_counts, set->nr);
}

/**
 * pmc_self_read - counts of the calling thread
 * @s: session
 * @r: what is wanted; filled
 *
 * Context: Does not sleep.
 * Return: 0, -ESRCH when the session does not count the thread, -EINVAL when
 * there is no such core type or set.
 */
int pmc_self_read(struct pmc_session *s, struct pmc_read *r)
{
	u64 open[PMC_MAX_COUNTS], running = 0;
	const struct pmc_evset *set;
	struct pmc_thread *t;
	struct pmc_cpu *cpu;
	unsigned long flags;
	unsigned int ct;
	int ret = -EINVAL;

	r->nr_counts = 0;
	r->running = 0;
	memset(r->counts, 0, sizeof(r->counts));
	rcu_read_lock();
	t = pmc_table_find(current, s);
	if (!t) {
		rcu_read_unlock();
		return -ESRCH;
	}
	local_irq_save(flags);
	cpu = this_cpu_ptr(&pmc_cpus);
	pmc_cpu_begin(cpu);
	if (t->set)
		running = pmc_peek(cpu, t, open);
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_rotation *rot = &s->rotation[ct];

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
	pmc_cpu_end(cpu);
	local_irq_restore(flags);
	rcu_read_unlock();
	return ret;
}
