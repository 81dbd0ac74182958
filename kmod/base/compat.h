/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Everything in which the kernels from 6.1 on differ for these modules. Each entry
 * names the release and the subject of the commit that made the difference. Features
 * are tested, not versions, because stable kernels take such changes over: by a macro
 * that is there, by the type of something, or by a header or a word in one (compat.mk).
 */
#ifndef PMC_BASE_COMPAT_H
#define PMC_BASE_COMPAT_H

#include <linux/build_bug.h>
#include <linux/fs_struct.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/task.h>
#include <linux/syscore_ops.h>
#ifdef PMC_HAS_exec_state
#include <linux/sched/exec_state.h>
#endif
#if defined(CONFIG_ARM_PMU)
#include <linux/perf/arm_pmu.h>
#endif
#if defined(CONFIG_X86)
#include <asm/msr.h>
#include <asm/processor.h>
#ifdef PMC_HAS_cpuid_api
#include <asm/cpuid/api.h>
#endif
#endif

/* ---- tracepoints ---- */

/*
 * Has this probe exactly the tracepoint's arguments? A kernel with CFI panics at the
 * first call of one that has not. The tracepoint's header has to be included.
 *
 * 6.16, 3e816361e94a ("sched/tracepoints: Move and extend the sched_process_exit()
 * tracepoint"): one argument more. It also comes before exit_mm() now, see pmc_on_exit().
 * 6.18, edd3cb05c00a ("copy_process: pass clone_flags as u64 across calltree"): those of
 * task_newtask were unsigned long.
 */
#define PMC_PROBE_FITS(tracepoint, probe)				\
	__same_type(check_trace_callback_type_##tracepoint,		\
		    void (typeof(probe) *))

/* ---- memory, tasks, timers ---- */

/*
 * 6.3, bc292ab00f6c ("mm: introduce vma->vm_flags wrapper functions"): flags of a mapping
 * are changed by functions only.
 */
static inline void pmc_vm_flags_mod(struct vm_area_struct *vma,
				    unsigned long set, unsigned long clear)
{
#ifdef PMC_HAS_vm_flags_mod
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/*
 * Seen in 7.3, "exec: introduce struct task_exec_state" and "exec_state: relocate dumpable
 * information": mm->flags and mm->user_ns have moved to the task. The flags say whether the
 * same user's processes may look into the task; the administrators of the user namespace may
 * in any case. For current, or with the task locked; the task has an mm.
 */
#ifdef PMC_HAS_exec_state
static inline bool pmc_task_dumpable(struct task_struct *task)
{
	return READ_ONCE(rcu_dereference_protected(task->exec_state, true)->dumpable) ==
	       TASK_DUMPABLE_OWNER;
}

static inline struct user_namespace *pmc_task_exec_ns(struct task_struct *task)
{
	return rcu_dereference_protected(task->exec_state, true)->user_ns;
}
#else
static inline bool pmc_task_dumpable(struct task_struct *task)
{
	return get_dumpable(task->mm) == SUID_DUMP_USER;
}

static inline struct user_namespace *pmc_task_exec_ns(struct task_struct *task)
{
	return task->mm->user_ns;
}
#endif

/*
 * The root folder of the system's first program. Kernel threads had the same one. Seen in
 * 7.3, "fs: make userspace_init_fs a dynamically-initialized pointer" and the commits around
 * it: theirs is an empty file system, and that of init has a name of its own.
 */
static inline void pmc_get_system_root(struct path *root)
{
#ifdef PMC_HAS_userspace_init_fs
	get_fs_root(userspace_init_fs, root);
#else
	task_lock(&init_task);
	get_fs_root(init_task.fs, root);
	task_unlock(&init_task);
#endif
}

/*
 * 6.13, 908a1d775422 ("hrtimers: Introduce hrtimer_setup() to replace hrtimer_init()").
 * hrtimer_init() is gone since 6.15.
 */
static inline void pmc_hrtimer_setup(struct hrtimer *timer,
				     enum hrtimer_restart (*function)(struct hrtimer *),
				     enum hrtimer_mode mode)
{
#ifdef PMC_HAS_hrtimer_setup
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, mode);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, mode);
	timer->function = function;
