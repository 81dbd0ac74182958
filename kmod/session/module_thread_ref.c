// SPDX-License-Identifier: GPL-2.0
/*
 * References to the threads by which modules monitor tasks: a thread of a client's
 * session, or of the scheduler's, has one for each module that its session uses, and the
 * table of threads has another one.
 */
#include <linux/atomic.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include "engine/thread.h"
#include "session/module_thread_ref.h"

/**
 * pmc_module_drop - drop the table's reference to a module's thread
 * @t: the thread, taken out of the table
 *
 * A sweep has dropped it already when it took the thread out, so that no other
 * reference is taken to a thread that is about to end.
 *
 * Context: Any but NMI.
 */
void pmc_module_drop(struct pmc_thread *t)
{
	if (refcount_read(&t->refs))
		pmc_module_put(t);
	else
		kfree_rcu(t, rcu);
}

/**
 * pmc_module_put - drop a reference to a module's thread
 * @t: the thread
 *
 * Context: Any but NMI.
 */
void pmc_module_put(struct pmc_thread *t)
{
	if (refcount_dec_and_test(&t->refs))
		kfree_rcu(t, rcu);
}

/**
 * pmc_module_detach - a client's thread does without one module
 * @t: the thread
 * @slot: the module's
 *
 * Context: Any but NMI.
 */
void pmc_module_detach(struct pmc_thread *t, unsigned int slot)
{
	struct pmc_thread *own = xchg(&t->modules[slot], NULL);

	if (own)
		pmc_module_put(own);
}

/**
 * pmc_modules_detach - a client's thread ends
 * @t: the thread
 *
 * Context: Any but NMI.
 */
void pmc_modules_detach(struct pmc_thread *t)
{
	unsigned int i;

	for (i = 0; t->modules && i < PMC_MODULES_MAX; i++)
		pmc_module_detach(t, i);
}
