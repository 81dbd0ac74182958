/* SPDX-License-Identifier: GPL-2.0 */
/* One thread (or CPU), as one session counts it. */
#ifndef PMC_THREAD_H
#define PMC_THREAD_H

#include <linux/processor.h>
#include <linux/rculist_bl.h>
#include <linux/sched.h>
#include "../uapi/pmctrack.h"
#include "percpu.h"

struct pmc_session;

/**
 * struct pmc_thread - a thread in a session
 * @node: in the table of threads, by @task
 * @task: whom it counts; NULL for a CPU (system-wide). Not referenced: the
 *	exit hook takes the entry out before the task goes.
 * @session: whose it is
 * @next: next one loaded on the same CPU
 * @taken: next one of those taken out of the table together
 * @set: event set in force
 * @current_set: the set each core type is at in its rotation
 * @cpu: CPU it is loaded on, -1: none
 * @last_cpu: CPU it was loaded on last
 * @ct: core type of @set
 * @active: counting; false between stop and start, or until exec
 * @on_exec: becomes active at the next exec
 * @throttled: its EBS interrupts are held back
 * @want_sample: a sample was asked for while it was not running
 * @flags: PMC_REC_* to tell in the next record
 * @throttle_jiffy: when they were held back
 * @pid: as in struct pmc_record
 * @tid: as in struct pmc_record
 * @deadline: when the next TBS sample is due, CLOCK_MONOTONIC ns;
 *	U64_MAX: never
 * @last_time: when the last sample was cut, CLOCK_MONOTONIC ns
 * @run_mark: its CPU time when it was loaded or sampled last, ns
 * @running: CPU time since the last sample, without the slice it is in, ns
 * @page: what user space maps to read its own counters, or NULL
 * @rcu: for freeing
 * @mark: value of each software counter when it was read last
 * @left: events left to the next EBS sample of each count
 * @total: totals up to the last sample: for each set, from its acc on, its
 *	counts and then the CPU time they took, ns
 * @cur: counts since the last sample. While loaded, less the value that
 *	each counter had then: see load and unload of struct pmu_backend
 *
 * Loaded: belongs to that CPU with interrupts off. Not loaded: to whoever
 * loads it next; taken out of the table and not loaded: to whoever took it
 * out.
 */
struct pmc_thread {
	struct hlist_bl_node node;
	struct task_struct *task;
	struct pmc_session *session;
	struct pmc_thread *next;
	struct pmc_thread *taken;
	const struct pmc_evset *set;
	const struct pmc_evset **current_set;
	int cpu;
	unsigned int last_cpu;
	u8 ct;
	bool active;
	bool on_exec;
	bool throttled;
	bool want_sample;
	u16 flags;
	unsigned long throttle_jiffy;
	u32 pid;
	u32 tid;
	u64 deadline;
	u64 last_time;
	u64 run_mark;
	u64 running;
	struct pmc_caliper_page *page;
	struct rcu_head rcu;
	u64 *mark;
	s64 *left;
	u64 *total;
	u64 cur[];
};

/* core/switch.c: the work at a switch. */
void pmc_load(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_unload_one(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_unload_all(struct pmc_cpu *cpu);
void pmc_unload_taken(struct pmc_cpu *cpu);
void pmc_start_set(struct pmc_thread *t);
void pmc_arm_ebs(struct pmc_cpu *cpu, struct pmc_thread *t);
void pmc_disarm_ebs(struct pmc_cpu *cpu, struct pmc_thread *t);

/* core/cut.c: samples. */
void pmc_cut(struct pmc_cpu *cpu, struct pmc_thread *t, u64 now,
	     enum pmc_sample_event event, unsigned int ebs_pos);
void pmc_cut_last(struct pmc_thread *t, enum pmc_sample_event event);
void pmc_peek(struct pmc_cpu *cpu, struct pmc_thread *t, u64 *counts);

/* core/thread.c: life and death. */
struct pmc_thread *pmc_thread_alloc(struct pmc_session *s, gfp_t gfp);
void pmc_thread_init(struct pmc_thread *t, struct task_struct *task);
bool pmc_thread_counted(struct pmc_thread *t, int diff);
void pmc_thread_free(struct pmc_thread *t);
void pmc_thread_end(struct pmc_thread *t, enum pmc_sample_event event);

/* The hooks' frame around every change of what is loaded on this CPU. */
static inline void pmc_cpu_begin(struct pmc_cpu *cpu)
{
	cpu->busy = 1;
	barrier();
}

void pmc_run_deferred(struct pmc_cpu *cpu);

static inline void pmc_cpu_end(struct pmc_cpu *cpu)
{
	barrier();
	cpu->busy = 0;
	barrier();
	if (unlikely(READ_ONCE(cpu->deferred)))
		pmc_run_deferred(cpu);
}

/* core/table.c: from task to threads. */
int pmc_table_init(void);
void pmc_table_exit(void);
struct hlist_bl_head *pmc_table_head(const struct task_struct *task);
int pmc_table_add(struct pmc_thread *t);
bool pmc_table_del(struct pmc_thread *t);
struct pmc_thread *pmc_table_find(const struct task_struct *task,
				  const struct pmc_session *s);
struct pmc_thread *pmc_table_take_session(struct pmc_session *s);
void pmc_table_want_samples(struct pmc_session *s);
void pmc_table_add_totals(struct pmc_session *s, unsigned int acc,
			  unsigned int nr, u64 *sum);

/*
 * The hooks run with preemption off, which is an RCU read section; the rest
 * says rcu_read_lock().
 */
#define pmc_bl_deref(p)							\
	rcu_dereference_sched_check(*(struct hlist_bl_node __rcu **)&(p), \
				    rcu_read_lock_held())

/* First node of a bucket. Its lowest bit is the lock. */
static inline struct hlist_bl_node *pmc_bl_first(struct hlist_bl_head *head)
{
	return (struct hlist_bl_node *)((unsigned long)pmc_bl_deref(head->first) &
					~LIST_BL_LOCKMASK);
}

/* Threads in a bucket of the table. */
#define pmc_for_each_in_bucket(t, pos, head)				\
	for (pos = pmc_bl_first(head);					\
	     pos && ({ t = hlist_bl_entry(pos, struct pmc_thread, node); 1; }); \
	     pos = pmc_bl_deref(pos->next))

#endif /* PMC_THREAD_H */
