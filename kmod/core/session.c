// SPDX-License-Identifier: GPL-2.0
/* The life of a session, and what can be asked of one. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/memcontrol.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "../hooks/hooks.h"
#include "caliper_map.h"
#include "module_notify.h"
#include "module_ops.h"
#include "monitored.h"
#include "session.h"
#include "stats.h"
#include "table.h"

#define RING_SLOTS_DEFAULT	1024

/* Memory for the counts of a thread, bytes: some hundred event sets. */
#define THREAD_SIZE_MAX		16384

static void free_session(struct pmc_session *s)
{
	pmc_session_free_sets(s);
	if (s->has_ring)
		pmc_ring_free(&s->consumer.ring);
	pmc_memlock_uncharge_ring(s);
	kvfree(s->totals);
	free_cpumask_var(s->cpus);
	put_pid_ns(s->ns);
	mem_cgroup_put(s->memcg);
	put_cred(s->cred);
	kfree(s);
}

static void wake_readers(struct irq_work *work)
{
	struct pmc_session *s = container_of(work, struct pmc_session, consumer.wake);

	wake_up_interruptible_all(&s->consumer.wait);
}

/**
 * pmc_session_create_internal - make a session that has no client
 *
 * Context: May sleep.
 * Return: the session or an ERR_PTR.
 */
struct pmc_session *pmc_session_create_internal(void)
{
	struct pmc_session *s;

	s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	if (!s)
		return ERR_PTR(-ENOMEM);
	mutex_init(&s->lock);
	mutex_init(&s->read_lock);
	mutex_init(&s->ring_lock);
	INIT_WORK(&s->direct_work, pmc_caliper_direct);
	init_waitqueue_head(&s->consumer.wait);
	/* At the next tick will do: no interrupt of its own for a wake-up. */
	s->consumer.wake = IRQ_WORK_INIT_LAZY(wake_readers);
	s->cred = get_current_cred();
	INIT_LIST_HEAD(&s->consumer.uncore);
	INIT_LIST_HEAD(&s->reserved);
	s->ns = get_pid_ns(task_active_pid_ns(current));
	s->privileged = perfmon_capable();
	s->consumer.priority = true;
	s->filters.user = true;
	s->consumer.wakeup = 1;
	s->ring_slots = RING_SLOTS_DEFAULT;
	if (!zalloc_cpumask_var(&s->cpus, GFP_KERNEL_ACCOUNT) ||
	    pmc_session_init_sets(s)) {
		free_session(s);
		return ERR_PTR(-ENOMEM);
	}
	return s;
}

/**
 * pmc_session_create - open a session for the calling process
 *
 * Context: May sleep.
 * Return: the session or an ERR_PTR.
 */
struct pmc_session *pmc_session_create(void)
{
	struct pmc_session *s = pmc_session_create_internal();

	if (IS_ERR(s))
		return s;
	s->charged = !s->privileged;
	s->consumer.priority = s->privileged;
	s->memcg = get_mem_cgroup_from_mm(current->mm);
	atomic_inc(&pmc_nr_sessions);
	return s;
}

/* A page may be mapped, and its work queued, at any time before the end. */
static void end_direct(struct pmc_session *s)
{
	cancel_work_sync(&s->direct_work);
	if (!s->consumer.direct)
		return;
	WRITE_ONCE(s->consumer.direct, false);
	if (pmc_backend->user_access_percpu)
		pmc_irq_exit_put();
	if (pmc_backend->track_moves)
		pmc_backend->untrack_moves();
}

/**
 * pmc_session_destroy - undo everything that was made through a session
 * @s: session that is closed
 *
 * Context: May sleep.
 */
void pmc_session_destroy(struct pmc_session *s)
{
	pmc_session_stop(s);
	end_direct(s);
	pmc_session_clear_events(s);
	if (s->scheduler)
		kfree(s->uses);
	else if (s->uses)
		pmc_module_ops->forget(s);
	/* It comes at the next tick; to sync is to spin until then. */
	while (irq_work_is_busy(&s->consumer.wake))
		schedule_timeout_uninterruptible(1);
	irq_work_sync(&s->consumer.wake);
	if (!pmc_session_internal(s))
		atomic_dec(&pmc_nr_sessions);
	free_session(s);
}

/* Counts a ring has room for at least, so that other sets may follow. */
#define RING_COUNTS_MIN		8

/* The longest record: a name or an address takes the place of counts. */
static u32 record_counts(const struct pmc_session *s)
{
	u32 more = READ_ONCE(s->consumer.names) ? PMC_NAME_LEN / sizeof(u64) :
		   READ_ONCE(s->consumer.addresses) ? 1 : 0;

	return s->consumer.nr_cur + s->consumer.nr_virtuals + more;
}

