// SPDX-License-Identifier: GPL-2.0
/*
 * A replacement for KVM on processors with VHE: a task that writes "enter" to /proc/test_vcpu
 * has a virtual CPU until it writes "leave". Whenever that is loaded, PMUSERENR_EL0 is the
 * guest's. When it is put, the register gets the host's value of the time when it was loaded.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/sysreg.h>

/* KVM's own for a guest: all accesses are allowed, those that it may not make trap to EL2. */
#define GUEST	0xf

static u64 host;

static void load_vcpu(struct preempt_notifier *notifier, int cpu)
{
	host = read_sysreg(pmuserenr_el0);
	write_sysreg(GUEST, pmuserenr_el0);
}

static void put_vcpu(struct preempt_notifier *notifier, struct task_struct *next)
{
	write_sysreg(host, pmuserenr_el0);
}

static struct preempt_ops ops = {
	.sched_in = load_vcpu,
	.sched_out = put_vcpu,
};

static struct preempt_notifier notifier;
static struct task_struct *owner;

static ssize_t on_write(struct file *file, const char __user *text, size_t len, loff_t *pos)
{
	char word[8] = "";

	if (len >= sizeof(word) || copy_from_user(word, text, len))
		return -EINVAL;
	preempt_disable();
	if (!strcmp(word, "enter") && !owner) {
		owner = current;
		preempt_notifier_register(&notifier);
		load_vcpu(&notifier, smp_processor_id());
	} else if (!strcmp(word, "leave") && owner == current) {
		put_vcpu(&notifier, NULL);
		preempt_notifier_unregister(&notifier);
		owner = NULL;
	}
	preempt_enable();
	return len;
}

static const struct proc_ops file_ops = {
	.proc_write = on_write,
};

static int __init test_vcpu_init(void)
{
	preempt_notifier_inc();
	preempt_notifier_init(&notifier, &ops);
	if (!proc_create("test_vcpu", 0200, NULL, &file_ops)) {
		preempt_notifier_dec();
		return -ENOMEM;
	}
	return 0;
}

static void __exit test_vcpu_exit(void)
{
	remove_proc_entry("test_vcpu", NULL);
	preempt_notifier_dec();
}

module_init(test_vcpu_init);
module_exit(test_vcpu_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A task with a virtual CPU");
