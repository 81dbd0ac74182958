/* SPDX-License-Identifier: GPL-2.0 */
/* What sessions ask of monitoring modules, which are above them. */
#ifndef PMC_MODULE_CALLBACKS_H
#define PMC_MODULE_CALLBACKS_H

#include <linux/types.h>

struct pmc_session;
struct pmc_thread;
struct task_struct;

/**
 * struct pmc_module_ops - how a session has its modules do something
 * @attach: have the modules monitor the task of a thread, and add the thread to the table by
 *	@add, with no module going meanwhile. Return: 0; or a negative error with nothing held,
 *	explained in the session's message where a module is the reason. May sleep
 * @fork: have the modules monitor a new task, in its fork. Preemption is off
 * @sweep: end the modules' threads that no session uses any more. May sleep
 * @check: are the virtual counters available for CPUs (@syswide), or for threads? Return: 0,
 *	or a negative error explained in the session's message
 * @forget: forget the virtual counters, and let the modules go. May sleep
 *
 * All are for sessions that use modules: uses of struct pmc_session_config.
 */
struct pmc_module_ops {
	int (*attach)(struct pmc_thread *t, int (*add)(struct pmc_thread *t));
	void (*fork)(struct pmc_thread *t, struct task_struct *child);
	void (*sweep)(const struct pmc_session *s);
	int (*check)(struct pmc_session *s, bool syswide);
	void (*forget)(struct pmc_session *s);
};

extern const struct pmc_module_ops *pmc_module_ops;

void pmc_module_ops_init(const struct pmc_module_ops *ops);

#endif /* PMC_MODULE_CALLBACKS_H */
