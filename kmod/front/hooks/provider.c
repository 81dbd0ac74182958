// SPDX-License-Identifier: GPL-2.0
/* The providers of hooks there are, and the choice among them. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "engine/hooks_enable.h"
#include "engine/user_page.h"
#include "front/hooks/patched.h"
#include "front/hooks/provider.h"
#include "front/hooks/tracepoints.h"

/* The first is taken where none is asked for. */
static const struct pmc_hook_provider *const providers[] = {
#ifdef CONFIG_PMCTRACK
	&pmc_hooks_kernel,
#endif
	&pmc_hooks_tracepoints,
};

static const struct pmc_hook_provider *provider;

static void threads_disable(void)
{
	pmc_caliper_end_all_access();
	provider->disable();
}

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
	pmc_hooks_provide(PMC_HOOKS_THREADS, provider->enable, threads_disable);
	pmc_hooks_provide(PMC_HOOKS_IRQ_ENTRY, pmc_irq_entry_enable, pmc_irq_entry_disable);
	pmc_hooks_provide(PMC_HOOKS_IRQ_EXIT, pmc_irq_exit_enable, pmc_irq_exit_disable);
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
	pmc_hooks_stop();
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
