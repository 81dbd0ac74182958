// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks of a stock kernel: tracepoints. They are found by name, as
 * modules may register probes but not name these tracepoints' symbols. On a
 * patched kernel, too, tracepoints report interrupts.
 *
 * Probes of fork, exec and exit turn preemption off themselves: since 7.0 ("tracing:
 * Guard __DECLARE_TRACE() use of __DO_TRACE_CALL() with SRCU-fast") a tracepoint
 * does not do that for them any more. The others run with interrupts off.
 */
#include <linux/interrupt.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>
#include <base/compat.h>
#include "engine/sample_trigger.h"
#include "engine/switch.h"
#include "engine/user_page.h"
#include "front/hooks/tracepoints.h"
#include "session/inherit.h"

static void notrace on_sched_switch(void *data, bool preempt,
				    struct task_struct *prev,
				    struct task_struct *next,
				    unsigned int prev_state)
{
	pmc_on_switch(next);
}

static void on_task_newtask_u64(void *data, struct task_struct *child,
				u64 clone_flags)
{
	preempt_disable_notrace();
	pmc_on_fork(child, clone_flags);
	preempt_enable_notrace();
}

static void on_task_newtask(void *data, struct task_struct *child,
			    unsigned long clone_flags)
{
	on_task_newtask_u64(data, child, clone_flags);
}

static void on_sched_process_exec(void *data, struct task_struct *task,
				  pid_t old_pid, struct linux_binprm *bprm)
{
	preempt_disable_notrace();
	pmc_on_exec(bprm);
	preempt_enable_notrace();
}

static void on_sched_process_exit(void *data, struct task_struct *task)
{
	preempt_disable_notrace();
	pmc_on_exit();
	preempt_enable_notrace();
}

static void on_sched_process_exit_group_dead(void *data,
					     struct task_struct *task,
					     bool group_dead)
{
	on_sched_process_exit(data, task);
}

static void on_irq_handler_entry(void *data, int irq,
				 struct irqaction *action)
{
	pmc_on_interrupt();
}

static void on_irq_handler_exit(void *data, int irq,
				struct irqaction *action, int ret)
{
	pmc_caliper_irq();
}

static_assert(PMC_PROBE_FITS(sched_switch, on_sched_switch));
static_assert(PMC_PROBE_FITS(task_newtask, on_task_newtask) ||
	      PMC_PROBE_FITS(task_newtask, on_task_newtask_u64));
static_assert(PMC_PROBE_FITS(sched_process_exec, on_sched_process_exec));
static_assert(PMC_PROBE_FITS(sched_process_exit, on_sched_process_exit) ||
	      PMC_PROBE_FITS(sched_process_exit,
			     on_sched_process_exit_group_dead));
static_assert(PMC_PROBE_FITS(irq_handler_entry, on_irq_handler_entry));
static_assert(PMC_PROBE_FITS(irq_handler_exit, on_irq_handler_exit));

struct hook {
	const char *name;
	void *probe;
	struct tracepoint *tp;
};

/* In the order to enable them: no thread may run before its switch is seen. */
static struct hook thread_hooks[] = {
	{ "sched_process_exit",
	  PMC_PROBE_FITS(sched_process_exit, on_sched_process_exit) ?
	  (void *)on_sched_process_exit :
	  (void *)on_sched_process_exit_group_dead },
	{ "sched_process_exec", on_sched_process_exec },
	{ "task_newtask",
	  PMC_PROBE_FITS(task_newtask, on_task_newtask) ?
	  (void *)on_task_newtask : (void *)on_task_newtask_u64 },
	{ "sched_switch", on_sched_switch },
};

static struct hook entry_hooks[] = {
	{ "irq_handler_entry", on_irq_handler_entry },
};

static struct hook exit_hooks[] = {
	{ "irq_handler_exit", on_irq_handler_exit },
};

static void find_in(struct hook *hooks, size_t nr, struct tracepoint *tp)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(hooks[i].name, tp->name))
			hooks[i].tp = tp;
}

static void find(struct tracepoint *tp, void *unused)
{
	find_in(thread_hooks, ARRAY_SIZE(thread_hooks), tp);
	find_in(entry_hooks, ARRAY_SIZE(entry_hooks), tp);
	find_in(exit_hooks, ARRAY_SIZE(exit_hooks), tp);
}

static int check(const struct hook *hooks, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!hooks[i].tp) {
			pr_err("this kernel has no tracepoint %s\n",
			       hooks[i].name);
			return -ENODEV;
		}
	}
	return 0;
}

/**
 * pmc_tracepoints_find - find the tracepoints
 *
 * Context: May sleep.
 * Return: 0 or -ENODEV.
 */
int pmc_tracepoints_find(void)
{
	for_each_kernel_tracepoint(find, NULL);
	return check(thread_hooks, ARRAY_SIZE(thread_hooks)) ?:
	       check(entry_hooks, ARRAY_SIZE(entry_hooks)) ?:
	       check(exit_hooks, ARRAY_SIZE(exit_hooks));
}

static void disable(const struct hook *hooks, size_t nr)
{
	while (nr--)
		tracepoint_probe_unregister(hooks[nr].tp, hooks[nr].probe,
					    NULL);
	tracepoint_synchronize_unregister();
}

static int enable(const struct hook *hooks, size_t nr)
{
	size_t i;
	int ret;

	for (i = 0; i < nr; i++) {
		ret = tracepoint_probe_register(hooks[i].tp, hooks[i].probe,
						NULL);
		if (ret) {
			disable(hooks, i);
			return ret;
		}
	}
	return 0;
}

static int threads_enable(void)
{
	return enable(thread_hooks, ARRAY_SIZE(thread_hooks));
}

static void threads_disable(void)
{
	disable(thread_hooks, ARRAY_SIZE(thread_hooks));
}

const struct pmc_hook_provider pmc_hooks_tracepoints = {
	.name = "tracepoints",
	.enable = threads_enable,
	.disable = threads_disable,
};

/**
 * pmc_irq_entry_enable - have interrupts reported before they are handled
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_irq_entry_enable(void)
{
	return enable(entry_hooks, ARRAY_SIZE(entry_hooks));
}

/**
 * pmc_irq_entry_disable - undo pmc_irq_entry_enable()
 *
 * Context: May sleep.
 */
void pmc_irq_entry_disable(void)
{
	disable(entry_hooks, ARRAY_SIZE(entry_hooks));
}

/**
 * pmc_irq_exit_enable - have interrupts reported after they were handled
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_irq_exit_enable(void)
{
	return enable(exit_hooks, ARRAY_SIZE(exit_hooks));
}

/**
 * pmc_irq_exit_disable - undo pmc_irq_exit_enable()
 *
 * Context: May sleep.
 */
void pmc_irq_exit_disable(void)
{
	disable(exit_hooks, ARRAY_SIZE(exit_hooks));
}
