// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/pmc/monitor: each open file of it is a session. User memory is
 * touched outside the session's lock, and mmap() does not take it: under it
 * CPUs are kept from coming and going, which others do with address spaces
 * locked.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "base/err.h"
#include "engine/consumer.h"
#include "engine/ring.h"
#include "front/listener_records.h"
#include "front/proc/monitor.h"
#include "front/session_command.h"
#include "session/query.h"
#include "session/self_count.h"
#include "session/session.h"
#include "session/session_life.h"
#include "session/session_ring.h"
#include "session/totals.h"
#include "session/user_page_map.h"
#include "uapi/pmctrack.h"

/* Longest text in one write. */
#define TEXT_MAX	SZ_16K

static struct pmc_relay *relay_of(const struct file *file)
{
	return file->private_data;
}

static struct pmc_session *session_of(const struct file *file)
{
	return relay_of(file)->s;
}

static int monitor_open(struct inode *inode, struct file *file)
{
	struct pmc_relay *r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	struct pmc_session *s = ERR_PTR(-ENODEV);

	if (!r)
		return -ENOMEM;
	/* A mapping may outlive what remove_proc_entry() waits for. */
	if (try_module_get(THIS_MODULE)) {
		s = pmc_session_create();
		if (IS_ERR(s))
			module_put(THIS_MODULE);
	}
	if (IS_ERR(s)) {
		kfree(r);
		return PTR_ERR(s);
	}
	pmc_relay_open(r, s);
	file->private_data = r;
	return 0;
}

static int monitor_release(struct inode *inode, struct file *file)
{
	struct pmc_relay *r = relay_of(file);

	pmc_relay_close(r);
	pmc_session_destroy(r->s);
	pmc_relay_free(r);
	module_put(THIS_MODULE);
	return 0;
}

static int too_long(struct pmc_session *s, size_t len)
{
	mutex_lock(&s->lock);
	pmc_err(&s->err, -EMSGSIZE,
		"%zu bytes at once are more than %u: write fewer lines", len,
		TEXT_MAX);
	mutex_unlock(&s->lock);
	return -EMSGSIZE;
}

