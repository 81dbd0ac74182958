/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where things are in the table of hardware feedback (Intel SDM vol. 3B,
 * "Hardware Feedback Interface and Intel Thread Director").
 */
#ifndef PMC_HFI_LAYOUT_H
#define PMC_HFI_LAYOUT_H

#include <linux/types.h>

#define HFI_PAGE	4096

enum hfi_capability {
	HFI_PERFORMANCE,
	HFI_EFFICIENCY,
	HFI_CAPABILITIES
};

/**
 * struct hfi_layout - form of the tables
 * @classes: classes of threads; 1 without Thread Director
 * @threads: there is a Thread Director
 * @column: where each capability is in a class's cells; -1: it is not there
 * @columns: capabilities that are there
 * @header: bytes before the first row: a time stamp, and what has changed
 * @stride: bytes of a row
 * @size: bytes of a table
 */
struct hfi_layout {
	u32 classes;
	bool threads;
	int column[HFI_CAPABILITIES];
	u32 columns;
	u32 header;
	u32 stride;
	u32 size;
};

bool hfi_layout_init(struct hfi_layout *l, u32 eax, u32 ecx, u32 edx);
u32 hfi_row(u32 edx);
u32 hfi_cell(const struct hfi_layout *l, u32 row, u32 class,
	     enum hfi_capability capability);

#endif /* PMC_HFI_LAYOUT_H */
