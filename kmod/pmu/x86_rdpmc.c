// SPDX-License-Identifier: GPL-2.0
/*
 * RDPMC in user mode: allowed by CR4.PCE, which the kernel sets and clears with the
 * address space, by a count that perf keeps in it for mapped events. A mapped caliper
 * page is one more.
 *
 * CPUs that run the process at that moment have to change CR4 too. Modules other than KVM
 * may not write it any more since 6.18 ("x86: Restrict KVM-induced symbol exports to KVM
 * modules where obvious/possible"), so perf's PMU driver does it, as for an event of its
 * own: by event_mapped() and event_unmapped(), which look at the event's flags and at
 * nothing else of it.
 */
#include <linux/err.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include "../core/caliper.h"
#include "../core/session.h"
#include "x86.h"

/* The driver of the PMU, and an event for it whose counter user mode may read. */
static struct pmu *driver;
static struct perf_event readable = {
	.hw.flags = PERF_EVENT_FLAG_USER_READ_CNT,
};

struct mm_struct *pmc_x86_next_reader;
static DEFINE_MUTEX(next_reader_lock);

/**
 * pmc_x86_user_init - find the driver that can change CR4
 *
 * Context: May sleep. The PMU is not in use.
 */
void pmc_x86_user_init(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.disabled = 1,
		.exclude_guest = 1,
	};
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&attr, -1, current, NULL,
						 NULL);
	driver = NULL;
	if (IS_ERR(event))
		return;
	if (event->pmu->event_mapped && event->pmu->event_unmapped)
		driver = event->pmu;
	perf_event_release_kernel(event);
}

/**
 * pmc_x86_has_driver - has the kernel a driver for this PMU
 *
 * Without one it uses no counters, and processes get no right to read them.
 *
 * Context: Any.
 */
bool pmc_x86_has_driver(void)
{
	return driver;
}

/**
 * pmc_x86_user_policy - may processes read counters
 *
 * As the administrator has it for perf (Documentation/ABI/testing/
 * sysfs-bus-event_source-devices, "rdpmc").
 *
 * Context: May sleep.
 * Return: 0: none may; 1: those that have asked; 2: all may, and do already.
 */
int pmc_x86_user_policy(void)
{
	int value;

	if (driver &&
	    (!pmc_read_setting("sys/bus/event_source/devices/cpu/rdpmc",
			       &value) ||
	     !pmc_read_setting("sys/bus/event_source/devices/cpu_core/rdpmc",
			       &value)))
		return value;
	return 0;
}

/* Also where a kernel thread borrows it. */
static void clear_dirty_here(void *mm)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	if (current->active_mm != mm)
		return;
	pmc_cpu_begin(cpu);
	pmc_caliper_clear_dirty(cpu);
	pmc_cpu_end(cpu);
}

/**
 * pmc_x86_user_map - a process has mapped a page more
 * @mm: its address space, locked for writing
 *
 * Counters are cleared before the process may read them: on CPUs that begin to run it
 * meanwhile by the switch, as pmc_user_reads() says so already.
 *
 * Context: May sleep.
 */
void pmc_x86_user_map(struct mm_struct *mm)
{
	mutex_lock(&next_reader_lock);
	if (!atomic_read(&mm->context.perf_rdpmc_allowed)) {
		WRITE_ONCE(pmc_x86_next_reader, mm);
		/* Seen before CPUs are asked whether they run it. */
		smp_mb();
		on_each_cpu_mask(mm_cpumask(mm), clear_dirty_here, mm, true);
	}
	driver->event_mapped(&readable, mm);
	WRITE_ONCE(pmc_x86_next_reader, NULL);
	mutex_unlock(&next_reader_lock);
}

/**
 * pmc_x86_user_unmap - a process has a page less mapped
 * @mm: its address space
 *
 * Context: May sleep.
 */
void pmc_x86_user_unmap(struct mm_struct *mm)
{
	driver->event_unmapped(&readable, mm);
}

/**
 * pmc_x86_user_fork - current's process has got a child
 * @mm: the child's address space, a copy that has not been used yet
 *
 * The count is copied, but neither our pages nor perf's are.
 *
 * Context: Any.
 */
void pmc_x86_user_fork(struct mm_struct *mm)
{
	atomic_set(&mm->context.perf_rdpmc_allowed, 0);
}
