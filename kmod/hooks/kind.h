/* SPDX-License-Identifier: GPL-2.0 */
/* The kinds of hooks there are: tracepoints, and those of a patched kernel. */
#ifndef PMC_HOOKS_KIND_H
#define PMC_HOOKS_KIND_H

/**
 * struct pmc_hook_kind - one way to be told of switch, fork, exec and exit
 * @name: for the parameter `hooks` and /proc/pmc/info
 * @enable: have them told from now on; 0 or a negative error
 * @disable: no more: none of switch runs when it returns. Of a patched kernel a
 *	task that had seen before that fork, exec or exit is to be told may tell it
 *	still; nothing is amiss with that once no thread is in the table. What
 *	ends that, too, is pmc_kernel_unregister()
 *
 * Both may sleep.
 */
struct pmc_hook_kind {
	const char *name;
	int (*enable)(void);
	void (*disable)(void);
};

extern const struct pmc_hook_kind pmc_hooks_tracepoints;
int pmc_tracepoints_find(void);
int pmc_irq_entry_enable(void);
void pmc_irq_entry_disable(void);
int pmc_irq_exit_enable(void);
void pmc_irq_exit_disable(void);

#ifdef CONFIG_PMCTRACK
extern const struct pmc_hook_kind pmc_hooks_kernel;
int pmc_kernel_register(void);
void pmc_kernel_quiesce(void);
void pmc_kernel_unregister(void);
#else
static inline int pmc_kernel_register(void)
{
	return 0;
}

static inline void pmc_kernel_quiesce(void)
{
}

static inline void pmc_kernel_unregister(void)
{
}
#endif

#endif /* PMC_HOOKS_KIND_H */
