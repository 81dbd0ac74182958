// SPDX-License-Identifier: GPL-2.0
/*
 * Classes of service: the ways of the caches that each may fill, and the
 * processes of each. Masks last until the module is deactivated; then the old ones
 * are written back, except those that others have changed. A process has its class
 * by its RMID: it needs one when the class is given, and loses the class with it
 * when the last of its threads is monitored no more.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <pmctrack/monitoring_module.h>

#include "classes.h"
#include "domains.h"
#include "processes.h"
#include "resctrl.h"

/* The masks that were set, by class; 0: none. Changed under the lock. */
static u64 *masks;
static DEFINE_MUTEX(lock);

int cmt_classes_start(void)
{
	masks = kcalloc(cmt_hw.nr_classes + 1, sizeof(*masks), GFP_KERNEL);
	return masks ? 0 : -ENOMEM;
}

void cmt_classes_stop(void)
{
	kfree(masks);
	masks = NULL;
}

/**
 * cmt_classes_apply - write the masks that were set, and save those before
 * @domain: the cache of this CPU
 *
 * Also after a cache was gone for a while: the kernel resets its masks then.
 *
 * Context: Any but NMI, not migrating.
 */
void cmt_classes_apply(struct cmt_domain *domain)
{
	u32 class;

	for (class = 0; class < cmt_hw.nr_classes; class++) {
		struct cmt_mask *mask = &domain->masks[class];
		u64 ours;

		/* Once: they may be given up meanwhile. */
		ours = READ_ONCE(masks[class]);
		if (!ours)
			continue;
		if (!mask->own)
			mask->own = cmt_read_mask(class);
		mask->ours = ours;
		cmt_write_mask(class, mask->ours);
	}
}

/* Unless another program has written one since. */
static void restore(struct cmt_domain *domain)
{
	u32 class;

	for (class = 0; class < cmt_hw.nr_classes; class++) {
		const struct cmt_mask *mask = &domain->masks[class];

		if (mask->own && cmt_read_mask(class) == mask->ours)
			cmt_write_mask(class, mask->own);
	}
}

/**
 * cmt_classes_restore - write the old masks back
 */
void cmt_classes_restore(void)
{
	u32 class;

	mutex_lock(&lock);
	for (class = 0; class < cmt_hw.nr_classes; class++)
		WRITE_ONCE(masks[class], 0);
	cmt_domains_each(restore);
	mutex_unlock(&lock);
}

/* "A:B" */
static bool two_numbers(char *value, unsigned int *a, unsigned long long *b)
{
	char *colon = strchr(value, ':');

	if (!colon)
		return false;
	*colon = 0;
	return !kstrtouint(value, 10, a) && !kstrtoull(colon + 1, 0, b);
}

static bool mask_allowed(u64 mask)
{
	u64 filled = mask | (mask - 1);

	return mask && fls64(mask) <= cmt_hw.ways &&
	       (cmt_hw.gaps || !(filled & (filled + 1)));
}

static int check_classes(const char *key)
{
	if (!masks)
		return pmc_module_error(-ENXIO,
					"cmt.%s lasts as long as cmt is active: activate it first",
					key);
	if (READ_ONCE(cmt_lost))
		return pmc_module_error(-EBUSY, "cmt.%s: %s", key, cmt_lost_why());
	if (!cmt_hw.nr_classes)
		return pmc_module_error(-EOPNOTSUPP,
					"cmt.%s: these processors' caches can't be partitioned",
					key);
	return 0;
}

static int bad_class(const char *key)
{
	return pmc_module_error(-ERANGE, "cmt.%s: classes are numbered from 0 to %u",
				key, cmt_hw.nr_classes - 1);
}

/**
 * cmt_classes_set - "CLASS:MASK": a class may fill these ways of all caches
 * @value: the text
 *
 * Return: 0 or a negative error that was explained.
 */
int cmt_classes_set(char *value)
{
	unsigned long long mask;
	unsigned int class;
	int ret;

	ret = check_classes("cat");
	if (ret)
		return ret;
	if (!two_numbers(value, &class, &mask))
		return pmc_module_error(-EINVAL, "cmt.cat is CLASS:MASK, such as 1:0xf");
	if (class >= cmt_hw.nr_classes)
		return bad_class("cat");
	if (!mask_allowed(mask))
		return pmc_module_error(-EINVAL, "cmt.cat: a mask has from 1 to %u bits%s",
					cmt_hw.ways, cmt_hw.gaps ? "" :
					" which follow one another");
	mutex_lock(&lock);
	/* The registers are also lost under the lock. */
	if (!READ_ONCE(cmt_lost)) {
		WRITE_ONCE(masks[class], mask);
		cmt_domains_each(cmt_classes_apply);
	}
	mutex_unlock(&lock);
	return 0;
}

static pid_t tgid_of(pid_t pid)
{
	struct task_struct *task;
	pid_t tgid = 0;

	rcu_read_lock();
	task = pid_task(find_vpid(pid), PIDTYPE_PID);
	if (task)
		tgid = task->tgid;
	rcu_read_unlock();
	return tgid;
}

/**
 * cmt_classes_assign - "PID:CLASS" puts a process in a class, "CLASS" all that
 *	are monitored from now on
 * @value: the text
 * @refresh: lets all CPUs know
 *
 * Return: 0 or a negative error that was explained.
 */
int cmt_classes_assign(char *value, void (*refresh)(void))
{
	unsigned long long class;
	unsigned int pid, number;
	int ret;

	ret = check_classes("class");
	if (ret)
		return ret;
	if (!strchr(value, ':')) {
		if (kstrtouint(value, 10, &number))
			return pmc_module_error(-EINVAL, "cmt.class is CLASS or PID:CLASS");
		if (number >= cmt_hw.nr_classes)
			return bad_class("class");
		WRITE_ONCE(cmt_settings.class, number);
		return 0;
	}
	if (!two_numbers(value, &pid, &class))
		return pmc_module_error(-EINVAL, "cmt.class is CLASS or PID:CLASS");
	if (class >= cmt_hw.nr_classes)
		return bad_class("class");
	if (cmt_set_class(tgid_of(pid), class))
		return pmc_module_error(-ESRCH,
					"cmt.class: process %u is not monitored, or has no RMID",
					pid);
	refresh();
	return 0;
}

void cmt_classes_show(struct seq_file *m)
{
	u32 class, set = 0;

	for (class = 0; masks && class < cmt_hw.nr_classes; class++) {
		if (!masks[class])
			continue;
		pmc_module_show(m, "cat", "%u:0x%llx", class, masks[class]);
		set++;
	}
	if (!set)
		pmc_module_show(m, "cat", "none");
}
