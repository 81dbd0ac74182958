/* SPDX-License-Identifier: GPL-2.0 */
/* Inside pmc_energy.ko: where energy is read, and for which CPUs. */
#ifndef PMC_ENERGY_METER_H
#define PMC_ENERGY_METER_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <base/compat.h>
#include "energy.h"

/**
 * struct pmc_energy_source - registers of one kind
 * @kind: what they are for
 * @name: what to call them
 * @unit: what they count in; the same for all sources of a kind
 * @shift: 64 less the bits they have, from the lowest; 32 for those with an @msr
 * @anywhere: any CPU can read each of them; else those that share it
 * @key: CPUs with the same number share a register; negative: this CPU has none.
 *	Called on @cpu
 * @msr: the register is this model-specific one (x86); else
 * @raw: reads it. Any context
 * @tick: look at hardware that is too slow for @raw, or NULL. May sleep
 * @tick_ms: how often @tick is due
 * @data: the source's own
 * @link: in the list of sources
 */
struct pmc_energy_source {
	enum pmc_energy_kind kind;
	const char *name;
	struct pmc_energy_unit unit;
	unsigned int shift;
	bool anywhere;
	u32 msr;
	s64 (*key)(const struct pmc_energy_source *src, unsigned int cpu);
	u64 (*raw)(const struct pmc_energy_source *src);
	void (*tick)(struct pmc_energy_source *src);
	unsigned int tick_ms;
	unsigned long data;
	struct list_head link;
};

/**
 * struct pmc_energy_domain - CPUs that share a register
 * @known: their energy, by the register's value not long ago
 * @offset: the register less @known, in the bits that it has
 * @msr: the register, if it is a model-specific one, else 0
 * @key: which it is of its source's
 * @src: where it is
 * @link: in the list of domains
 * @cpus: those online
 * @reader: the CPU that reports it; -1: none
 *
 * @offset, @cpus and @reader belong to CPU hotplug and sleep.
 */
struct pmc_energy_domain {
	atomic64_t known;
	u64 offset;
	u32 msr;
	s64 key;
	struct pmc_energy_source *src;
	struct list_head link;
	struct cpumask cpus;
	int reader;
};

/**
 * struct pmc_energy_here - a CPU's domains
 * @of: of each kind, while the CPU is online; NULL: none
 */
struct pmc_energy_here {
	struct pmc_energy_domain *of[PMC_ENERGY_NR];
};

DECLARE_PER_CPU(struct pmc_energy_here, pmc_energy_here);

/* For kinds that the machine has, while the meters are in use; else 0. */
extern struct pmc_energy_unit pmc_energy_units[PMC_ENERGY_NR];

/* The lower half of a model-specific register, which has no more of energy. */
static __always_inline u32 pmc_energy_msr(u32 msr)
{
#ifdef CONFIG_X86
	return __rdmsr(msr);
#else
	return 0;
#endif
}

u64 pmc_energy_read_raw(const struct pmc_energy_domain *d, u64 known);

/**
 * pmc_energy_read - what a domain has spent
 * @d: the domain: one of this CPU's, or of a source that is anywhere
 *
 * Context: Any, on a CPU that is not left meanwhile.
 * Return: in the kind's unit.
 */
static __always_inline u64 pmc_energy_read(const struct pmc_energy_domain *d)
{
	u64 known = atomic64_read(&d->known);

	/* As pmc_energy_extend() has it for 32 bits, in fewer instructions. */
	if (likely(d->msr))
		return known + (s32)(pmc_energy_msr(d->msr) - (u32)d->offset -
				     (u32)known);
	return pmc_energy_read_raw(d, known);
}

/**
 * pmc_energy_domain_here - this CPU's domain
 * @kind: of what
 *
 * Context: Any, on a CPU that is not left meanwhile.
 * Return: NULL where there is none.
 */
static __always_inline struct pmc_energy_domain *
pmc_energy_domain_here(enum pmc_energy_kind kind)
{
	return this_cpu_read(pmc_energy_here.of[kind]);
}

/**
 * struct pmc_energy_provider - a type of hardware that measures energy
 * @find: add those sources that the machine has, by pmc_energy_add_source()
 * @forget: undo @find, or NULL
 *
 * Both may sleep, and are called while the meters are not in use.
 */
struct pmc_energy_provider {
	void (*find)(void);
	void (*forget)(void);
};

void pmc_energy_set_providers(const struct pmc_energy_provider *const *list);
bool pmc_energy_in_use(void);
void pmc_energy_add_source(struct pmc_energy_source *src);
u64 pmc_energy_reported_here(enum pmc_energy_kind kind);

#endif /* PMC_ENERGY_METER_H */
