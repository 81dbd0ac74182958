/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_VMALLOC_H
#define PMC_SHIM_VMALLOC_H

#include <stdlib.h>
#include <string.h>

#include <linux/mm.h>

/* Allocations that succeed before the next one fails; -1: all succeed. */
extern int shim_allocations_left;

static inline void *vmalloc_user(unsigned long size)
{
	void *mem;

	if (!shim_allocations_left)
		return NULL;
	if (shim_allocations_left > 0)
		shim_allocations_left--;

	mem = aligned_alloc(PAGE_SIZE, PAGE_ALIGN(size));
	if (mem)
		memset(mem, 0, PAGE_ALIGN(size));

	return mem;
}

static inline void vfree(const void *mem)
{
	free((void *)mem);
}

static inline int remap_vmalloc_range(struct vm_area_struct *vma, void *mem,
				      unsigned long pgoff)
{
	vma->mapped = mem + (pgoff << PAGE_SHIFT);

	return 0;
}

#endif /* PMC_SHIM_VMALLOC_H */
