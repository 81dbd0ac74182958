// SPDX-License-Identifier: GPL-2.0
/*
 * The counts of a session: the totals of its threads in the table, and of those
 * that have ended. Between leaving the table and having ended a thread is in
 * neither, and the exit hook does not wait. So a sum during which a thread has
 * left the table is taken again. Where threads end all the time, that may go on
 * for ever: then ending threads are put into a list, and this file finishes them.
 */
#include <linux/cpu.h>
#include <linux/llist.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "base/percpu.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "engine/total.h"
#include "engine/virtual_read.h"
#include "include/pmctrack/monitoring_module.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "session/query.h"
#include "session/revoke_counters.h"
#include "session/session.h"
#include "session/thread_end.h"
#include "session/totals.h"
#include "uapi/pmctrack.h"

/* How often a sum is taken before threads are retired. */
#define TRIES	8

/* Entries of threads' totals, from @acc on */
struct sum {
	unsigned int acc;
	unsigned int nr;
	u64 of[PMC_MAX_COUNTS + 1];
};

static void add_ended(const struct pmc_session *s, struct sum *sum)
{
	unsigned int i;

	for (i = 0; i < sum->nr; i++)
		sum->of[i] = atomic64_read(&s->totals.counts[sum->acc + i]);
}

static void add_total(struct pmc_thread *t, void *data)
{
	struct sum *sum = data;
	unsigned int i;

	for (i = 0; i < sum->nr; i++)
		sum->of[i] += pmc_total_read(&t->total[sum->acc + i]);
}

/* Return: whether no thread was between the table and its end meanwhile. */
static bool try_sum(const struct pmc_session *s, struct sum *sum)
{
	/* Pairs with the barrier in pmc_thread_ended(). */
	int ended = atomic_read_acquire(&s->totals.nr_ended);

	add_ended(s, sum);
	pmc_table_for_each(&s->consumer, add_total, sum);
	/* Pairs with the barrier in pmc_thread_ending(). */
	smp_rmb();
	return atomic_read(&s->consumer.nr_ending) == ended;
}

static void add_marked(struct pmc_thread *t, void *data)
{
	t->summed = pmc_session_of(t)->totals.sum_nr;
	add_total(t, data);
}

/*
 * The sum of ended threads doesn't change after the first grace period, and a
 * thread that leaves the table is retired: after the second grace period all of
 * them are in the list, with a mark if the walk has added them.
 */
static void sum_retired(struct pmc_session *s, struct sum *sum)
{
	struct pmc_thread *t, *next;

	s->totals.sum_nr++;
	WRITE_ONCE(s->totals.retiring, true);
	synchronize_rcu();
	add_ended(s, sum);
	pmc_table_for_each(&s->consumer, add_marked, sum);
	WRITE_ONCE(s->totals.retiring, false);
	synchronize_rcu();
	llist_for_each_entry_safe(t, next, llist_del_all(&s->totals.retired), retired) {
		if (t->summed != s->totals.sum_nr)
			add_total(t, sum);
		pmc_thread_finish(t);
	}
}

struct cpu_sum {
	const struct pmc_session *session;
	struct sum *sum;
};

/* On the CPU concerned. */
static void add_syswide(void *info)
{
	const struct cpu_sum *cpu_sum = info;
	struct pmc_thread *t;

	for (t = this_cpu_ptr(&pmc_cpus)->syswide; t; t = t->next)
		if (pmc_session_of(t) == cpu_sum->session)
			add_total(t, cpu_sum->sum);
}

static void sum_cpus(struct pmc_session *s, struct sum *sum)
{
	struct cpu_sum cpu_sum = { .session = s, .sum = sum };
	unsigned int cpu;

	/* The counts of CPUs that have gone are among those of ended threads. */
	cpus_read_lock();
	mutex_lock(&pmc_cpus_lock);
	add_ended(s, sum);
	for_each_cpu_and(cpu, s->syswide.cpus, cpu_online_mask)
		smp_call_function_single(cpu, add_syswide, &cpu_sum, true);
	mutex_unlock(&pmc_cpus_lock);
	cpus_read_unlock();
}

static void take_sum(struct pmc_session *s, struct sum *sum)
{
	int revocations, i;

	if (s->syswide.active) {
		sum_cpus(s, sum);
		return;
	}
	do {
		/* Revoked threads are ended outside the grace periods that this takes. */
		revocations = atomic_read(&s->consumer.revocations);
		pmc_wait_for_revocations(s);
		for (i = 0; i < TRIES; i++)
			if (try_sum(s, sum))
				return;
		sum_retired(s, sum);
	} while (atomic_read(&s->consumer.revocations) != revocations);
}

/**
 * pmc_session_totals - what a session has counted
 * @s: session; its lock is held
 * @totals: what is wanted; filled
 *
 * Context: May sleep.
 * Return: 0, or -EINVAL when there is no such core type or set, explained in
 * the session's message.
 */
int pmc_session_totals(struct pmc_session *s, struct pmc_totals *totals)
{
	u64 virtuals[PMC_VIRTUALS_MAX] = { };
	unsigned int ct, i;
	bool found = false;
	struct sum sum;

	totals->nr_threads = atomic64_read(&s->totals.total_threads);
	totals->nr_counts = 0;
	totals->running = 0;
	memset(totals->counts, 0, sizeof(totals->counts));
	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_evset *set =
			pmc_session_set(s, ct, totals->set);

		if (!set || (totals->core_type != ct &&
			     totals->core_type != PMC_ALL_CORE_TYPES))
			continue;
		found = true;
		if (!s->totals.counts)
			continue;
		sum.acc = set->acc;
		sum.nr = set->nr + 1 + s->consumer.nr_virtuals;
		take_sum(s, &sum);
		for (i = 0; i < set->nr; i++)
			totals->counts[set->pos[i]] += sum.of[i];
		totals->running += sum.of[set->nr];
		totals->nr_counts = max_t(u16, totals->nr_counts, set->nr);
		for (i = 0; i < s->consumer.nr_virtuals; i++)
			virtuals[i] += sum.of[set->nr + 1 + i];
	}
	for (i = 0; i < s->consumer.nr_virtuals; i++)
		totals->counts[totals->nr_counts + i] =
			s->consumer.virtuals[i].count ? virtuals[i] : PMC_NO_VALUE;
	totals->nr_virtual = s->consumer.nr_virtuals;
	return found ? 0 : pmc_session_no_set(s, totals->core_type, totals->set);
}

/**
 * pmc_session_make_totals - have totals for the event sets, all 0
 * @s: session without totals, whose sets are final; its lock is held
 *
 * Context: May sleep.
 * Return: 0 or -ENOMEM.
 */
int pmc_session_make_totals(struct pmc_session *s)
{
	s->totals.counts = kvcalloc(s->size.nr_acc, sizeof(*s->totals.counts),
				    GFP_KERNEL_ACCOUNT);
	if (!s->totals.counts)
		return -ENOMEM;
	atomic64_set(&s->totals.total_threads, 0);
	return 0;
}

/**
 * pmc_session_forget_totals - the event sets are about to change
 * @s: session that counts nothing; its lock is held, or it is freed
 *
 * Totals are of the sets they were counted with.
 *
 * Context: May sleep.
 */
void pmc_session_forget_totals(struct pmc_session *s)
{
	kvfree(s->totals.counts);
	s->totals.counts = NULL;
}
