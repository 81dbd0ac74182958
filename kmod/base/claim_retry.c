// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that are missing are tried again until nothing is missing: those of a CPU that
 * came online while they were taken, and those that other users of the PMU have taken over.
 */
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include "base/claim_retry.h"
#include "base/work.h"

/* How often missing counters are tried again */
#define RETRY_MS	200

static const struct pmc_retry_ops *ops;

static void retry(struct work_struct *work);
static DECLARE_DELAYED_WORK(retry_work, retry);
static void retry_later(struct irq_work *work);
static struct irq_work retry_irq = IRQ_WORK_INIT_HARD(retry_later);
static bool retry_wanted;

static void queue_retry(void)
{
	queue_delayed_work(pmc_wq, &retry_work, msecs_to_jiffies(RETRY_MS));
}

static void retry_later(struct irq_work *work)
{
	queue_retry();
}

static void retry(struct work_struct *work)
{
	bool all;

	WRITE_ONCE(retry_wanted, false);
	cpus_read_lock();
	all = ops->counters();
	cpus_read_unlock();
	if (!all)
		queue_retry();
}

/**
 * pmc_retry_cpus - try now, but only the CPUs that are not in use
 *
 * Context: May sleep. CPUs can't come or go.
 */
void pmc_retry_cpus(void)
{
	ops->cpus();
}

/**
 * pmc_retry_soon - counters are missing: try to have them, again and again
 *
 * Context: Any.
 */
void pmc_retry_soon(void)
{
	if (!xchg(&retry_wanted, true))
		irq_work_queue(&retry_irq);
}

/**
 * pmc_retry_init - say how it is tried
 * @retry_ops: the functions
 *
 * Context: Before any CPU is in use.
 */
void pmc_retry_init(const struct pmc_retry_ops *retry_ops)
{
	ops = retry_ops;
}

/**
 * pmc_retry_exit - try no more
 *
 * Context: May sleep. No CPU is in use any more.
 */
void pmc_retry_exit(void)
{
	/* No CPU is unavailable any more, and no counter is claimed: the work does not go on. */
	irq_work_sync(&retry_irq);
	cancel_delayed_work_sync(&retry_work);
}
