// SPDX-License-Identifier: GPL-2.0
/*
 * Knights Corner (Xeon Phi): no architectural performance monitoring, but two
 * counters and global registers that work as Intel's later ones do, at other
 * places (knc_encode.h).
 */
#include <linux/module.h>
#include <linux/slab.h>
#include "base/err.h"
#include "pmu/backend.h"
#include "pmu/backends.h"
#include "pmu/coretypes.h"
#include "pmu/filters.h"
#include "pmu/x86/knc_encode.h"
#include "pmu/x86/x86_exclusive_claim.h"
#include "pmu/x86/x86_exclusive_ops.h"
#include "pmu/x86/x86_generic_events.h"
#include "pmu/x86/x86_pmu.h"

static const struct pmc_x86_bank bank = {
	.counter = PMC_KNC_PERFCTR0, .ctl = PMC_KNC_PERFEVTSEL0, .step = 1,
	.nr = PMC_KNC_COUNTERS,
};

static void describe(struct pmc_x86_pmu *pmu)
{
	unsigned int i;

	pmu->layout = pmc_knc_layout;
	for (i = 0; i < PMC_KNC_COUNTERS; i++)
		pmc_x86_add_counter(pmu, i, PMC_KNC_PERFCTR0 + i,
				    PMC_KNC_PERFEVTSEL0 + i, i, i);
	pmu->mask = GENMASK_ULL(PMC_KNC_WIDTH - 1, 0);
	pmu->max_step = BIT_ULL(PMC_KNC_WIDTH - 1);
	pmu->global_ctrl = PMC_KNC_GLOBAL_CTRL;
	pmu->global_status = PMC_KNC_GLOBAL_STATUS;
	pmu->global_reset = PMC_KNC_OVF_CONTROL;
}

static int knc_probe(void)
{
	struct pmc_x86_pmu *pmus;
	unsigned int i;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    boot_cpu_data.x86 != PMC_KNC_FAMILY)
		return -ENODEV;
	pmus = kvcalloc(pmc_nr_core_types, sizeof(*pmus), GFP_KERNEL);
	if (!pmus)
		return -ENOMEM;
	for (i = 0; i < pmc_nr_core_types; i++)
		describe(&pmus[i]);
	pmc_x86_describe(pmus);
	return pmc_x86_have(&bank);
}

static int knc_encode(const struct pmc_core_type *ct,
		      const struct pmc_evreq *req,
		      const struct pmc_filters *filters,
		      u64 *config, u64 *slots, struct pmc_err *err)
{
	return pmc_knc_encode(req, filters->user, filters->kernel, config,
			      slots, err);
}

MODULE_INFO(backend, "knc");

const struct pmu_backend pmc_backend_knc = {
	.name = "knc",
	.probe = knc_probe,
	.encode = knc_encode,
	.generic = pmc_intel_generic,
	PMC_X86_EXCLUSIVE,
};
