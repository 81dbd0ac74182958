/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel types and functions that these schedulers use. When a program is loaded,
 * members are located by name in the running kernel's types, so the types here need not be
 * complete. Constants are those of kernel/sched/ext and include/linux/sched/ext.h; they
 * are the same in Linux 6.12 and 7.3.
 */
#ifndef SCX_BPF_H
#define SCX_BPF_H

#include <asm-generic/errno-base.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

typedef __u32 u32;
typedef __s32 s32;
typedef __u64 u64;
typedef __s64 s64;

#define SCX_DSQ_GLOBAL		((1ULL << 63) | 1)
#define SCX_DSQ_LOCAL		((1ULL << 63) | 2)
#define SCX_ENQ_PREEMPT		(1ULL << 32)
#define SCX_ENQ_LAST		(1ULL << 41)
#define SCX_KICK_IDLE		(1ULL << 0)
#define SCX_KICK_PREEMPT	(1ULL << 1)
#define SCX_OPS_ENQ_LAST	(1ULL << 1)
#define SCX_TASK_QUEUED		1
#define PF_KTHREAD		0x00200000

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* The kernel's name of the type: with another one clang leaves it incomplete. */
typedef struct cpumask {
	unsigned long bits[1];
} cpumask_t;

struct scx_init_task_args {
	bool fork;
};

struct scx_exit_task_args;
struct scx_cpu_release_args;

struct sched_ext_entity {
	u32 flags;
	u32 weight;
	u64 slice;
	u64 dsq_vtime;
};

struct task_struct {
	u32 flags;
	int nr_cpus_allowed;
	const cpumask_t *cpus_ptr;
	struct sched_ext_entity scx;
};

enum scx_exit_kind {
	SCX_EXIT_NONE,
};

struct scx_exit_info {
	enum scx_exit_kind kind;
	s64 exit_code;
	const char *reason;
	char *msg;
};

#pragma clang attribute pop

/* The members that are used here; they are not relocated, but matched by name. */
struct sched_ext_ops {
	s32 (*select_cpu)(struct task_struct *p, s32 prev_cpu, u64 wake_flags);
	void (*enqueue)(struct task_struct *p, u64 enq_flags);
	void (*dispatch)(s32 cpu, struct task_struct *prev);
	void (*tick)(struct task_struct *p);
	void (*runnable)(struct task_struct *p, u64 enq_flags);
	void (*running)(struct task_struct *p);
	void (*stopping)(struct task_struct *p, bool runnable);
	void (*quiescent)(struct task_struct *p, u64 deq_flags);
	void (*set_cpumask)(struct task_struct *p, const struct cpumask *cpumask);
	s32 (*init_task)(struct task_struct *p, struct scx_init_task_args *args);
	void (*enable)(struct task_struct *p);
	void (*disable)(struct task_struct *p);
	void (*cpu_release)(s32 cpu, struct scx_cpu_release_args *args);
	s32 (*init)(void);
	void (*exit)(struct scx_exit_info *info);
	u64 flags;
	u32 timeout_ms;
	char name[128];
};

/*
 * Functions whose names differ between kernels. A kernel has only some of them; the address
 * of a missing function is 0, and the verifier drops calls of it. libbpf also takes a
 * function as missing if its arguments or result have other types; before libbpf 1.3 that
 * is an error, but so far no kernel has one of these with other types.
 */
struct scx_bpf_dsq_insert_vtime_args {
	u64 dsq_id;
	u64 slice;
	u64 vtime;
	u64 enq_flags;
};

/* Linux 6.12 */
void scx_bpf_dispatch(struct task_struct *p, u64 dsq, u64 slice, u64 enq_flags) __ksym __weak;
void scx_bpf_dispatch_vtime(struct task_struct *p, u64 dsq, u64 slice, u64 vtime,
			    u64 enq_flags) __ksym __weak;
bool scx_bpf_consume(u64 dsq) __ksym __weak;
/* Up to 7.3 */
u32 scx_bpf_reenqueue_local(void) __ksym __weak;
/* Since 6.13; the kernel's comments announce the end of these after 7.3. */
void scx_bpf_dsq_insert(struct task_struct *p, u64 dsq, u64 slice, u64 enq_flags) __ksym __weak;
void scx_bpf_dsq_insert_vtime(struct task_struct *p, u64 dsq, u64 slice, u64 vtime,
			      u64 enq_flags) __ksym __weak;
