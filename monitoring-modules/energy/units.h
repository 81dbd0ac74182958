/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Units of energy registers, and totals of their values that neither wrap nor lose
 * anything. No register is touched here.
 */
#ifndef PMC_ENERGY_UNITS_H
#define PMC_ENERGY_UNITS_H

#include <linux/types.h>

/**
 * enum pmc_energy_kind - what energy is spent by
 * @PMC_ENERGY_CORE: the cores: all of a package (Intel), each on its own (AMD),
 *	those of a cluster (Arm)
 * @PMC_ENERGY_PKG: the whole package
 * @PMC_ENERGY_DRAM: the memory
 * @PMC_ENERGY_PSYS: the platform
 * @PMC_ENERGY_NR: number of kinds
 */
enum pmc_energy_kind {
	PMC_ENERGY_CORE,
	PMC_ENERGY_PKG,
	PMC_ENERGY_DRAM,
	PMC_ENERGY_PSYS,
	PMC_ENERGY_NR
};

/**
 * struct pmc_energy_unit - @num / @den microjoules
 * @num: below 2^31
 * @den: up to 2^31
 */
struct pmc_energy_unit {
	u32 num;
	u32 den;
};

/**
 * pmc_energy_extend - the total that a register stands for
 * @known: some total of a time that the register has gone less than half its
 *	range since, or until
 * @raw: the register
 * @shift: 64 less the bits it has
 *
 * In whichever order two readers read the register: the one with the older value
 * gets the smaller total.
 *
 * Context: Any.
 */
static inline u64 pmc_energy_extend(u64 known, u64 raw, unsigned int shift)
{
	return known + ((s64)((raw - known) << shift) >> shift);
}

u64 pmc_energy_uj(u64 count, struct pmc_energy_unit unit);
u64 pmc_energy_mj(struct pmc_energy_unit unit);
unsigned int pmc_energy_tick_ms(struct pmc_energy_unit unit, unsigned int bits);
struct pmc_energy_unit pmc_energy_rapl_unit(u64 msr, enum pmc_energy_kind kind,
					    unsigned int intel_model);
u64 pmc_energy_juno_nj(u64 raw, u32 per_100_uj);
u64 pmc_energy_integrate(u64 uw, u64 ns, u64 *carry);

#endif /* PMC_ENERGY_UNITS_H */
