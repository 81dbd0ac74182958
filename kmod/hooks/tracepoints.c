// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks of a stock kernel: tracepoints. They are found by name, as
 * modules may register probes but not name these tracepoints' symbols, and
 * are in force only while somebody measures: a kernel nobody measures on
 * runs not one instruction of ours.
 */
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include "../core/caliper.h"
#include "../core/follow.h"
#include "../core/sample.h"
#include "hooks.h"

static void notrace on_sched_switch(void *data, bool preempt,
				    struct task_struct *prev,
				    struct task_struct *next,
				    unsigned int prev_state)
{
	pmc_on_switch(next);
}

static void on_task_newtask(void *data, struct task_struct *child,
			    unsigned long clone_flags)
{
	pmc_on_fork(child, clone_flags);
}

static void on_sched_process_exec(void *data, struct task_struct *task,
				  pid_t old_pid, struct linux_binprm *bprm)
{
	pmc_on_exec(bprm);
}

static void on_sched_process_exit(void *data, struct task_struct *task)
{
	pmc_on_exit();
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

struct hook {
	const char *name;
	void *probe;
	struct tracepoint *tp;
};

/* In the order to enable them: no thread may run before its switch is seen. */
static struct hook thread_hooks[] = {
	{ "sched_process_exit", on_sched_process_exit },
	{ "sched_process_exec", on_sched_process_exec },
	{ "task_newtask", on_task_newtask },
	{ "sched_switch", on_sched_switch },
};

static struct hook entry_hooks[] = {
	{ "irq_handler_entry", on_irq_handler_entry },
};

static struct hook exit_hooks[] = {
	{ "irq_handler_exit", on_irq_handler_exit },
};

static DEFINE_MUTEX(hooks_lock);
static atomic_t thread_users, entry_users, exit_users;

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
 * pmc_hooks_init - find the tracepoints
 *
 * Context: May sleep.
 * Return: 0 or -ENODEV.
 */
int pmc_hooks_init(void)
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

static int get(struct hook *hooks, size_t nr, atomic_t *users)
{
	int ret = 0;

	mutex_lock(&hooks_lock);
	if (!atomic_read(users))
		ret = enable(hooks, nr);
	if (!ret)
		atomic_inc(users);
	mutex_unlock(&hooks_lock);
	return ret;
}

static void put(struct hook *hooks, size_t nr, atomic_t *users)
{
	if (!atomic_dec_and_mutex_lock(users, &hooks_lock))
		return;
	disable(hooks, nr);
	mutex_unlock(&hooks_lock);
}

/**
 * pmc_hooks_get - have switches, forks, execs and exits told
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_hooks_get(void)
{
	return get(thread_hooks, ARRAY_SIZE(thread_hooks), &thread_users);
}

/**
 * pmc_hooks_get_again - keep them told for somebody else, too
 *
 * Context: Any. Undone by pmc_hooks_put().
 * Return: false when they are not told any more.
 */
bool pmc_hooks_get_again(void)
{
	return atomic_inc_not_zero(&thread_users);
}

/**
 * pmc_hooks_put - undo one pmc_hooks_get()
 *
 * No hook runs any more when the last one returns.
 *
 * Context: May sleep.
 */
void pmc_hooks_put(void)
{
	put(thread_hooks, ARRAY_SIZE(thread_hooks), &thread_users);
}

/**
 * pmc_irq_entry_get - have interrupts told before they are handled
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_irq_entry_get(void)
{
	return get(entry_hooks, ARRAY_SIZE(entry_hooks), &entry_users);
}

/**
 * pmc_irq_entry_put - undo one pmc_irq_entry_get()
 *
 * Context: May sleep.
 */
void pmc_irq_entry_put(void)
{
	put(entry_hooks, ARRAY_SIZE(entry_hooks), &entry_users);
}

/**
 * pmc_irq_exit_get - have interrupts told after they were handled
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_irq_exit_get(void)
{
	return get(exit_hooks, ARRAY_SIZE(exit_hooks), &exit_users);
}

/**
 * pmc_irq_exit_put - undo one pmc_irq_exit_get()
 *
 * Context: May sleep.
 */
void pmc_irq_exit_put(void)
{
	put(exit_hooks, ARRAY_SIZE(exit_hooks), &exit_users);
}
