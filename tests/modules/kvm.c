// SPDX-License-Identifier: GPL-2.0
/*
 * A replacement for KVM: while it is loaded, it behaves towards perf like KVM with a virtual
 * machine that has a mediated vPMU. It has KVM's name because the kernel lets only modules
 * of that name call these functions.
 */
#include <linux/module.h>
#include <linux/perf_event.h>

static int __init kvm_init(void)
{
	return perf_create_mediated_pmu();
}

static void __exit kvm_exit(void)
{
	perf_release_mediated_pmu();
}

module_init(kvm_init);
module_exit(kvm_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A virtual machine that has the PMU");
