/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of hardware feedback, one for each package */
#ifndef PMC_HFI_TABLES_H
#define PMC_HFI_TABLES_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "layout.h"

/**
 * struct hfi_cpu - the feedback for a CPU
 * @table: its package's table, written by the hardware; NULL: there is none now
 * @row: its row
 */
struct hfi_cpu {
	const u8 *table;
	u32 row;
};

DECLARE_PER_CPU(struct hfi_cpu, hfi_cpus);
extern struct hfi_layout hfi_layout;

bool hfi_find(void);
unsigned int hfi_tables_update(void);
void hfi_tables_forget(void);

#endif /* PMC_HFI_TABLES_H */