#endif
}

/*
 * 6.19 and stable kernels, a97fbc3ee3e2 ("syscore: Pass context data to callbacks"): the
 * callbacks have got an argument, and what is registered is a struct of its own.
 */
#ifdef PMC_HAS_register_syscore_ops
#define PMC_SYSCORE_ARG	void
#define PMC_DEFINE_SYSCORE(name, on_suspend, on_resume)			\
	static struct syscore_ops name = {				\
		.suspend = on_suspend, .resume = on_resume,		\
	}
#define pmc_register_syscore	register_syscore_ops
#define pmc_unregister_syscore	unregister_syscore_ops
#else
#define PMC_SYSCORE_ARG	void *unused
#define PMC_DEFINE_SYSCORE(name, on_suspend, on_resume)			\
	static const struct syscore_ops name##_ops = {			\
		.suspend = on_suspend, .resume = on_resume,		\
	};								\
	static struct syscore name = { .ops = &name##_ops }
#define pmc_register_syscore	register_syscore
#define pmc_unregister_syscore	unregister_syscore
#endif

/* ---- perf ---- */

/*
 * 6.2, bd2756811766 ("perf: Rewrite core context handling"): was an array, of which the
 * first is that of hardware events.
 */
static inline struct perf_event_context *
pmc_perf_context(const struct task_struct *task)
{
	return READ_ONCE(*(struct perf_event_context *const *)&task->perf_event_ctxp);
}

/*
 * 7.0, eff95e170275 ("perf: Add APIs to create/release mediated guest vPMUs"): marks the PMU
 * that KVM may hand to virtual machines. 0: KVM never does.
 */
#ifndef PERF_PMU_CAP_MEDIATED_VPMU
#define PERF_PMU_CAP_MEDIATED_VPMU	0
#endif

#ifdef CONFIG_ARM_PMU
/*
 * 6.12, bf5ffc8c80e0 ("perf: arm_pmu: Remove event index to counter remapping"): hw.idx is
 * the number of the counter; before, 0 was the cycle counter and event counter n was n + 1.
 * A bitmap says which counters there are; before, a number did.
 */
static __always_inline unsigned int pmc_arm_counter_of(int idx)
{
#ifdef PMC_HAS_cntr_mask
	return idx;
#else
	return (idx - 1) & 31;
#endif
}

/* Is there such a counter? That of instructions only (bit 32) is perf's. */
static inline bool pmc_arm_has_counter(const struct arm_pmu *pmu, unsigned int idx)
{
#ifdef PMC_HAS_cntr_mask
	return idx < 32 && test_bit(idx, pmu->cntr_mask);
#else
	return idx < pmu->num_events;
#endif
}

/* How many there are, the cycle counter included. */
static inline unsigned int pmc_arm_nr_counters(const struct arm_pmu *pmu)
{
#ifdef PMC_HAS_cntr_mask
	return hweight32((u32)*pmu->cntr_mask);
#else
	return pmu->num_events;
#endif
}
#endif /* CONFIG_ARM_PMU */

/* ---- x86's registers ---- */

#ifdef CONFIG_X86
/* 6.16, c435e608cf59 ("x86/msr: Rename 'rdmsrl()' to 'rdmsrq()'") and the like. */
#ifndef rdmsrq
#define rdmsrq			rdmsrl
#define wrmsrq			wrmsrl
#define rdmsrq_safe		rdmsrl_safe
#define wrmsrq_safe		wrmsrl_safe
#define rdmsrq_safe_on_cpu	rdmsrl_safe_on_cpu
#define wrmsrq_safe_on_cpu	wrmsrl_safe_on_cpu
#define native_wrmsrq		native_wrmsrl
#endif
#endif /* CONFIG_X86 */

#endif /* PMC_BASE_COMPAT_H */
