// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks are in force while there is something to measure, and a second longer.
 * Otherwise the kernel runs no instruction of the module.
 *
 * To enable or disable a hook interrupts all CPUs some ten times, as the kernel's code is
 * changed. An unprivileged user who starts and stops a session again and again does that
 * once.
 */
#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include "base/work.h"
#include "engine/hooks_enable.h"

/**
 * struct kind - hooks that are enabled and disabled together
 * @enable: begin to report; 0 or a negative error
 * @disable: stop
 * @users: how many want them
 * @enabled: they are in force; under hooks_lock
 */
struct kind {
	int (*enable)(void);
	void (*disable)(void);
	atomic_t users;
	bool enabled;
};

static struct kind kinds[PMC_HOOKS_NR];
static DEFINE_MUTEX(hooks_lock);

static void disable_unused(struct work_struct *work);
static DECLARE_DELAYED_WORK(unused_work, disable_unused);

/**
 * pmc_hooks_provide - say how hooks are enabled and disabled
 * @kind: which hooks
 * @enable: begin to report; may sleep; 0 or a negative error
 * @disable: stop; may sleep
 *
 * Context: Any, before the hooks are used.
 */
void pmc_hooks_provide(enum pmc_hooks kind, int (*enable)(void), void (*disable)(void))
{
	kinds[kind].enable = enable;
	kinds[kind].disable = disable;
}

static int get(struct kind *kind)
{
	int ret = 0;

	mutex_lock(&hooks_lock);
	if (!kind->enabled)
		ret = kind->enable();
	if (!ret) {
		kind->enabled = true;
		atomic_inc(&kind->users);
	}
	mutex_unlock(&hooks_lock);
	return ret;
}

static void put(struct kind *kind)
{
	if (atomic_dec_and_test(&kind->users))
		mod_delayed_work(pmc_wq, &unused_work, PMC_KEEP);
}

static void disable_unused(struct work_struct *work)
{
	struct kind *kind;

	mutex_lock(&hooks_lock);
	for (kind = kinds; kind < kinds + ARRAY_SIZE(kinds); kind++) {
		if (!kind->enabled || atomic_read(&kind->users))
			continue;
		kind->disable();
		kind->enabled = false;
	}
	mutex_unlock(&hooks_lock);
}

/**
 * pmc_hooks_stop - disable hooks that are enabled though they are unused
 *
 * Context: May sleep. No session is left.
 */
void pmc_hooks_stop(void)
{
	cancel_delayed_work_sync(&unused_work);
	disable_unused(NULL);
}

/**
 * pmc_hooks_get - have switches, forks, execs and exits reported
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_hooks_get(void)
{
	return get(&kinds[PMC_HOOKS_THREADS]);
}

/**
 * pmc_hooks_get_again - take one more reference to the hooks
 *
 * Context: Any. Undone by pmc_hooks_put().
 * Return: false when nobody has one any more.
 */
bool pmc_hooks_get_again(void)
{
	return atomic_inc_not_zero(&kinds[PMC_HOOKS_THREADS].users);
}

/**
 * pmc_hooks_put - undo one pmc_hooks_get()
 *
 * A second after the last one no switch is reported any more, and nothing else,
 * except what a task of a patched kernel was just about to report: see
 * struct pmc_hook_provider.
 *
 * Context: Any but NMI.
 */
void pmc_hooks_put(void)
{
	put(&kinds[PMC_HOOKS_THREADS]);
}

/**
 * pmc_irq_entry_get - have interrupts reported before they are handled
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_irq_entry_get(void)
{
	return get(&kinds[PMC_HOOKS_IRQ_ENTRY]);
}

/**
 * pmc_irq_entry_put - undo one pmc_irq_entry_get()
 *
 * Context: Any but NMI.
 */
void pmc_irq_entry_put(void)
{
	put(&kinds[PMC_HOOKS_IRQ_ENTRY]);
}

/**
 * pmc_irq_exit_get - have interrupts reported after they were handled
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_irq_exit_get(void)
{
	return get(&kinds[PMC_HOOKS_IRQ_EXIT]);
}

/**
 * pmc_irq_exit_put - undo one pmc_irq_exit_get()
 *
 * Context: Any but NMI.
 */
void pmc_irq_exit_put(void)
{
	put(&kinds[PMC_HOOKS_IRQ_EXIT]);
}
