/* SPDX-License-Identifier: GPL-2.0 */
/* The providers of hooks: tracepoints, and a patched kernel. */
#ifndef PMC_PROVIDER_H
#define PMC_PROVIDER_H

/**
 * struct pmc_hook_provider - one way to have switch, fork, exec and exit reported
 * @name: for the parameter `hooks` and /proc/pmc/info
 * @enable: begin to report them; 0 or a negative error
 * @disable: stop: no switch hook runs any more when it returns. In a patched kernel
 *	a task that was about to report a fork, exec or exit may still do so, which
 *	does no harm once no thread is in the table. pmc_kernel_unregister() ends that,
 *	too
 *
 * Both may sleep.
 */
struct pmc_hook_provider {
	const char *name;
	int (*enable)(void);
	void (*disable)(void);
};

int pmc_hooks_init(const char *name);
void pmc_hooks_quiesce(void);
void pmc_hooks_exit(void);
const char *pmc_hooks_name(void);

#endif /* PMC_PROVIDER_H */
