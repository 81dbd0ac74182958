// SPDX-License-Identifier: GPL-2.0
/*
 * System-wide counting: for each CPU one struct pmc_thread without a task,
 * loaded from start to stop. Its slots are the session's alone.
 */
#include <linux/cpu.h>
#include <linux/ktime.h>
#include "base/clock.h"
#include "base/percpu.h"
#include "base/stats.h"
#include "engine/evset_counters.h"
#include "engine/record_sample.h"
#include "engine/ring.h"
#include "engine/thread.h"
#include "engine/timer.h"
#include "engine/uncore_read.h"
#include "engine/virtual_read.h"
#include "pmu/coretypes.h"
#include "pmu/pmu.h"
#include "session/session.h"
#include "session/syswide_cpus.h"
#include "session/thread_alloc.h"
#include "session/thread_end.h"
#include "session/uncore.h"
#include "session/wake.h"
#include "uapi/pmctrack.h"

static u64 slots_of(const struct pmc_session *s, unsigned int ct)
{
	const struct pmc_rotation *rot = &s->consumer.rotation[ct];
	unsigned int i;
	u64 slots = 0;

	for (i = 0; i < rot->nr; i++)
		slots |= rot->sets[i]->slots;
	return slots;
}

static LIST_HEAD(sessions);

/**
 * pmc_syswide_unprivileged - unprivileged sessions that count CPUs
 * @user: those of this user; NULL: of all users
 *
 * Context: pmc_cpus_lock is held.
 * Return: how many there are.
 */
unsigned int pmc_syswide_unprivileged(const struct cred *user)
{
	const struct pmc_session *each;
	unsigned int nr = 0;

	list_for_each_entry(each, &sessions, syswide.link)
		nr += !each->consumer.priority &&
		      (!user || uid_eq(each->owner.cred->uid, user->uid));
	return nr;
}

/* On the CPU concerned. */
static void load_here(void *info)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread *t = info;

	pmc_cpu_begin(cpu);
	t->cpu = smp_processor_id();
	t->last_cpu = t->cpu;
	t->ct = cpu->ct_id;
	t->set = t->consumer->rotation[t->ct].sets[0];
	t->last_time = ktime_get_mono_fast_ns();
	pmc_thread_begin_period(t, t->last_time);
	static_call(pmc_backend_load)(t->set, t->cur, cpu);
	pmc_uncore_begin(t);
	if (cpu->lost)
		pmc_note_lost(cpu, t);
	pmc_virtual_begin(t);
	t->running = -pmc_cycles();
	t->next = cpu->syswide;
	cpu->syswide = t;
	if (t->deadline < cpu->expiry)
		pmc_arm_timer(cpu, t->deadline);
	pmc_cpu_end(cpu);
}

struct take {
	const struct pmc_session *session;
	struct pmc_thread *taken;
};

/* On the CPU concerned: unloads a session's counts, or those of all sessions. */
static void unload_here(void *info)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread **link = &cpu->syswide, *t;
	struct take *take = info;

	pmc_cpu_begin(cpu);
	while ((t = *link)) {
		if (take->session && pmc_session_of(t) != take->session) {
			link = &t->next;
			continue;
		}
		*link = t->next;
		static_call(pmc_backend_unload)(t->set, t->cur, cpu);
		pmc_uncore_collect(cpu, t);
		pmc_virtual_save(t);
		if (cpu->lost)
			pmc_note_lost(cpu, t);
		t->running += pmc_cycles();
		t->cpu = -1;
		t->next = take->taken;
		take->taken = t;
	}
	pmc_cpu_end(cpu);
}

/* @flags: PMC_REC_* for the last records */
static void stop_cpu(unsigned int cpu, const struct pmc_session *s, u16 flags)
{
	struct take take = { .session = s };
	struct pmc_thread *t;

	smp_call_function_single(cpu, unload_here, &take, 1);
	while ((t = take.taken)) {
		take.taken = t->next;
		t->flags |= flags;
		preempt_disable();
		pmc_thread_end(t, PMC_SAMPLE_SELF);
		preempt_enable();
	}
}

/* @flags: PMC_REC_* for the first record */
static int start_cpu(struct pmc_session *s, unsigned int cpu, u16 flags)
{
	struct pmc_thread *t = pmc_thread_alloc(s, GFP_KERNEL_ACCOUNT);

	if (!t)
		return -ENOMEM;
	t->flags = PMC_REC_SYSWIDE | flags;
	pmc_thread_counted(t, 1);
	smp_call_function_single(cpu, load_here, t, 1);
	return 0;
}

