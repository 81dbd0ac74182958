// SPDX-License-Identifier: GPL-2.0
/*
 * perf may move a shared counter, or start it anew, at any time: when a task with events of
 * its own has been switched to, after our hook, in an interrupt, or in a system call of the
 * very thread that reads the counter by instruction. The thread's page says where the counter
 * is and what it started from, so the page is written anew before the thread runs on: the
 * tracepoint of writes to registers says when, and an interrupt that the CPU sends to itself
 * comes before it is back in user mode.
 *
 * Other writes to registers cost some 40 instructions more each while pages are mapped.
 *
 * Not while the machine is suspended: when it resumes it writes registers before per-CPU data,
 * which the tracepoint needs, can be found (restore_processor_state()). Threads read by calls
 * then.
 */
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/suspend.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <asm/msr-trace.h>
#include <base/compat.h>
#include "base/pmu_callbacks.h"
#include "base/work.h"
#include "pmu/x86/x86_perf_moves.h"

/**
 * struct tracking - of a CPU
 * @open: pages have been written that say where counters are
 * @work: writes the pages anew
 */
struct tracking {
	bool open;
	struct irq_work work;
};

static DEFINE_PER_CPU(struct tracking, tracking);

/* All of these are changed under the lock; suspended is read without it. */
static DEFINE_MUTEX(lock);
static unsigned int nr_users;
static bool tracing;
static bool suspended;
static struct tracepoint *write_msr;

/* As for hooks_enable.c: to end at once would interrupt all CPUs at each end of a session. */
static void end_unused(struct work_struct *work);
static DECLARE_DELAYED_WORK(unused_work, end_unused);

/*
 * Counters' values and events: Intel's general counters (each by two names), fixed
 * ones and those of version 6; AMD's, the old way and the new. Each has 32 at most.
 */
static bool is_counter(u32 msr)
{
	return msr - 0x0c1 < 32 || msr - 0x186 < 32 || msr - 0x309 < 16 ||
	       msr == 0x38d || msr - 0x4c1 < 32 || msr - 0x1900 < 0x100 ||
	       msr - 0xc0010000 < 8 || msr - 0xc0010200 < 32;
}

/* In any context, NMIs included. */
static void notrace on_write_msr(void *data, unsigned int msr, u64 value,
				 int failed)
{
	struct tracking *t;

	if (likely(!is_counter(msr)))
		return;
	preempt_disable_notrace();
	t = this_cpu_ptr(&tracking);
	if (READ_ONCE(t->open))
		irq_work_queue(&t->work);
	preempt_enable_notrace();
}

static_assert(PMC_PROBE_FITS(write_msr, on_write_msr));

static void write_pages(struct irq_work *work)
{
	WRITE_ONCE(container_of(work, struct tracking, work)->open, false);
	pmc_upcalls->republish();
}

/**
 * pmc_x86_track_moves_here - pages are about to say where this CPU's counters are
 *
 * Context: Interrupts off.
 * Return: whether pages may say so.
 */
bool pmc_x86_track_moves_here(void)
{
	this_cpu_write(tracking.open, true);
	return !READ_ONCE(suspended);
}

static int begin(void)
{
	int ret = tracing ? 0 : tracepoint_probe_register(write_msr, on_write_msr, NULL);

	tracing = !ret;
	return ret;
}

static void end(void)
{
	unsigned int cpu;

	if (!tracing)
		return;
	tracing = false;
	tracepoint_probe_unregister(write_msr, on_write_msr, NULL);
	tracepoint_synchronize_unregister();
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(tracking, cpu).work);
}

static void end_unused(struct work_struct *work)
{
	mutex_lock(&lock);
	if (!nr_users)
		end();
	mutex_unlock(&lock);
}

static void write_pages_here(void *unused)
{
	pmc_upcalls->republish();
}

static int on_pm_event(struct notifier_block *nb, unsigned long event, void *data)
{
	bool suspends = event == PM_SUSPEND_PREPARE || event == PM_HIBERNATION_PREPARE ||
		      event == PM_RESTORE_PREPARE;

	mutex_lock(&lock);
	if (tracing && suspends && !suspended) {
		WRITE_ONCE(suspended, true);
		on_each_cpu(write_pages_here, NULL, 1);
		end();
	} else if (nr_users && !suspends && suspended && !begin()) {
		WRITE_ONCE(suspended, false);
	} else if (!nr_users) {
		WRITE_ONCE(suspended, suspends);
	}
	mutex_unlock(&lock);
	return NOTIFY_DONE;
}

static struct notifier_block pm_notifier = { .notifier_call = on_pm_event };

static void find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "write_msr"))
		write_msr = tp;
}

/**
 * pmc_x86_msr_trace_init - when the backend is chosen
 *
 * Pointers in a module's per-CPU data are not relocated on 6.1 and 6.12.
 *
 * Context: May sleep.
 */
void pmc_x86_msr_trace_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(tracking, cpu).work = IRQ_WORK_INIT_HARD(write_pages);
	for_each_kernel_tracepoint(find, NULL);
	register_pm_notifier(&pm_notifier);
}

/**
 * pmc_x86_msr_trace_exit - when the module goes
 *
 * Context: May sleep. No session is left.
 */
void pmc_x86_msr_trace_exit(void)
{
	cancel_delayed_work_sync(&unused_work);
	end_unused(NULL);
	unregister_pm_notifier(&pm_notifier);
}

/**
 * pmc_x86_track_moves - begin to write pages anew when counters move
 *
 * Context: May sleep.
 * Return: 0 or a negative error: pages must not say where counters are.
 */
int pmc_x86_track_moves(void)
{
	int ret = write_msr ? 0 : -ENODEV;

	mutex_lock(&lock);
	if (!ret && !suspended)
		ret = begin();
	if (!ret)
		nr_users++;
	mutex_unlock(&lock);
	return ret;
}

/**
 * pmc_x86_untrack_moves - undo pmc_x86_track_moves()
 *
 * Context: May sleep.
 */
void pmc_x86_untrack_moves(void)
{
	mutex_lock(&lock);
	if (!--nr_users) {
		/* Not pmc_wq, which ends before the backend. */
		cancel_delayed_work(&unused_work);
		schedule_delayed_work(&unused_work, PMC_KEEP);
	}
	mutex_unlock(&lock);
}
