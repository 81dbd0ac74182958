// SPDX-License-Identifier: GPL-2.0
/*
 * Energy registers of the Juno board: in the I/O FPGA, one for each cluster and
 * one for the rest of the SoC, which is reported as the platform's (V2M-Juno TRM,
 * 4.5, "APB energy meter registers"). 64 bits each, in two halves.
 */
#include <linux/io.h>
#include <linux/of.h>
#include <linux/of_address.h>
#include <asm/cputype.h>
#include "sources.h"

#define SYSTEM		0x100
#define BIG		0x108
#define LITTLE		0x110

/* Of the register, for 100 uJ: see pmc_energy_juno_nj(). */
#define PER_100_UJ	1234803
#define PER_100_UJ_BIG	617402

static void __iomem *registers;

/* A carry between the halves: then the higher one has changed. */
static u64 read_pair(unsigned int offset)
{
	u32 high, low, before;

	high = readl_relaxed(registers + offset + 4);
	do {
		before = high;
		low = readl_relaxed(registers + offset);
		high = readl_relaxed(registers + offset + 4);
	} while (high != before);
	return (u64)high << 32 | low;
}

static u64 raw(const struct pmc_energy_source *src)
{
	return pmc_energy_juno_nj(read_pair(src->data),
				  src->data == BIG ? PER_100_UJ_BIG :
						     PER_100_UJ);
}

/* The big ones of later boards are Cortex-A72. */
static s64 is_big(const struct pmc_energy_source *src, unsigned int cpu)
{
	u32 part = MIDR_PARTNUM(read_cpuid_id());

	return part == ARM_CPU_PART_CORTEX_A57 ||
	       part == ARM_CPU_PART_CORTEX_A72 ? 0 : -1;
}

static s64 is_little(const struct pmc_energy_source *src, unsigned int cpu)
{
	return is_big(src, cpu) ? 0 : -1;
}

static s64 is_any(const struct pmc_energy_source *src, unsigned int cpu)
{
	return 0;
}

#define IN_NJ	.unit = { 1, 1000 }, .anywhere = true, .raw = raw

static struct pmc_energy_source juno[] = {
	{ PMC_ENERGY_CORE, "Juno big", IN_NJ, .data = BIG, .key = is_big },
	{ PMC_ENERGY_CORE, "Juno little", IN_NJ, .data = LITTLE,
	  .key = is_little },
	{ PMC_ENERGY_PSYS, "Juno system", IN_NJ, .data = SYSTEM,
	  .key = is_any },
};

static void find(void)
{
	struct device_node *node;
	unsigned int i;

	if (!of_machine_is_compatible("arm,juno"))
		return;
	node = of_find_node_by_name(NULL, "apbregs");
	registers = of_iomap(node, 0);
	of_node_put(node);
	if (!registers)
		return;
	for (i = 0; i < ARRAY_SIZE(juno); i++)
		pmc_energy_add_source(&juno[i]);
}

static void forget(void)
{
	if (registers)
		iounmap(registers);
	registers = NULL;
}

const struct pmc_energy_provider pmc_energy_juno = {
	.find = find,
	.forget = forget,
};
