// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of hardware feedback. They are memory of the kernel's driver, which
 * writes their address to a register of each package, and never frees them; they
 * are only read here. A table's address, and whether it is in use, is looked up
 * from time to time.
 *
 * The hardware writes a table again when the driver has acknowledged the last
 * time, by a bit. The driver of Linux 6.1 forgets that when two interrupts report
 * one change, and the table would stay as it is for ever.
 */
#include <base/compat.h>
#include <linux/cpu.h>
#include <linux/io.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "tables.h"

#define LEAF			6
#define MSR_HW_FEEDBACK_PTR	0x17d0
#define MSR_HW_FEEDBACK_CONFIG	0x17d1
#define MSR_PACKAGE_THERM_STATUS	0x1b1

#define PTR_VALID	BIT_ULL(0)
#define PTR_ADDRESS	GENMASK_ULL(51, 12)
#define CONFIG_ENABLE	BIT_ULL(0)
#define STATUS_UPDATED	BIT_ULL(26)
/*
 * The other bits of what has happened, SDM volume 3, "IA32_PACKAGE_THERM_STATUS": temperature,
 * PROCHOT, critical temperature, two thresholds, power limit.
 */
#define STATUS_OTHERS	(BIT_ULL(1) | BIT_ULL(3) | BIT_ULL(5) | BIT_ULL(7) | BIT_ULL(9) | \
			 BIT_ULL(11))

/**
 * struct table - a table that is or was in use
 * @list: in the list of all
 * @address: where it is
 * @memory: the same, for us
 * @round: number of the last look at it
 * @untaken: time stamp that the driver had not taken note of then; 0: none
 */
struct table {
	struct list_head list;
	phys_addr_t address;
	const u8 *memory;
	u32 round;
	u64 untaken;
};

DEFINE_PER_CPU(struct hfi_cpu, hfi_cpus);
struct hfi_layout hfi_layout;

static LIST_HEAD(tables);

/**
 * hfi_find - is there hardware feedback?
 */
bool hfi_find(void)
{
	u32 eax, ebx, ecx, edx;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL || cpuid_eax(0) < LEAF)
		return false;
	cpuid(LEAF, &eax, &ebx, &ecx, &edx);
	return hfi_layout_init(&hfi_layout, eax, ecx, edx);
}

static struct table *table_at(phys_addr_t address)
{
	struct table *table;

	list_for_each_entry(table, &tables, list)
		if (table->address == address)
			return table;
	table = kzalloc(sizeof(*table), GFP_KERNEL);
	if (!table)
		return NULL;
	table->address = address;
	table->memory = memremap(address, hfi_layout.size, MEMREMAP_WB);
	if (!table->memory) {
		kfree(table);
		return NULL;
	}
	list_add(&table->list, &tables);
	return table;
}

struct registers {
	u64 ptr, config, status;
	u32 row;
};

static void read_registers(void *arg)
{
	struct registers *r = arg;

	rdmsrq(MSR_HW_FEEDBACK_PTR, r->ptr);
	rdmsrq(MSR_HW_FEEDBACK_CONFIG, r->config);
	rdmsrq(MSR_PACKAGE_THERM_STATUS, r->status);
	r->row = hfi_row(cpuid_edx(LEAF));
}

/*
 * Bits of what has happened are cleared by 0 and left alone by 1, so nothing is read before:
 * what happens on another CPU of the package meanwhile would be lost. The same as the driver
 * does since 6.2, 930d06bf071a ("thermal: intel: Protect clearing of thermal status bits").
 */
static void take_note(void *unused)
{
	wrmsrq_safe(MSR_PACKAGE_THERM_STATUS, STATUS_OTHERS);
}

/* Drivers take note in the interrupt: one that has not since the last look won't. */
static void look_at(struct table *table, unsigned int cpu, u64 status)
{
	u64 stamp = READ_ONCE(*(const u64 *)table->memory);

	if (!(status & STATUS_UPDATED))
		stamp = 0;
	else if (stamp == table->untaken)
		smp_call_function_single(cpu, take_note, NULL, 1);
	table->untaken = stamp;
}

/**
 * hfi_tables_update - look up which tables are in use
 *
 * Context: Process; one at a time.
 * Return: CPUs that have one.
 */
unsigned int hfi_tables_update(void)
{
	struct registers r = {};
	unsigned int cpu, nr = 0;
	struct table *table;
	static u32 round;

	cpus_read_lock();
	round++;
	for_each_online_cpu(cpu) {
		table = NULL;
		if (!smp_call_function_single(cpu, read_registers, &r, 1) &&
		    (r.ptr & PTR_VALID) && (r.config & CONFIG_ENABLE))
			table = table_at(r.ptr & PTR_ADDRESS);
		per_cpu(hfi_cpus, cpu).row = r.row;
		WRITE_ONCE(per_cpu(hfi_cpus, cpu).table,
			   table ? table->memory : NULL);
		if (!table)
			continue;
		nr++;
		if (table->round != round)
			look_at(table, cpu, r.status);
		table->round = round;
	}
	cpus_read_unlock();
	return nr;
}

/**
 * hfi_tables_forget - the tables are not read any more
 */
void hfi_tables_forget(void)
{
	struct table *table, *next;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(hfi_cpus, cpu).table = NULL;
	list_for_each_entry_safe(table, next, &tables, list) {
		memunmap((void *)table->memory);
		kfree(table);
	}
	INIT_LIST_HEAD(&tables);
}