static ssize_t monitor_write(struct file *file, const char __user *buf,
			     size_t len, loff_t *pos)
{
	struct pmc_session *s = session_of(file);
	char *text, *rest, *line;
	int ret = 0;

	if (len > TEXT_MAX)
		return too_long(s, len);
	text = memdup_user_nul(buf, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	rest = text;
	while (!ret && (line = strsep(&rest, "\n"))) {
		ret = fatal_signal_pending(current) ? -EINTR :
		      pmc_session_command(s, line);
		cond_resched();
	}
	kfree(text);
	pmc_relay_changed(relay_of(file));
	return ret ?: len;
}

/*
 * All that was ever counted has ended. A first thread that is being added, or
 * could not be, is no reason to believe so, nor are CPUs that may come back.
 */
static bool at_end(const struct pmc_session *s)
{
	if (READ_ONCE(s->syswide.active))
		return false;
	if (!atomic64_read(&s->totals.total_threads))
		return false;
	/* Pairs with pmc_thread_counted(). */
	smp_rmb();
	if (atomic_read(&s->consumer.nr_threads))
		return false;
	/* Pairs with pmc_thread_forget(). */
	smp_rmb();
	return atomic64_read(&s->totals.total_threads);
}

static bool readable(const struct pmc_session *s)
{
	return pmc_session_has_ring(s) && pmc_ring_ready(&s->consumer.ring);
}

/* The session of a file that takes none counts nothing. */
static bool takes_commands(const struct file *file)
{
	return file->f_mode & FMODE_WRITE;
}

static ssize_t monitor_read(struct file *file, char __user *buf, size_t len,
			    loff_t *pos)
{
	struct pmc_session *s = session_of(file);
	ssize_t ret;

	if (!takes_commands(file))
		return -ENODATA;
	for (;;) {
		ret = mutex_lock_interruptible(&s->ring.read_lock);
		if (ret)
			return ret;
		ret = pmc_session_has_ring(s) ? pmc_ring_read(&s->consumer.ring, buf, len) : 0;
		mutex_unlock(&s->ring.read_lock);
		if (ret || (at_end(s) && !readable(s)))
			return ret;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(s->consumer.wait,
					       readable(s) || at_end(s));
		if (ret)
			return ret;
	}
}

static __poll_t monitor_poll(struct file *file, poll_table *wait)
{
	struct pmc_session *s = session_of(file);
	__poll_t mask = 0;

	if (!takes_commands(file))
		return EPOLLERR;
	poll_wait(file, &s->consumer.wait, wait);
	/* Pairs with pmc_session_wake_now(). poll_wait() itself has it from Linux 6.13 on. */
	smp_mb();
	if (pmc_session_has_ring(s) && pmc_consumer_due(&s->consumer))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (at_end(s))
		mask |= EPOLLHUP | (readable(s) ? EPOLLIN | EPOLLRDNORM : 0);
	return mask;
}

static long ioctl_error(struct pmc_session *s, void __user *arg)
{
	struct pmc_err err;

	mutex_lock(&s->lock);
	err = s->err;
	mutex_unlock(&s->lock);
	return copy_to_user(arg, err.text, sizeof(err.text)) ? -EFAULT : 0;
}

static long ioctl_read(struct pmc_session *s, void __user *arg)
{
	struct pmc_read r;
	int ret;

	if (copy_from_user(&r, arg, offsetof(struct pmc_read, nr_counts)))
		return -EFAULT;
	ret = pmc_self_read(s, &r);
	if (ret)
		return ret;
	return copy_to_user(arg, &r, offsetof(struct pmc_read, counts) +
				     (r.nr_counts + r.nr_virtual) *
				     sizeof(r.counts[0])) ?
	       -EFAULT : 0;
}

static long ioctl_totals(struct pmc_session *s, void __user *arg)
{
	struct pmc_totals totals;
	int ret;

	if (copy_from_user(&totals, arg, sizeof(totals)))
		return -EFAULT;
	mutex_lock(&s->lock);
	ret = pmc_session_totals(s, &totals);
	mutex_unlock(&s->lock);
	if (ret)
		return ret;
	return copy_to_user(arg, &totals, sizeof(totals)) ? -EFAULT : 0;
}

static long ioctl_placement(struct pmc_session *s, void __user *arg)
{
	struct pmc_placement p;
	int ret;

	if (copy_from_user(&p, arg, sizeof(p)))
		return -EFAULT;
	mutex_lock(&s->lock);
	ret = pmc_session_placement(s, &p);
	mutex_unlock(&s->lock);
	if (ret)
		return ret;
	return copy_to_user(arg, &p, sizeof(p)) ? -EFAULT : 0;
}

static long start(struct pmc_relay *r)
{
	int ret = pmc_self_start(r->s);

	pmc_relay_changed(r);
	return ret;
}

static long monitor_ioctl(struct file *file, unsigned int cmd,
			  unsigned long arg)
{
	struct pmc_session *s = session_of(file);

	switch (cmd) {
	case PMC_IOC_START:
		return start(relay_of(file));
	case PMC_IOC_STOP:
		return pmc_self_stop(s);
	case PMC_IOC_READ:
		return ioctl_read(s, (void __user *)arg);
	case PMC_IOC_ERROR:
		return ioctl_error(s, (void __user *)arg);
	case PMC_IOC_TOTALS:
		return ioctl_totals(s, (void __user *)arg);
	case PMC_IOC_PLACEMENT:
		return ioctl_placement(s, (void __user *)arg);
	default:
		return -ENOTTY;
	}
}

static int monitor_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct pmc_session *s = session_of(file);
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	/* The session's message is a command's, whose lock must not be taken here. */
	struct pmc_err unused = { };
	int ret;

	if (offset == PMC_MMAP_CALIPER)
		return pmc_caliper_mmap(s, vma);
	ret = pmc_session_make_ring(s, &unused);
	return ret ?: pmc_ring_mmap(&s->consumer.ring, vma);
}

const struct proc_ops pmc_monitor_ops = {
	.proc_open = monitor_open,
	.proc_release = monitor_release,
	.proc_write = monitor_write,
	.proc_read = monitor_read,
	.proc_poll = monitor_poll,
	.proc_ioctl = monitor_ioctl,
#ifdef CONFIG_COMPAT
	.proc_compat_ioctl = monitor_ioctl,
#endif
	.proc_mmap = monitor_mmap,
};
