// SPDX-License-Identifier: GPL-2.0
/*
 * Monitored processes: each has an RMID, which its threads share. When there is
 * none, its threads wait for one to become free. All there can be is allocated
 * when the module is activated, because threads start and end where nothing can
 * be allocated.
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include <pmctrack/monitoring_module.h>

#include "association.h"
#include "domains.h"
#include "processes.h"

struct cmt_settings cmt_settings = {
	.policy = RMID_FIFO,
	.class = CMT_NO_CLASS,
};

/* Guards all that is here, except the values that READ_ONCE() reads. */
static DEFINE_RAW_SPINLOCK(lock);
static struct rmid_pool *pool;
/* By RMID. */
static struct cmt_process *processes;
static struct cmt_process **buckets;
static unsigned int bucket_bits;
/* The number of the last look, or of the one that is under way. */
static u32 look_number;
static u32 nr_waiting;
static u64 nr_refused;
/* How many processes have got an RMID so far */
static u32 nr_added;

/**
 * cmt_processes_start - no process is monitored, all RMIDs are free
 *
 * Return: 0 or -ENOMEM.
 */
int cmt_processes_start(void)
{
	u32 rmid;

	bucket_bits = ilog2(roundup_pow_of_two(cmt_hw.nr_rmids));
	pool = kvmalloc(rmid_pool_size(cmt_hw.nr_rmids), GFP_KERNEL);
	processes = kvcalloc(cmt_hw.nr_rmids, sizeof(*processes), GFP_KERNEL);
	buckets = kvcalloc(BIT(bucket_bits), sizeof(*buckets), GFP_KERNEL);
	if (!pool || !processes || !buckets) {
		cmt_processes_stop();
		return -ENOMEM;
	}
	rmid_pool_init(pool, cmt_hw.nr_rmids, cmt_settings.policy,
		       get_random_u64());
	for (rmid = 0; rmid < cmt_hw.nr_rmids; rmid++)
		processes[rmid].rmid = rmid;
	look_number = 0;
	nr_waiting = 0;
	nr_refused = 0;
	return 0;
}

void cmt_processes_stop(void)
{
	kvfree(buckets);
	kvfree(processes);
	kvfree(pool);
	buckets = NULL;
	processes = NULL;
	pool = NULL;
}

/**
 * cmt_residue_max - bytes of its last owner's that a free RMID may still have
 *
 * When nothing else is set, so many that RMIDs cannot all be in limbo for ever:
 * not all of them can have more than this in a cache. (So it does resctrl.)
 */
u64 cmt_residue_max(void)
{
	u64 max = READ_ONCE(cmt_settings.residue_max);

	return max ? max : cmt_hw.cache / cmt_hw.nr_rmids;
}

/* ---- finding and naming them, by the lock ---- */

static struct cmt_process **bucket_of(pid_t tgid)
{
	return &buckets[hash_32(tgid, bucket_bits)];
}

static struct cmt_process *find_process(pid_t tgid)
{
	struct cmt_process *p;

	for (p = *bucket_of(tgid); p && p->tgid != tgid; p = p->next)
		;
	return p;
}

static struct cmt_process *add_process(pid_t tgid)
{
	struct cmt_process *p, **bucket = bucket_of(tgid);
	u32 rmid = rmid_get(pool);

	if (!rmid)
		return NULL;
	p = &processes[rmid];
	p->tgid = tgid;
	p->threads = 0;
	WRITE_ONCE(p->class, READ_ONCE(cmt_settings.class));
	WRITE_ONCE(p->watched, true);
	p->next = *bucket;
	*bucket = p;
	WRITE_ONCE(nr_added, nr_added + 1);
	return p;
}

static void remove_process(struct cmt_process *p)
{
	struct cmt_process **at = bucket_of(p->tgid);
	u32 rmid = p->rmid;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	p->left = look_number;
	rmid_put(pool, rmid);
}

/* ---- threads ---- */

static void set_waiting(struct cmt_thread *t, bool waits)
{
	if (t->waits == waits)
		return;
	t->waits = waits;
	WRITE_ONCE(nr_waiting, nr_waiting + (waits ? 1 : -1));
	if (waits)
		nr_refused++;
}

/**
 * cmt_join - a thread gets the RMID of its process
 * @task: the thread
 * @t: its record; it has none yet
 *
 * Context: Any but NMI, preemption off.
 * Return: is there one? If not, it waits, and this is to be tried again.
 */
