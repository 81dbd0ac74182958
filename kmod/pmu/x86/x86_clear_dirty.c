// SPDX-License-Identifier: GPL-2.0
/*
 * perf leaves its counters as they are when it is done with them, and writes 0
 * to those it has used when it next switches to a process that may read
 * counters; also when they have become ours meanwhile. So have it do that
 * before: on each CPU, a kernel thread takes up the address space of a process
 * that may read counters for as long as that takes.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>
#include "pmu/x86/x86_clear_dirty.h"
#include "pmu/x86/x86_rdpmc.h"

/* How long a worker may wait for its turn. */
#define PATIENCE	(2 * HZ)

/*
 * A process whose address space is not the one in force here, which would cause no
 * switch. There is none only where a single program runs. Not a process that is
 * being made: the fork hook sets its count to 0.
 */
static struct mm_struct *get_other_mm(const struct mm_struct *in_force)
{
	struct mm_struct *mm = NULL;
	struct task_struct *p;

	rcu_read_lock();
	for_each_process(p) {
		if (READ_ONCE(p->mm) != in_force &&
		    !(READ_ONCE(p->__state) & TASK_NEW))
			mm = get_task_mm(p);
		if (mm)
			break;
	}
	rcu_read_unlock();
	return mm;
}

static int clean_here(void)
{
	struct mm_struct *mm = get_other_mm(current->active_mm);

	if (!mm)
		return -ESRCH;
	atomic_inc(&mm->context.perf_rdpmc_allowed);
	kthread_use_mm(mm);
	kthread_unuse_mm(mm);
	/* CPUs that began to run it meanwhile are interrupted, as this one is. */
	pmc_x86_user_unmap(mm);
	/* It may have ended meanwhile, and others wait for us. */
	mmput_async(mm);
	return 0;
}

struct cleaning {
	struct work_struct work;
	struct completion done;
	int ret;
};

static void clean_by_worker(struct work_struct *work)
{
	struct cleaning *c = container_of(work, struct cleaning, work);

	c->ret = clean_here();
	complete(&c->done);
}

/**
 * pmc_x86_clean - have perf clear the dirty counters of a CPU
 * @cpu: an online CPU; perf has no events there, and gets none
 *
 * Context: May sleep. On the CPU's own hotplug thread, or with CPUs kept from
 * coming and going.
 * Return: 0; -ESRCH: there was no process to do it by; -ETIMEDOUT: real-time
 * threads left no time for it.
 */
int pmc_x86_clean(unsigned int cpu)
{
	struct cleaning c;

	if (!pmc_x86_has_driver())
		return 0;
	if (current->flags & PF_KTHREAD && raw_smp_processor_id() == cpu &&
	    current->nr_cpus_allowed == 1)
		return clean_here();
	INIT_WORK_ONSTACK(&c.work, clean_by_worker);
	init_completion(&c.done);
	queue_work_on(cpu, system_highpri_wq, &c.work);
	/* Event creation and CPU hotplug wait meanwhile. */
	if (!wait_for_completion_timeout(&c.done, PATIENCE) &&
	    cancel_work_sync(&c.work))
		c.ret = -ETIMEDOUT;
	destroy_work_on_stack(&c.work);
	return c.ret;
}
