// SPDX-License-Identifier: GPL-2.0
/* Energy registers' units and arithmetic; see units.h. */
#include <linux/kernel.h>
#include <linux/math64.h>
#include "units.h"

#define UJ_PER_J	1000000

/* More than any package or platform draws */
#define MOST_WATTS	4000
/* How often its value is taken note of, ms */
#define TICK_LEAST	10
#define TICK_MOST	10000

/**
 * pmc_energy_uj - microjoules, rounded down
 * @count: in @unit
 * @unit: the unit
 *
 * Differences of totals that were converted add up to the difference of the
 * first and the last: what one rounds off, the next has.
 *
 * Context: Any.
 */
u64 pmc_energy_uj(u64 count, struct pmc_energy_unit unit)
{
	u64 whole, rest;

	/* Neither product overflows before the result does. */
	whole = div64_u64_rem(count, unit.den, &rest);
	return whole * unit.num + div64_u64(rest * unit.num, unit.den);
}

/**
 * pmc_energy_mj - how many of a unit make a millijoule
 * @unit: the unit
 *
 * Context: Any.
 * Return: at least 1.
 */
u64 pmc_energy_mj(struct pmc_energy_unit unit)
{
	return div64_u64(1000ULL * unit.den, unit.num) ?: 1;
}

/**
 * pmc_energy_tick_ms - how often a register's value has to be taken note of
 * @unit: its unit
 * @bits: how many it has
 *
 * pmc_energy_extend() works over half a register's range. At 4 kW, more than
 * any package draws, 2^31 of 2^-14 J last 33 s, of 2^-16 J 8 s; a quarter of
 * that leaves room for a tick that is late.
 *
 * Context: Any.
 * Return: milliseconds
 */
unsigned int pmc_energy_tick_ms(struct pmc_energy_unit unit, unsigned int bits)
{
	u64 half_uj = pmc_energy_uj(1ULL << (bits - 1), unit);
	u64 ms = div64_u64(half_uj, 4 * MOST_WATTS * 1000);

	if (ms < TICK_LEAST)
		return TICK_LEAST;
	return ms < TICK_MOST ? ms : TICK_MOST;
}

/*
 * 2^ESU uJ instead of 2^-ESU J: Silvermont and Airmont (SDM volume 4, tables of
 * their MSRs, MSR_RAPL_POWER_UNIT)
 */
static bool counts_microjoules(unsigned int model)
{
	switch (model) {
	case 0x37:
	case 0x4a:
	case 0x4c:
	case 0x4d:
	case 0x5a:
	case 0x5d:
		return true;
	default:
		return false;
	}
}

/*
 * Memory is counted in 2^-16 J whatever the register of units says: Xeon E5 v3
 * (datasheet 330784, volume 2, 5.3.3) and those after it up to Ice Lake, Xeon
 * Phi.
 */
static bool fixed_dram_unit(unsigned int model)
{
	switch (model) {
	case 0x3f:	/* Haswell */
	case 0x4f:	/* Broadwell */
	case 0x55:	/* Skylake, Cascade Lake */
	case 0x56:	/* Broadwell-D */
	case 0x57:	/* Knights Landing */
	case 0x6a:	/* Ice Lake */
	case 0x6c:	/* Ice Lake-D */
	case 0x85:	/* Knights Mill */
		return true;
	default:
		return false;
	}
}

/* The platform's is counted in J: Sapphire Rapids, Emerald Rapids. */
static bool platform_in_joules(unsigned int model)
{
	return model == 0x8f || model == 0xcf;
}

/**
 * pmc_energy_rapl_unit - the unit of an x86 energy register
 * @msr: MSR_RAPL_POWER_UNIT, or AMD's of the same layout: bits 12:8 are the
 *	energy's (SDM volume 3B, 15.10.1; PPR 55898 for family 19h, MSRC001_0299)
 * @kind: what the register is for
 * @intel_model: model number of an Intel processor of family 6; 0: another
 *
 * Context: Any.
 */
struct pmc_energy_unit pmc_energy_rapl_unit(u64 msr, enum pmc_energy_kind kind,
					    unsigned int intel_model)
{
	unsigned int esu = msr >> 8 & 0x1f;

	if (kind == PMC_ENERGY_DRAM && fixed_dram_unit(intel_model))
		esu = 16;
	if (kind == PMC_ENERGY_PSYS && platform_in_joules(intel_model))
		esu = 0;
	if (counts_microjoules(intel_model))
		return (struct pmc_energy_unit){ min(1U << esu, 1U << 30), 1 };
	return (struct pmc_energy_unit){ UJ_PER_J, 1U << esu };
}

/**
 * pmc_energy_juno_nj - an energy register of the Juno board, in nanojoules
 * @raw: the register, all 64 bits
 * @per_100_uj: how much of it is 100 uJ
 *
 * A register adds up, every 100 us, what the power register says then (V2M-Juno
 * TRM, DDI 0524, 4.5). That has 1234803 (system, Cortex-A53) or 617402
 * (Cortex-A57, GPU) for a watt, so this one as many for 100 uJ. All 64 bits of it
 * are less than 2^62 nJ.
 *
 * Context: Any.
 */
u64 pmc_energy_juno_nj(u64 raw, u32 per_100_uj)
{
	return pmc_energy_uj(raw, (struct pmc_energy_unit){ 100000, per_100_uj });
}

/**
 * pmc_energy_integrate - microjoules that a power amounts to
 * @uw: power, microwatts
 * @ns: for how long
 * @carry: what was left over the last time, in 10^-15 J; out: and is now
 *
 * Context: Any.
 */
u64 pmc_energy_integrate(u64 uw, u64 ns, u64 *carry)
{
	u64 s, left, uj, rest;

	s = div64_u64_rem(ns, 1000000000, &left);
	uj = div64_u64_rem(uw * left + *carry, 1000000000, &rest);
	*carry = rest;
	return uw * s + uj;
}