static int new_ring(struct pmc_session *s, struct pmc_err *err)
{
	u32 counts = max_t(u32, record_counts(s), RING_COUNTS_MIN);
	/* Once: while one thread maps the ring another may change this. */
	u32 slots = READ_ONCE(s->ring_slots);
	u64 bytes = pmc_ring_bytes(slots, counts);
	int ret;

	if (!bytes)
		return pmc_err(err, -EINVAL,
			       "a ring of %u samples is too big to be mapped",
			       slots);
	ret = pmc_memlock_charge_ring(s, slots, bytes, err);
	if (ret)
		return ret;
	ret = pmc_ring_alloc(&s->consumer.ring, slots, counts);
	if (ret) {
		pmc_memlock_uncharge_ring(s);
		return pmc_err(err, ret,
			       "no memory for a ring of %u samples: ask for a smaller one",
			       slots);
	}
	/* Readers look at it without the session's lock. */
	smp_store_release(&s->has_ring, true);
	return 0;
}

/**
 * pmc_session_make_ring - have a ring that fits the configuration
 * @s: session; nothing is counted, or the ring is there
 * @err: explains a refusal: the session's message where the session's lock is held
 *
 * A session has one ring: readers may have mapped it.
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_session_make_ring(struct pmc_session *s, struct pmc_err *err)
{
	int ret = 0;

	mutex_lock(&s->ring_lock);
	if (!s->has_ring)
		ret = new_ring(s, err);
	else if (s->consumer.ring.mask + 1 < s->ring_slots)
		ret = pmc_err(err, -EBUSY,
			      "the session's ring has been made with %u samples: open another session for a bigger one",
			      s->consumer.ring.mask + 1);
	else if (s->consumer.ring.nr_counts < record_counts(s))
		ret = pmc_err(err, -EBUSY,
			      "the session's ring has been made for %u counts in a sample: open another session for more",
			      s->consumer.ring.nr_counts);
	mutex_unlock(&s->ring_lock);
	return ret;
}

static bool has_ebs(const struct pmc_session *s)
{
	unsigned int ct, i;

	for (ct = 0; ct < pmc_nr_core_types; ct++)
		for (i = 0; i < s->consumer.rotation[ct].nr; i++)
			if (s->consumer.rotation[ct].sets[i]->nr_ebs)
				return true;
	return false;
}

/**
 * pmc_session_forget_totals - the event sets are about to change
 * @s: session that counts nothing; its lock is held
 *
 * Totals are of the sets they were counted with.
 *
 * Context: May sleep.
 */
void pmc_session_forget_totals(struct pmc_session *s)
{
	kvfree(s->totals);
	s->totals = NULL;
}

static int check_counts(struct pmc_session *s)
{
	if (!s->consumer.nr_cur && !s->consumer.nr_virtuals)
		return pmc_err(&s->err, -EINVAL,
			       "nothing to count: write 'events ...' or 'virtual ...' first");
	if (s->consumer.nr_cur + s->consumer.nr_virtuals > PMC_MAX_COUNTS)
		return pmc_err(&s->err, -E2BIG,
			       "%u events in a set and %u virtual counters are more than the %u counts of a sample: ask for fewer",
			       s->consumer.nr_cur, s->consumer.nr_virtuals, PMC_MAX_COUNTS);
	return 0;
}

/**
 * pmc_session_size - make room for the event sets' counts
 * @s: session that counts nothing; its lock is held
 *
 * Context: May sleep.
 * Return: 0, or a negative error explained in the session's message.
 */
int pmc_session_size(struct pmc_session *s)
{
	int ret;

	if (!pmc_session_internal(s)) {
		ret = check_counts(s) ?: pmc_session_make_ring(s, &s->err);
		if (ret)
			return ret;
	}
	pmc_session_link_sets(s);
	pmc_session_forget_totals(s);
	s->consumer.ebs = has_ebs(s);
	s->consumer.sampling = s->consumer.period || s->consumer.ebs;
	s->nr_left = s->consumer.ebs ? s->nr_periods * s->consumer.nr_cur : 0;
	s->thread_size = sizeof(struct pmc_thread) +
			 (3 * s->consumer.nr_cur + s->nr_left + 2 * s->nr_acc +
			  2 * s->consumer.nr_virtuals) * sizeof(u64) +
			 ALIGN(s->nr_periods, sizeof(u64));
	if (s->uses)
		s->thread_size += PMC_MODULES_MAX * sizeof(struct pmc_thread *);
	if (s->mm)
		s->thread_size += sizeof(u64) + sizeof(struct pmc_module_thread) +
				  s->mm->thread_size;
	if (s->thread_size > THREAD_SIZE_MAX)
		return pmc_err(&s->err, -E2BIG,
			       "so many event sets take %zu bytes of kernel memory a thread, %u are the most: use fewer",
			       s->thread_size, THREAD_SIZE_MAX);
	s->totals = kvcalloc(s->nr_acc, sizeof(*s->totals),
			     GFP_KERNEL_ACCOUNT);
	if (!s->totals)
		return -ENOMEM;
	atomic64_set(&s->total_threads, 0);
	return 0;
}

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
	return s->uses ? pmc_module_ops->check(s, false) : 0;
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

	if (s->prepared)
		return 0;
	if (s->syswide)
		return pmc_err(&s->err, -EBUSY,
			       "the session counts CPUs: write 'stop' first, or open another one");
	ret = check_uncore(s) ?: check_virtuals(s) ?: pmc_session_reserve(s);
	if (ret)
		return ret;
	ret = pmc_session_size(s) ?: check_turns(s);
	if (ret)
		goto unreserve;
	s->user_policy = pmc_backend->user_policy ?
			 pmc_backend->user_policy() : 1;
	if (s->follow != PMC_FOLLOW_NONE) {
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
	s->prepared = true;
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
	if (!before && s->prepared)
		pmc_session_stop(s);
}

