/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_VMALLOC_H
#define PMC_SHIM_VMALLOC_H

#include <stdlib.h>
#include <string.h>

#include <linux/mm.h>

/* Allocations that succeed before the next one fails; -1: all succeed. */
extern int shim_allocations_left;

#define GFP_KERNEL_ACCOUNT 0
#define __GFP_ZERO 1

static inline void *__vmalloc(unsigned long size, unsigned int gfp)
{
	void *mem;

	if (!shim_allocations_left)
		return NULL;
	if (shim_allocations_left > 0)
		shim_allocations_left--;

	mem = aligned_alloc(PAGE_SIZE, PAGE_ALIGN(size));
	if (mem && gfp & __GFP_ZERO)
		memset(mem, 0, PAGE_ALIGN(size));

	return mem;
}

static inline void vfree(const void *mem)
{
	free((void *)mem);
}

static inline struct page *vmalloc_to_page(const void *mem)
{
	return (struct page *)mem;
}

static inline int vm_insert_page(struct vm_area_struct *vma,
				 unsigned long address, struct page *page)
{
	if (address == vma->vm_start)
		vma->mapped = page;

	return (void *)page == vma->mapped + (address - vma->vm_start) ? 0 : -1;
}

#endif /* PMC_SHIM_VMALLOC_H */