/* No other session's set is placed on these from here on. */
static void reserve_slots(const struct pmc_session *s, bool reserve)
{
	unsigned int i;

	for (i = 0; i < pmc_nr_core_types; i++) {
		struct pmc_core_type *ct = &pmc_core_types[i];
		u64 slots = slots_of(s, i);
		u64 pinned = s->consumer.priority ? slots : 0;

		ct->syswide = reserve ? ct->syswide | slots : ct->syswide & ~slots;
		ct->syswide_pinned = reserve ? ct->syswide_pinned | pinned :
					     ct->syswide_pinned & ~pinned;
	}
}

/**
 * pmc_syswide_unload - undo pmc_syswide_load()
 * @s: session that counts CPUs
 * @flags: PMC_REC_* for the last records
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 */
void pmc_syswide_unload(struct pmc_session *s, u16 flags)
{
	unsigned int cpu;

	list_del(&s->syswide.link);
	for_each_cpu_and(cpu, s->syswide.cpus, cpu_online_mask)
		stop_cpu(cpu, s, flags);
	pmc_uncore_release(&s->consumer.uncore);
	reserve_slots(s, false);
	s->syswide.active = false;
}

/* A CPU of the session's is online, and not counted, or not by all counters. */
static void note_missed(struct pmc_session *s)
{
	pmc_stat_inc(PMC_STAT_COUNTERS_LOST);
	pmc_ring_note_loss(&s->consumer.ring);
}

/**
 * pmc_syswide_load - begin to count the CPUs of a session
 * @s: session with the reserved counters and the CPUs
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 * Return: 0 or -ENOMEM.
 */
int pmc_syswide_load(struct pmc_session *s)
{
	unsigned int cpu;
	int ret;

	reserve_slots(s, true);
	s->syswide.active = true;
	list_add(&s->syswide.link, &sessions);
	for_each_cpu_and(cpu, s->syswide.cpus, cpu_online_mask) {
		if (!per_cpu(pmc_cpus, cpu).online) {
			note_missed(s);
			continue;
		}
		ret = start_cpu(s, cpu, 0);
		if (ret) {
			pmc_syswide_unload(s, 0);
			return ret;
		}
	}
	return 0;
}

/**
 * pmc_syswide_revoke - revoke the counters of a session that counts CPUs
 * @s: session that counts CPUs
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 */
void pmc_syswide_revoke(struct pmc_session *s)
{
	pmc_ring_note_loss(&s->consumer.ring);
	pmc_syswide_unload(s, PMC_REC_EVICTED);
	pmc_session_wake_now(s);
}

/**
 * pmc_syswide_cpu_missed - a CPU has come online that cannot be counted
 * @cpu: the CPU
 *
 * Context: May sleep; pmc_cpus_lock is held.
 */
void pmc_syswide_cpu_missed(unsigned int cpu)
{
	struct pmc_session *s;

	list_for_each_entry(s, &sessions, syswide.link)
		if (cpumask_test_cpu(cpu, s->syswide.cpus))
			note_missed(s);
}

/**
 * pmc_syswide_cpu_up - count a CPU that has come online
 * @cpu: the CPU
 * @flags: PMC_REC_* for the first record of each session
 *
 * Context: May sleep; pmc_cpus_lock is held.
 */
void pmc_syswide_cpu_up(unsigned int cpu, u16 flags)
{
	struct pmc_session *s;
	u16 lost;

	list_for_each_entry(s, &sessions, syswide.link) {
		if (!cpumask_test_cpu(cpu, s->syswide.cpus))
			continue;
		lost = pmc_uncore_cpu_up(s, cpu) ? PMC_REC_COUNTER_LOST : 0;
		if (lost)
			note_missed(s);
		if (!start_cpu(s, cpu, flags | lost))
			continue;
		pr_warn("CPU %u came online, but there is no memory to count it for a session\n",
			cpu);
		pmc_stat_inc(PMC_STAT_POOL_MISSES);
		pmc_ring_note_loss(&s->consumer.ring);
	}
}

/**
 * pmc_syswide_cpu_down - last samples of a CPU that goes offline
 * @cpu: the CPU, still online
 *
 * Context: May sleep; pmc_cpus_lock is held.
 */
void pmc_syswide_cpu_down(unsigned int cpu)
{
	stop_cpu(cpu, NULL, 0);
}