bool cmt_join(struct task_struct *task, struct cmt_thread *t)
{
	struct cmt_process *p;
	unsigned long flags;
	u32 rmid;

	raw_spin_lock_irqsave(&lock, flags);
	p = find_process(task->tgid);
	if (!p)
		p = add_process(task->tgid);
	if (p)
		p->threads++;
	t->tried = nr_added;
	set_waiting(t, !p);
	raw_spin_unlock_irqrestore(&lock, flags);
	if (!p)
		return false;

	rmid = p->rmid;
	t->base[0] = cmt_traffic_so_far(rmid, CMT_TOTAL);
	t->base[1] = cmt_traffic_so_far(rmid, CMT_LOCAL);
	/* Readers that see it see what is above. */
	smp_store_release(&t->process, p);
	return true;
}

/**
 * cmt_leave - a thread has its process's RMID no more, and waits for none
 * @t: its record
 *
 * Context: Any but NMI.
 */
void cmt_leave(struct cmt_thread *t)
{
	struct cmt_process *p = t->process;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	set_waiting(t, false);
	WRITE_ONCE(t->process, NULL);
	if (p && !--p->threads)
		remove_process(p);
	raw_spin_unlock_irqrestore(&lock, flags);
}

/**
 * cmt_may_join - may cmt_join() have an RMID for a waiting thread?
 * @t: its record
 *
 * An RMID is free, or a process has got one since, which may be the thread's own.
 *
 * Context: Any; takes no lock.
 */
bool cmt_may_join(const struct cmt_thread *t)
{
	return READ_ONCE(pool->nr_free) || READ_ONCE(nr_added) != t->tried;
}

/* ---- limbo ---- */

static bool is_clean(u32 rmid)
{
	u64 max = cmt_residue_max(), residue = cmt_domains_residue(rmid);

	return max == CMT_RESIDUE_OFF ||
	       (residue != CMT_UNAVAILABLE && residue <= max);
}

/* @look: the lines of RMIDs put there before it are known to be gone. */
static void release_clean(u32 look)
{
	u32 rmid, next;

	for (rmid = rmid_limbo_next(pool, 0); rmid; rmid = next) {
		next = rmid_limbo_next(pool, rmid);
		if ((s32)(look - processes[rmid].left) <= 0 || !is_clean(rmid))
			continue;
		WRITE_ONCE(processes[rmid].watched, false);
		rmid_release(pool, rmid);
	}
}

static bool is_watched(u32 rmid)
{
	return READ_ONCE(processes[rmid].watched);
}

/**
 * cmt_watch_limbo - look at the caches, and free RMIDs that have left them
 *
 * An RMID whose process ends during a look waits for the next one, however many
 * lines it has: its next owner's traffic in other caches begins with the values
 * of that look.
 *
 * Context: Process, CPUs neither come nor go.
 */
void cmt_watch_limbo(void)
{
	unsigned long flags;
	u32 number;

	raw_spin_lock_irqsave(&lock, flags);
	number = ++look_number;
	raw_spin_unlock_irqrestore(&lock, flags);
	cmt_domains_look(is_watched);
	raw_spin_lock_irqsave(&lock, flags);
	release_clean(number);
	raw_spin_unlock_irqrestore(&lock, flags);
}

/* ---- what the administrator wants and sees ---- */

void cmt_set_policy(enum rmid_policy policy)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	cmt_settings.policy = policy;
	if (pool)
		pool->policy = policy;
	raw_spin_unlock_irqrestore(&lock, flags);
}

/**
 * cmt_set_class - give a process another class of service
 * @tgid: the process
 * @class: the class
 *
 * Its threads get it when they are switched in next.
 *
 * Return: 0 or -ESRCH: it has no RMID.
 */
int cmt_set_class(pid_t tgid, u32 class)
{
	struct cmt_process *p;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	p = find_process(tgid);
	if (p)
		WRITE_ONCE(p->class, class);
	raw_spin_unlock_irqrestore(&lock, flags);
	return p ? 0 : -ESRCH;
}

void cmt_count_rmids(struct cmt_rmid_counts *counts)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	counts->free = pool->nr_free;
	counts->limbo = pool->nr_limbo;
	counts->waiting = nr_waiting;
	counts->refused = nr_refused;
	raw_spin_unlock_irqrestore(&lock, flags);
}
