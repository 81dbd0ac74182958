/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the kernels this module is built for differ.
 */
#ifndef PMC_CORE_COMPAT_H
#define PMC_CORE_COMPAT_H

#include <linux/mm.h>
#include <linux/version.h>

/* Flags of a mapping may be changed by functions only from 6.3 on. */
static inline void pmc_vm_flags_mod(struct vm_area_struct *vma,
				    unsigned long set, unsigned long clear)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

#endif /* PMC_CORE_COMPAT_H */
