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
 *
 * A process that maps an event of perf's gets the right at once, without a switch. perf
 * clears counters that it has used before, but not those that are in use, which for perf
 * ours are. So this file comes before perf's event_mapped().
 */
#include <linux/err.h>
#include <linux/mm_types.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include "base/kernel_cred.h"
#include "base/percpu.h"
#include "base/pmu_callbacks.h"
#include "pmu/coretypes.h"
#include "pmu/x86/x86_rdpmc.h"

/* PMUs that perf may have for the core types. */
#define MAX_PMUS	4
/* Instructions, on all processors. */
#define ANY_EVENT	0xc0

/* The driver of the PMU, and an event for it whose counter user mode may read. */
static struct pmu *driver;
static struct perf_event readable = {
	.hw.flags = PERF_EVENT_FLAG_USER_READ_CNT,
};

/* Processes that are about to get the right. */
atomic_t pmc_x86_next_readers;

/**
 * struct hooked - a PMU of perf's
 * @pmu: its event_mapped is ours; NULL: none
 * @mapped: what it was
 */
struct hooked {
	struct pmu *pmu;
	void (*mapped)(struct perf_event *event, struct mm_struct *mm);
};

static struct hooked hooked[MAX_PMUS];
/* Read-locked by those that are in our function. */
static DECLARE_RWSEM(mapping);

/*
 * Return: the PMU that counts such an event of an online one of these CPUs, or NULL. An event of
 * a task would have perf patch its code, which locks CPUs, and they are locked already.
 */
static struct pmu *pmu_of(const struct cpumask *cpus, u32 type, u64 config)
{
	struct perf_event_attr attr = {
		.type = type,
		.config = config,
		.size = sizeof(attr),
		.disabled = 1,
		.exclude_guest = 1,
	};
	unsigned int cpu = cpumask_first_and(cpus, cpu_online_mask);
	struct perf_event *event;
	struct pmu *pmu;

	if (cpu >= nr_cpu_ids)
		return NULL;
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	if (IS_ERR(event))
		return NULL;
	pmu = event->pmu;
	perf_event_release_kernel(event);
	return pmu;
}

/**
 * pmc_x86_user_init - find the driver that can change CR4
 *
 * Context: May sleep; CPUs can't come or go. The PMU is not in use.
 */
void pmc_x86_user_init(void)
{
	struct pmu *pmu = pmu_of(cpu_online_mask, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

	driver = NULL;
	if (pmu && pmu->event_mapped && pmu->event_unmapped)
		driver = pmu;
	readable.pmu = driver;
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
	pmc_upcalls->user_reads(cpu);
	pmc_cpu_end(cpu);
}

/*
 * Clears counters before a process may read them: where its threads run now, and by the
 * hook where they are switched to from now on. A switch to another one of its threads that
 * has seen no next reader is over before CPUs are asked what they run. An expedited grace
 * period would interrupt the CPUs of other users, as often as a user maps a page.
 */
static void begin_reading(struct mm_struct *mm)
{
	atomic_inc(&pmc_x86_next_readers);
	if (atomic_read(&mm->mm_users) > 1)
		synchronize_rcu();
	on_each_cpu_mask(mm_cpumask(mm), clear_dirty_here, mm, true);
}

static void map(struct perf_event *event, struct mm_struct *mm,
		void (*mapped)(struct perf_event *event, struct mm_struct *mm))
{
	bool first = event->hw.flags & PERF_EVENT_FLAG_USER_READ_CNT &&
		     !atomic_read(&mm->context.perf_rdpmc_allowed);

	if (first)
		begin_reading(mm);
	mapped(event, mm);
	if (first)
		atomic_dec(&pmc_x86_next_readers);
}

/* In place of perf's event_mapped(): the process has mapped an event of perf's. */
static void on_mapped(struct perf_event *event, struct mm_struct *mm)
{
	const struct hooked *h = hooked;

	down_read(&mapping);
	while (h->pmu != event->pmu)
		h++;
	map(event, mm, h->mapped);
	up_read(&mapping);
}

static_assert(__same_type(((struct pmu *)NULL)->event_mapped, &on_mapped));

/**
 * pmc_x86_hook_mappings - clear counters for processes that map perf's events, too
 *
 * Context: May sleep; CPUs can't come or go.
 */
void pmc_x86_hook_mappings(void)
{
	struct hooked *h = hooked;
	unsigned int i;

	for (i = 0; i < pmc_nr_core_types && h < hooked + MAX_PMUS; i++) {
		const struct pmc_core_type *ct = &pmc_core_types[i];
		struct pmu *pmu = pmu_of(&ct->cpus, ct->perf_type, ANY_EVENT);

		if (!pmu || !pmu->event_mapped || pmu->event_mapped == on_mapped)
			continue;
		h->mapped = pmu->event_mapped;
		h->pmu = pmu;
		h++;
		WRITE_ONCE(pmu->event_mapped, on_mapped);
	}
}

/**
 * pmc_x86_unhook_mappings - undo pmc_x86_hook_mappings()
 *
 * A task that was about to call our function has come to its end or to its lock; then one
 * that had the lock has come to its end.
 *
 * Context: May sleep.
 */
void pmc_x86_unhook_mappings(void)
{
	struct hooked *h;

	for (h = hooked; h < hooked + MAX_PMUS && h->pmu; h++)
		WRITE_ONCE(h->pmu->event_mapped, h->mapped);
	synchronize_rcu_tasks();
	down_write(&mapping);
	memset(hooked, 0, sizeof(hooked));
	up_write(&mapping);
	synchronize_rcu_tasks();
}

/**
 * pmc_x86_user_map - a process has mapped a page more
 * @mm: its address space, locked for writing
 *
 * Context: May sleep.
 */
void pmc_x86_user_map(struct mm_struct *mm)
{
	if (driver->event_mapped == on_mapped)
		on_mapped(&readable, mm);
	else
		map(&readable, mm, driver->event_mapped);
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
