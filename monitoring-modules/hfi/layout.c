// SPDX-License-Identifier: GPL-2.0
/* The form of hardware feedback tables, from CPUID. Tested on the host. */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "layout.h"

/* CPUID leaf 6: EAX. */
#define HAS_FEEDBACK		BIT(19)
#define HAS_THREAD_DIRECTOR	BIT(23)

#define TIME_STAMP	8

/**
 * hfi_layout_init - find out the form
 * @l: out: the form
 * @eax: registers of CPUID leaf 6
 * @ecx: the same
 * @edx: the same
 *
 * Return: is there hardware feedback?
 */
bool hfi_layout_init(struct hfi_layout *l, u32 eax, u32 ecx, u32 edx)
{
	u32 i;

	if (!(eax & HAS_FEEDBACK))
		return false;
	l->threads = eax & HAS_THREAD_DIRECTOR;
	l->classes = l->threads ? ecx >> 8 & 0xff : 1;
	if (!l->classes)
		l->classes = 1;

	/* There may be capabilities to come after those that are known. */
	l->columns = 0;
	for (i = 0; i < 8; i++) {
		if (i < HFI_CAPABILITIES)
			l->column[i] = edx & BIT(i) ? (int)l->columns : -1;
		l->columns += edx >> i & 1;
	}
	/* A byte for each capability of each class; rows of 8 bytes. */
	l->stride = ALIGN(l->classes * l->columns, 8);
	l->header = TIME_STAMP + l->stride;
	l->size = ((edx >> 8 & 0xf) + 1) * HFI_PAGE;
	return l->columns;
}

/**
 * hfi_row - which row is a CPU's
 * @edx: of CPUID leaf 6, on that CPU
 */
u32 hfi_row(u32 edx)
{
	return edx >> 16;
}

/**
 * hfi_cell - where a capability is
 * @l: the form
 * @row: of the CPU
 * @class: of the thread
 * @capability: which
 *
 * Return: bytes from the table's beginning; 0 where there is no such cell.
 */
u32 hfi_cell(const struct hfi_layout *l, u32 row, u32 class,
	     enum hfi_capability capability)
{
	u32 at = l->header + row * l->stride;

	if (class >= l->classes || l->column[capability] < 0 ||
	    at + l->stride > l->size)
		return 0;
	return at + class * l->columns + l->column[capability];
}
