// SPDX-License-Identifier: GPL-2.0
/*
 * Mapping the page by which a thread reads its own counters. The mapping gives its
 * process the right to read counters by instruction, where that is the process's.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <base/compat.h>
#include "base/percpu.h"
#include "base/settings.h"
#include "base/work.h"
#include "engine/evset_counters.h"
#include "engine/hooks_enable.h"
#include "engine/thread.h"
#include "engine/thread_table.h"
#include "engine/user_page.h"
#include "pmu/coretypes.h"
#include "pmu/pmu.h"
#include "session/session.h"
#include "session/user_page_map.h"
#include "uapi/pmctrack.h"

/* The page has room for one set on each core type. */
static bool fits_page(const struct pmc_session *s)
{
	unsigned int ct;

	for (ct = 0; ct < pmc_nr_core_types; ct++)
		if (s->consumer.rotation[ct].nr != 1)
			return false;
	return true;
}

/* Gives current's thread the page, or finds the one it has. */
static struct pmc_caliper_page *set_page(struct pmc_session *s,
					 struct pmc_caliper_page *page,
					 bool access)
{
	struct pmc_thread *t;
	unsigned long flags;
	struct pmc_cpu *cpu;

	/* While the table has the thread its session's sets stay. */
	rcu_read_lock();
	t = pmc_table_find(current, &s->consumer);
	if (!t || !fits_page(s)) {
		rcu_read_unlock();
		return ERR_PTR(t ? -EINVAL : -ESRCH);
	}
	local_irq_save(flags);
	cpu = this_cpu_ptr(&pmc_cpus);
	pmc_cpu_begin(cpu);
	t->may_read = access && (t->may_read || !t->page);
	if (!t->page) {
		get_page(virt_to_page(page));
		t->page = page;
		pmc_caliper_open_page(cpu, t);
	}
	page = t->page;
	get_page(virt_to_page(page));
	pmc_cpu_end(cpu);
	local_irq_restore(flags);
	rcu_read_unlock();
	return page;
}

/*
 * Keeps user access over interrupts, in a session that has a page mapped. From then on pages
 * may allow direct reads.
 */
static void allow_direct(struct work_struct *work)
{
	struct pmc_session *s = container_of(work, struct pmc_session, user_access.work);

	if (s->consumer.direct || (pmc_backend->user_access_percpu && pmc_irq_exit_get()) ||
	    (pmc_backend->track_moves && pmc_backend->track_moves()))
		return;
	WRITE_ONCE(s->consumer.direct, true);
}

/**
 * pmc_caliper_init - a session is made, without a page mapped
 * @s: new session
 *
 * Context: Any.
 */
void pmc_caliper_init(struct pmc_session *s)
{
	INIT_WORK(&s->user_access.work, allow_direct);
}

/**
 * pmc_caliper_prepare - find out whether pages may give access to counters
 * @s: session that gets ready to count threads; its lock is held
 *
 * Context: May sleep.
 */
void pmc_caliper_prepare(struct pmc_session *s)
{
	s->user_access.policy = pmc_backend->user_policy ? pmc_backend->user_policy() : 1;
}

/**
 * pmc_caliper_end_direct - let no thread of a session read counters by instruction any more
 * @s: session
 *
 * A page may be mapped, and its work queued, at any time before the session's end.
 *
 * Context: May sleep.
 */
void pmc_caliper_end_direct(struct pmc_session *s)
{
	cancel_work_sync(&s->user_access.work);
	if (!s->consumer.direct)
		return;
	WRITE_ONCE(s->consumer.direct, false);
	if (pmc_backend->user_access_percpu)
		pmc_irq_exit_put();
	if (pmc_backend->track_moves)
		pmc_backend->untrack_moves();
}

/*
 * The fork hook stays enabled as long as a page is mapped that gives rights to its
 * process, which may be longer than the session counts. To disable the hook takes
 * longer than an unmapping may.
 */
static atomic_t nr_unmapped;

static void put_hooks(struct work_struct *work)
{
	int nr = atomic_xchg(&nr_unmapped, 0);

	while (nr--)
		pmc_hooks_put();
}

static DECLARE_WORK(unmapped_work, put_hooks);

static void on_unmap(struct vm_area_struct *vma)
{
	pmc_backend->user_unmap(vma->vm_mm);
	atomic_inc(&nr_unmapped);
	queue_work(pmc_wq, &unmapped_work);
}

/* The process moves the page: one mapping more, then one less; never none. */
static void on_map(struct vm_area_struct *vma)
{
	pmc_backend->user_map(vma->vm_mm);
	pmc_hooks_get_again();
}

static const struct vm_operations_struct page_ops = {
	.open = on_map,
	.close = on_unmap,
};

static int give_access(struct vm_area_struct *vma)
{
	if (!pmc_hooks_get_again())
		return -ESRCH;
	pmc_backend->user_map(vma->vm_mm);
	vma->vm_ops = &page_ops;
	return 0;
}

/**
 * pmc_caliper_exit - wait until nothing is left to do for pages
 *
 * Context: May sleep. No session is left, nor a page mapped.
 */
void pmc_caliper_exit(void)
{
	flush_work(&unmapped_work);
	/* The last pages: put_page_of() is ours. */
	rcu_barrier();
}

/**
 * pmc_caliper_mmap - map the calling thread's own page
 * @s: session that counts it
 * @vma: one page, read-only
 *
 * Takes no lock of the session's: these are held while CPUs are kept from
 * coming and going, and this function is called with the address space locked.
 *
 * Context: May sleep.
 * Return: 0; -EINVAL when the mapping is not of this form, or the session's
 * sets are not one on each core type; -ESRCH when the session does not count the
 * thread; -ENOMEM.
 */
int pmc_caliper_mmap(struct pmc_session *s, struct vm_area_struct *vma)
{
	int policy = READ_ONCE(s->user_access.policy);
	bool access = READ_ONCE(pmc_settings.user_access) && policy;
	struct pmc_caliper_page *new, *page;
	int ret;

	BUILD_BUG_ON(sizeof(struct pmc_caliper_page) > PAGE_SIZE);
	if (vma->vm_end - vma->vm_start != PAGE_SIZE ||
	    vma->vm_flags & VM_WRITE || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	new = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!new)
		return -ENOMEM;
	memset(new->hw, 0xff, sizeof(new->hw));
	page = set_page(s, new, access);
	free_page((unsigned long)new);
	if (IS_ERR(page))
		return PTR_ERR(page);
	/* VM_IO: the mapping can't be made to be copied, either. */
	pmc_vm_flags_mod(vma, VM_IO | VM_DONTCOPY | VM_DONTEXPAND |
			      VM_DONTDUMP, VM_MAYWRITE);
	ret = vm_insert_page(vma, vma->vm_start, virt_to_page(page));
	put_page(virt_to_page(page));
	if (ret || !pmc_backend->direct)
		return ret;
	if (pmc_backend->user_map && access && policy == 1)
		ret = give_access(vma);
	if (!ret)
		queue_work(pmc_wq, &s->user_access.work);
	return ret;
}
