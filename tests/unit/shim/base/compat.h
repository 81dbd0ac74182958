/* SPDX-License-Identifier: GPL-2.0 */
/* As much of kmod/base/compat.h as the files under test use. */
#ifndef PMC_SHIM_COMPAT_H
#define PMC_SHIM_COMPAT_H

#include <linux/mm.h>

static inline void pmc_vm_flags_mod(struct vm_area_struct *vma,
				    unsigned long set, unsigned long clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}

#endif /* PMC_SHIM_COMPAT_H */