bool scx_bpf_dsq_move_to_local(u64 dsq) __ksym __weak;
/*
 * Since 6.19 and 7.1. From libbpf 1.3 on, the last three underscores and what follows them are
 * not a part of the name: with it, these are also the functions that will get the old names.
 */
bool scx_bpf_dsq_insert___v2(struct task_struct *p, u64 dsq, u64 slice,
			     u64 enq_flags) __ksym __weak;
bool __scx_bpf_dsq_insert_vtime(struct task_struct *p,
				struct scx_bpf_dsq_insert_vtime_args *args) __ksym __weak;
bool scx_bpf_dsq_move_to_local___v2(u64 dsq, u64 enq_flags) __ksym __weak;
void scx_bpf_reenqueue_local___v2(void) __ksym __weak;
/* The same function of the kernel, found by libbpf 1.3 and later */
void scx_bpf_reenqueue_local___v2___full_name(void) __ksym __weak;

/* Put a thread at the end of a queue. */
static inline void dsq_insert(struct task_struct *p, u64 dsq, u64 slice, u64 enq_flags)
{
	if (scx_bpf_dsq_insert___v2)
		scx_bpf_dsq_insert___v2(p, dsq, slice, enq_flags);
	else if (scx_bpf_dsq_insert)
		scx_bpf_dsq_insert(p, dsq, slice, enq_flags);
	else
		scx_bpf_dispatch(p, dsq, slice, enq_flags);
}

/* Put a thread into a queue that is ordered by virtual time. */
static inline void dsq_insert_vtime(struct task_struct *p, u64 dsq, u64 slice, u64 vtime,
				    u64 enq_flags)
{
	if (__scx_bpf_dsq_insert_vtime) {
		struct scx_bpf_dsq_insert_vtime_args args = {
			.dsq_id = dsq,
			.slice = slice,
			.vtime = vtime,
			.enq_flags = enq_flags,
		};

		__scx_bpf_dsq_insert_vtime(p, &args);
	} else if (scx_bpf_dsq_insert_vtime) {
		scx_bpf_dsq_insert_vtime(p, dsq, slice, vtime, enq_flags);
	} else {
		scx_bpf_dispatch_vtime(p, dsq, slice, vtime, enq_flags);
	}
}

/* Return: this CPU runs the first thread of a queue next; false: the queue is empty. */
static inline bool dsq_move_to_local(u64 dsq)
{
	if (scx_bpf_dsq_move_to_local___v2)
		return scx_bpf_dsq_move_to_local___v2(dsq, 0);
	if (scx_bpf_dsq_move_to_local)
		return scx_bpf_dsq_move_to_local(dsq);
	return scx_bpf_consume(dsq);
}

/*
 * Queue the threads again that wait in this CPU's own queue. The older function does so at once,
 * while BPF keeps the preempted thread, which is still the current one, from migrating: Linux 7.3
 * then puts that thread back into this CPU's queue. The newer function does so later.
 */
static inline void reenqueue_local(void)
{
	if (scx_bpf_reenqueue_local___v2___full_name)
		scx_bpf_reenqueue_local___v2___full_name();
	else if (scx_bpf_reenqueue_local___v2)
		scx_bpf_reenqueue_local___v2();
	else if (scx_bpf_reenqueue_local)
		scx_bpf_reenqueue_local();
}

s32 scx_bpf_create_dsq(u64 dsq, s32 node) __ksym;
void scx_bpf_kick_cpu(s32 cpu, u64 flags) __ksym;
bool scx_bpf_test_and_clear_cpu_idle(s32 cpu) __ksym;
const struct cpumask *scx_bpf_get_idle_cpumask(void) __ksym;
const struct cpumask *scx_bpf_get_idle_smtmask(void) __ksym;
void scx_bpf_put_idle_cpumask(const struct cpumask *cpumask) __ksym;
s32 scx_bpf_task_cpu(const struct task_struct *p) __ksym;
bool bpf_cpumask_empty(const struct cpumask *cpumask) __ksym;
bool bpf_cpumask_test_cpu(u32 cpu, const struct cpumask *cpumask) __ksym;

/* Functions of pmctrack.ko, see kmod/include/pmctrack/scheduler.h. */
struct pmc_metric_value {
	u64 value;
	u64 time;
};

#define PMC_METRIC_SPEEDUP_FACTOR	0

int bpf_pmcs_get_metric(struct task_struct *p, int metric,
			struct pmc_metric_value *value) __ksym;
int bpf_pmcs_monitor_task(struct task_struct *p, bool on) __ksym;

#endif
