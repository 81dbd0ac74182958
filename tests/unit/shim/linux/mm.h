/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_MM_H
#define PMC_SHIM_MM_H

#include <linux/types.h>

#define PAGE_SHIFT 12
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define PAGE_ALIGN(x) (((x) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1))

#define VM_WRITE 0x00000002UL
#define VM_SHARED 0x00000008UL
#define VM_MAYWRITE 0x00000020UL
#define VM_IO 0x00004000UL
#define VM_DONTCOPY 0x00020000UL
#define VM_DONTEXPAND 0x00040000UL
#define VM_DONTDUMP 0x04000000UL

struct page;

/* A requested mapping, and the pages that vm_insert_page() put there. */
struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	unsigned long vm_pgoff;
	unsigned long vm_flags;
	void *mapped;
};

#endif /* PMC_SHIM_MM_H */
