// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks are in force while there is something to measure. Otherwise the kernel
 * runs not one instruction of ours.
 */
#include <linux/mutex.h>
#include <linux/string.h>
#include "hooks.h"
#include "provider.h"

/* The first is taken where none is asked for. */
static const struct pmc_hook_provider *const providers[] = {
#ifdef CONFIG_PMCTRACK
	&pmc_hooks_kernel,
#endif
	&pmc_hooks_tracepoints,
};

static const struct pmc_hook_provider *provider;
static DEFINE_MUTEX(hooks_lock);
static atomic_t thread_users, entry_users, exit_users;

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

static int get(int (*enable)(void), atomic_t *users)
{
	int ret = 0;

	mutex_lock(&hooks_lock);
	if (!atomic_read(users))
		ret = enable();
	if (!ret)
		atomic_inc(users);
	mutex_unlock(&hooks_lock);
	return ret;
}

static void put(void (*disable)(void), atomic_t *users)
{
	if (!atomic_dec_and_mutex_lock(users, &hooks_lock))
		return;
	disable();
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
	return get(provider->enable, &thread_users);
}

/**
 * pmc_hooks_get_again - take one more reference to the hooks
 *
 * Context: Any. Undone by pmc_hooks_put().
 * Return: false when they are not in force any more.
 */
bool pmc_hooks_get_again(void)
{
	return atomic_inc_not_zero(&thread_users);
}

/**
 * pmc_hooks_put - undo one pmc_hooks_get()
 *
 * No switch is reported any more when the last one returns, and nothing else,
 * except what a task of a patched kernel was just about to report: see @disable
 * of struct pmc_hook_provider.
 *
 * Context: May sleep.
 */
void pmc_hooks_put(void)
{
	put(provider->disable, &thread_users);
}

/**
 * pmc_irq_entry_get - have interrupts reported before they are handled
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_irq_entry_get(void)
{
	return get(pmc_irq_entry_enable, &entry_users);
}

/**
 * pmc_irq_entry_put - undo one pmc_irq_entry_get()
 *
 * Context: May sleep.
 */
void pmc_irq_entry_put(void)
{
	put(pmc_irq_entry_disable, &entry_users);
}

/**
 * pmc_irq_exit_get - have interrupts reported after they were handled
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_irq_exit_get(void)
{
	return get(pmc_irq_exit_enable, &exit_users);
}

/**
 * pmc_irq_exit_put - undo one pmc_irq_exit_get()
 *
 * Context: May sleep.
 */
void pmc_irq_exit_put(void)
{
	put(pmc_irq_exit_disable, &exit_users);
}
