/* SPDX-License-Identifier: GPL-2.0 */
/* One thread (or CPU), as one session counts it. */
#ifndef PMC_THREAD_H
#define PMC_THREAD_H

#include <linux/processor.h>
#include <linux/list_bl.h>
#include <linux/llist.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include "base/percpu.h"

struct monitoring_module;
struct pmc_caliper_page;
struct pmc_consumer;
struct pmc_evset;
struct pmc_module_thread;

/* When it is loaded: a sample was asked for while it was not running. */
#define PMC_SLOW_LOAD	0x1
/* When it is unloaded: its session has virtual counters that grow. */
#define PMC_SLOW_UNLOAD	0x2
/* It has an open page, a set with sampling periods, or a module to be notified. */
#define PMC_SLOW_BOTH	(PMC_SLOW_LOAD | PMC_SLOW_UNLOAD)

/**
 * struct pmc_thread - a thread in a session
 * @node: in the table of threads, by @task
 * @task: the task it counts; NULL for a CPU (system-wide). Not referenced: the
 *	exit hook takes the entry out before the task goes.
 * @consumer: whose counts these are
 * @next: next one loaded on the same CPU, or in a pool
 * @taken: next one of those taken out of the table together
 * @retired: next one in its session's retired list, for session/totals.c
 * @summed: the last of its session's sums (sum_nr) that it is in, of those that
 *	retire threads
 * @set: event set in force
 * @cpu: CPU it is loaded on, -1: none
 * @last_cpu: CPU it was loaded on last; UINT_MAX: it never was
 * @ct: core type of @set
 * @moved: it has counted on another one, too
 * @active: to be loaded where its task runs; false between stop and start, or until exec.
 *	Written by the task itself
 * @ready: @ct if it is @active, else U8_MAX: what a switch compares with the CPU's
 * @on_exec: becomes active at the next exec; only while it is not active
 * @slow_flags: PMC_SLOW_*, at least those needed: a switch has more to do than counters
 * @notify_switch: of a module's session: @slow_flags are there to notify the module of
 *	switches, and for nothing else
 * @no_counters: of a module's session that counts nothing: a switch only notifies the
 *	module
 * @throttled: its EBS interrupts are held back
 * @want_sample: a sample was asked for while it was not running
 * @leaving: of the scheduler's session: it is to be taken out, and not to be inherited
 * @unnamed: its last record has no name, as its task has got rights that the session lacks
 * @flags: PMC_REC_* of the next record
 * @throttle_window: pmc_ebs_window() in which they were held back
 * @pid: as in struct pmc_record
 * @tid: as in struct pmc_record
 * @deadline: when the next TBS sample is due, CLOCK_MONOTONIC ns;
 *	U64_MAX: never
 * @last_time: when the last sample was taken, CLOCK_MONOTONIC ns
 * @running: cycles (pmc_cycles()) it was loaded since the last sample; while
 *	loaded, less the cycle it was loaded at
 * @page: what user space maps to read its own counters, or NULL
 * @may_read: counters may be read by instruction where @page is mapped
 * @open: @page is written when it is loaded, and whenever counters change; else, and while
 *	it is not loaded, @page says that they are not to be read
 * @opened: since when that is so, pmc_cycles()
 * @mm: of a module's session: the module; NULL: a client's
 * @monitored: the module's view of it
 * @modules: of a session that uses modules: their own threads for the task, by
 *	the modules' slots, referenced; NULL where there is none
 * @refs: of a module's session: references
 * @virt_prev: virtual counters when it left the CPU last
 * @virt_base: virtual counters when the last sample was taken
 * @set_left: for core types that share sampling periods (periods of struct pmc_rotation):
 *	index of the set that was in force when the thread left them
 * @rcu: for freeing
 * @grace: in a pool: the state of RCU when it ended
 * @sw_prev: value of each software counter of @set when it was read last
 * @period_left: events left to the next EBS sample of each hardware event of @set, in the
 *	part of pmc_thread_periods() for the core types that share the periods of @ct; 0 or
 *	less: none has begun
 * @saved: @cur as it was before the sample, in pmc_record_sample()
 * @total: totals up to the last sample: for each set, from its acc on, its
 *	counts, the CPU time they took, ns, and virtual counters that are counts
 * @reported: of non-sampling sessions: the part of @total that is in records. Of
 *	modules' sessions, which have no records: room for the counts of a sample
 * @cur: counts since the last sample, in the order of the set's pos. While
 *	loaded, less the value that each counter had then: see load and unload
 *	of struct pmu_backend
 *
 * A loaded thread belongs to its CPU, with interrupts off; one that is not loaded
 * to the CPU that loads it next; one taken out of the table and not loaded to the
 * caller that took it out.
 */
struct pmc_thread {
	struct hlist_bl_node node;
	struct task_struct *task;
	struct pmc_consumer *consumer;
	struct pmc_thread *next;
	struct pmc_thread *taken;
	struct llist_node retired;
	u32 summed;
	const struct pmc_evset *set;
	int cpu;
	unsigned int last_cpu;
	u8 ct;
	bool moved;
	bool active;
	u8 ready;
	bool on_exec;
	u8 slow_flags;
	bool notify_switch;
	bool no_counters;
	bool throttled;
	bool want_sample;
	bool leaving;
	bool unnamed;
	u16 flags;
	unsigned long throttle_window;
	u32 pid;
	u32 tid;
	u64 deadline;
	u64 last_time;
	u64 running;
	struct pmc_caliper_page *page;
	bool may_read;
	bool open;
	u64 opened;
	const struct monitoring_module *mm;
	struct pmc_module_thread *monitored;
	struct pmc_thread **modules;
	refcount_t refs;
	u64 *virt_prev;
	u64 *virt_base;
	u8 *set_left;
	union {
		struct rcu_head rcu;
		unsigned long grace;
	};
	u64 *sw_prev;
	s64 *period_left;
	u64 *saved;
	u64 *total;
	u64 *reported;
	u64 cur[];
};

/* After a change of either. */
static inline void pmc_thread_update_ready(struct pmc_thread *t)
{
	t->ready = t->active ? t->ct : U8_MAX;
}

#endif /* PMC_THREAD_H */
