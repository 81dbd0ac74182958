// SPDX-License-Identifier: GPL-2.0
/* The counters of each core type, for both ways to drive them. */
#include <linux/slab.h>
#include "base/err.h"
#include "pmu/coretypes.h"
#include "pmu/filters.h"
#include "pmu/x86/x86_encode.h"
#include "pmu/x86/x86_pmu.h"
#include "pmu/x86/x86_rdpmc.h"

/* One for each core type. */
static struct pmc_x86_pmu *pmus;

int pmc_x86_encode_for(const struct pmc_core_type *ct,
		       const struct pmc_evreq *req,
		       const struct pmc_filters *filters,
		       u64 *config, u64 *slots, struct pmc_err *err)
{
	return pmc_x86_encode(&pmus[ct->id].layout, req, filters->user,
			      filters->kernel, config, slots, err);
}

/**
 * pmc_x86_add_counter - describe the counter of a slot
 * @pmu: of a core type
 * @slot: slot
 * @msr: its value
 * @ctl: its event select register, 0 for a fixed counter
 * @rdpmc: what RDPMC calls it
 * @bit: its bit in the global registers
 */
void pmc_x86_add_counter(struct pmc_x86_pmu *pmu, unsigned int slot, u32 msr,
			 u32 ctl, u32 rdpmc, unsigned int bit)
{
	pmu->nr = max(pmu->nr, slot + 1);
	pmu->slot_of_bit[bit] = slot;
	pmu->overflow_bits |= BIT_ULL(bit);
	pmu->counter[slot] = (struct pmc_x86_counter){
		.msr = msr, .ctl = ctl, .rdpmc = rdpmc, .bit = bit,
	};
}

static bool has_rdpmc(const struct pmc_x86_pmu *pmu, u32 rdpmc)
{
	unsigned int i;

	for (i = 0; i < pmu->nr; i++)
		if (pmu->counter[i].msr && pmu->counter[i].rdpmc == rdpmc)
			return true;
	return false;
}

static bool on_all_types(u32 rdpmc)
{
	unsigned int i;

	for (i = 0; i < pmc_nr_core_types; i++)
		if (!has_rdpmc(&pmus[i], rdpmc))
			return false;
	return true;
}

static void describe(struct pmc_core_type *ct, struct pmc_x86_pmu *pmu)
{
	unsigned int i;

	ct->nr_hw = pmu->nr;
	ct->fixed = 0;
	for (i = 0; i < pmu->layout.nr_fixed; i++)
		ct->fixed |= BIT_ULL(pmc_x86_fixed_slot(&pmu->layout, i));
	ct->fixed_names = pmc_x86_fixed_names;
	ct->absent = 0;
	for (i = 0; i < pmu->nr; i++) {
		if (!pmu->counter[i].msr)
			ct->absent |= BIT_ULL(i);
		else if (on_all_types(pmu->counter[i].rdpmc))
			pmu->rdpmc_bits |= BIT_ULL(pmu->counter[i].bit);
	}
	ct->interrupts = GENMASK_ULL(pmu->nr - 1, 0) & ~ct->absent;
}

/**
 * pmc_x86_describe - describe the PMUs, when the backend is chosen
 * @of_types: the PMU of each core type, from kvcalloc(): ours now
 *
 * Context: May sleep.
 */
void pmc_x86_describe(struct pmc_x86_pmu *of_types)
{
	unsigned int i;

	pmus = of_types;
	for (i = 0; i < pmc_nr_core_types; i++)
		describe(&pmc_core_types[i], &pmus[i]);
	pmc_x86_user_init();
}

/* Return: the PMU of a core type, as described. */
struct pmc_x86_pmu *pmc_x86_pmu_of(const struct pmc_core_type *ct)
{
	return &pmus[ct->id];
}

/* Context: May sleep. No session is left. */
void pmc_x86_pmu_exit(void)
{
	kvfree(pmus);
	pmus = NULL;
}
