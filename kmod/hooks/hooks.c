// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks are in force while there is something to measure, and a second longer.
 * Otherwise the kernel runs not one instruction of ours.
 *
 * To enable or disable a hook interrupts all CPUs some ten times, as the kernel's code is
 * changed. An unprivileged user who starts and stops a session again and again does that
 * once.
 */
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "../core/work.h"
#include "hooks.h"
#include "provider.h"

/* The first is taken where none is asked for. */
static const struct pmc_hook_provider *const providers[] = {
#ifdef CONFIG_PMCTRACK
	&pmc_hooks_kernel,
#endif
	&pmc_hooks_tracepoints,
};

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

enum { THREADS, IRQ_ENTRY, IRQ_EXIT };

static struct kind kinds[] = {
	[IRQ_ENTRY] = { .enable = pmc_irq_entry_enable, .disable = pmc_irq_entry_disable },
	[IRQ_EXIT] = { .enable = pmc_irq_exit_enable, .disable = pmc_irq_exit_disable },
	[THREADS] = { },
};

static const struct pmc_hook_provider *provider;
static DEFINE_MUTEX(hooks_lock);

static void disable_unused(struct work_struct *work);
static DECLARE_DELAYED_WORK(unused_work, disable_unused);

/**
 * pmc_hooks_init - choose the hooks
 * @name: which: a provider's name, or NULL for the best that there are
 *
 * A patched kernel gets the functions that answer its queries for metrics. It may
 * call them from then on, so everything else has to be ready.
 *
 * Context: May sleep.
 * Return: 0 or a negative error, which is in the kernel log.
 */
int pmc_hooks_init(const char *name)
{
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(providers); i++)
		if (!name || !strcmp(name, providers[i]->name))
			break;
	if (i == ARRAY_SIZE(providers)) {
		pr_err("hooks=%s: this kernel has no such hooks; there are%s tracepoints\n",
		       name, IS_ENABLED(CONFIG_PMCTRACK) ? " kernel and" : "");
		return -EINVAL;
	}
	provider = providers[i];
	kinds[THREADS].enable = provider->enable;
	kinds[THREADS].disable = provider->disable;
	ret = pmc_tracepoints_find();
	return ret ?: pmc_kernel_register();
}

/**
 * pmc_hooks_quiesce - the end is near: the kernel starts nothing new
 *
 * Context: May sleep.
 */
void pmc_hooks_quiesce(void)
{
	pmc_kernel_quiesce();
}

/**
 * pmc_hooks_exit - undo pmc_hooks_init()
 *
 * The kernel calls nothing of this module any more when it returns.
 *
 * Context: May sleep. No session is left.
 */
void pmc_hooks_exit(void)
{
	cancel_delayed_work_sync(&unused_work);
	disable_unused(NULL);
	pmc_kernel_unregister();
}

/**
 * pmc_hooks_name - the name of the hooks
 *
 * Context: Any.
 * Return: the provider's name.
 */
const char *pmc_hooks_name(void)
{
	return provider->name;
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
 * pmc_hooks_get - have switches, forks, execs and exits reported
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_hooks_get(void)
{
	return get(&kinds[THREADS]);
}

/**
 * pmc_hooks_get_again - take one more reference to the hooks
 *
 * Context: Any. Undone by pmc_hooks_put().
 * Return: false when nobody has one any more.
 */
bool pmc_hooks_get_again(void)
{
	return atomic_inc_not_zero(&kinds[THREADS].users);
}

/**
 * pmc_hooks_put - undo one pmc_hooks_get()
 *
 * A second after the last one no switch is reported any more, and nothing else,
 * except what a task of a patched kernel was just about to report: see @disable
 * of struct pmc_hook_provider.
 *
 * Context: Any but NMI.
 */
void pmc_hooks_put(void)
{
	put(&kinds[THREADS]);
}

/**
 * pmc_irq_entry_get - have interrupts reported before they are handled
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_irq_entry_get(void)
{
	return get(&kinds[IRQ_ENTRY]);
}

/**
 * pmc_irq_entry_put - undo one pmc_irq_entry_get()
 *
 * Context: Any but NMI.
 */
void pmc_irq_entry_put(void)
{
	put(&kinds[IRQ_ENTRY]);
}

/**
 * pmc_irq_exit_get - have interrupts reported after they were handled
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_irq_exit_get(void)
{
	return get(&kinds[IRQ_EXIT]);
}

/**
 * pmc_irq_exit_put - undo one pmc_irq_exit_get()
 *
 * Context: Any but NMI.
 */
void pmc_irq_exit_put(void)
{
	put(&kinds[IRQ_EXIT]);
}