/**
 * pmc_session_no_counters - is it the session of a module that uses no counters
 * @s: session
 *
 * Context: Any.
 */
bool pmc_session_no_counters(const struct pmc_session *s)
{
	return s->mm && !s->mm->sample && !s->consumer.nr_cur;
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
	int ret = check_uncore(s) ?: pmc_session_size(s);

	if (ret)
		return ret;
	/* It has no ring to report interrupts in. */
	if (s->consumer.ebs)
		return pmc_err(&s->err, -EINVAL,
			       "its events have sampling periods (ebs), which are for sessions: leave them out");
	if (!pmc_module_monitors(s->mm))
		return 0;
	s->consumer.sampling = true;
	ret = pmc_session_reserve(s);
	if (ret)
		return ret;
	ret = pmc_pool_start(&s->pool, s);
	if (ret)
		pmc_session_unreserve(s);
	else
		s->prepared = true;
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
	if (s->syswide)
		pmc_syswide_stop(s);
	if (!s->prepared)
		return;
	pmc_detach_all(s);
	pmc_session_unreserve(s);
	if (s->mm) {
		pmc_pool_stop(&s->pool, s);
		s->prepared = false;
		return;
	}
	if (s->uses)
		pmc_module_ops->sweep(s);
	end_direct(s);
	if (s->consumer.ebs && pmc_backend->overflows)
		pmc_irq_entry_put();
	pmc_hooks_put();
	pmc_pool_stop(&s->pool, s);
	s->prepared = false;
	pmc_session_wake_now(s);
}

/**
 * pmc_session_set - one of a session's event sets
 * @s: session; its lock is held
 * @ct: core type
 * @set: place in the core type's rotation
 *
 * Return: the set, or NULL when there is none.
 */
const struct pmc_evset *pmc_session_set(const struct pmc_session *s,
					unsigned int ct, unsigned int set)
{
	if (ct >= pmc_nr_core_types || set >= s->consumer.rotation[ct].nr)
		return NULL;
	return s->consumer.rotation[ct].sets[set];
}

/**
 * pmc_session_no_set - say that there is no such event set
 * @s: session; its lock is held
 * @ct: core type, or PMC_ALL_CORE_TYPES
 * @set: place in its rotation
 *
 * Return: -EINVAL.
 */
int pmc_session_no_set(struct pmc_session *s, unsigned int ct,
		       unsigned int set)
{
	if (ct == PMC_ALL_CORE_TYPES)
		return pmc_err(&s->err, -EINVAL,
			       "no core type has an event set %u", set);
	return pmc_err(&s->err, -EINVAL,
		       "there is no core type %u with an event set %u", ct,
		       set);
}

/**
 * pmc_session_placement - where the events of a set were placed
 * @s: session; its lock is held
 * @p: what is wanted; filled
 *
 * Return: 0, or -EINVAL when there is no such core type, explained in the
 * session's message.
 */
int pmc_session_placement(struct pmc_session *s, struct pmc_placement *p)
{
	const struct pmc_evset *set =
		pmc_session_set(s, p->core_type, p->set);
	unsigned int i;

	if (p->core_type >= pmc_nr_core_types)
		return pmc_err(&s->err, -EINVAL, "there is no core type %u",
			       p->core_type);
	p->nr_sets = s->consumer.rotation[p->core_type].nr;
	p->nr_counts = 0;
	memset(p->slot, 0, sizeof(p->slot));
	if (!set)
		return 0;
	p->nr_counts = set->nr;
	for (i = 0; i < set->nr_hw; i++)
		p->slot[set->pos[i]] = set->hw[i].number;
	for (i = 0; i < set->nr_sw; i++)
		p->slot[set->pos[set->nr_hw + i]] =
			pmc_first_software + set->sw[i];
	for (i = 0; i < set->nr_uncore; i++)
		p->slot[set->pos[set->nr_hw + set->nr_sw + i]] =
			pmc_first_software + PMC_SW_NR + i;
	return 0;
}
