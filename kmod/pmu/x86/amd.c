// SPDX-License-Identifier: GPL-2.0
/*
 * AMD: core performance counters (APM volume 2, 13.2), as CPUID reports them:
 * four since the K7, six with PerfCtrExtCore, and with PerfMonV2 the number that
 * it reports, with global registers.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <base/compat.h>
#include "pmu/backend.h"
#include "pmu/backends.h"
#include "pmu/coretypes.h"
#include "pmu/x86/amd_constraints.h"
#include "pmu/x86/x86_encode.h"
#include "pmu/x86/x86_exclusive_claim.h"
#include "pmu/x86/x86_exclusive_ops.h"
#include "pmu/x86/x86_generic_events.h"
#include "pmu/x86/x86_pmu.h"
#include "pmu/x86/x86_shared.h"
#include "pmu/x86/x86_shared_ops.h"

#define K7_PERF_CTL0		0xc0010000
#define K7_PERF_CTR0		0xc0010004
#define K7_COUNTERS		4
#define PERF_CTL0		0xc0010200
#define PERF_CTR0		0xc0010201
#define EXT_COUNTERS		6
#define GLOBAL_STATUS		0xc0000300
#define GLOBAL_CTL		0xc0000301
#define GLOBAL_STATUS_CLR	0xc0000302

#define WIDTH			48

/* CPUID 0x80000001 ECX, and 0x80000022 EAX and EBX[3:0]. */
#define PERF_CTR_EXT_CORE	BIT(23)
#define PERF_MON_V2		BIT(0)
#define NUM_CORE_COUNTERS	0xf

static struct pmc_x86_bank bank;

/* The same on all cores: kinds of core differ in their caches only. */
static void find_bank(bool *has_global)
{
	bool extended = cpuid_ecx(0x80000001) & PERF_CTR_EXT_CORE;

	*has_global = false;
	bank = (struct pmc_x86_bank){
		.counter = extended ? PERF_CTR0 : K7_PERF_CTR0,
		.ctl = extended ? PERF_CTL0 : K7_PERF_CTL0,
		.step = extended ? 2 : 1,
		.nr = extended ? EXT_COUNTERS : K7_COUNTERS,
	};
	if (extended && cpuid_eax(0x80000000) >= 0x80000022 &&
	    cpuid_eax(0x80000022) & PERF_MON_V2) {
		*has_global = true;
		bank.nr = cpuid_ebx(0x80000022) & NUM_CORE_COUNTERS;
	}
}

static void describe(struct pmc_x86_pmu *pmu, bool has_global)
{
	unsigned int i;

	pmu->layout = (struct pmc_x86_layout){
		.nr_general = bank.nr,
		.code_bits = 12,
		.constraints = pmc_amd_constraints(boot_cpu_data.x86),
	};
	for (i = 0; i < bank.nr; i++)
		pmc_x86_add_counter(pmu, i, bank.counter + i * bank.step,
				    bank.ctl + i * bank.step, i, i);
	pmu->mask = GENMASK_ULL(WIDTH - 1, 0);
	pmu->min_step = PMC_X86_LEAST_LEFT;
	pmu->max_step = BIT_ULL(WIDTH - 1);
	pmu->scan = !has_global;
	if (has_global) {
		pmu->global_ctrl = GLOBAL_CTL;
		pmu->global_status = GLOBAL_STATUS;
		pmu->global_reset = GLOBAL_STATUS_CLR;
	}
}

static int amd_probe(void)
{
	struct pmc_x86_pmu *pmus;
	bool has_global;
	unsigned int i;

	/* Constraints of older families' counters are not listed here. */
	if ((boot_cpu_data.x86_vendor != X86_VENDOR_AMD &&
	     boot_cpu_data.x86_vendor != X86_VENDOR_HYGON) ||
	    boot_cpu_data.x86 < 0x15 ||
	    !boot_cpu_has(X86_FEATURE_APIC) ||
	    /* Its registers are reached by calls of the hypervisor's alone. */
	    boot_cpu_has(X86_FEATURE_XENPV))
		return -ENODEV;
	find_bank(&has_global);
	/* Under a hypervisor that hides the PMU the kernel has no PMU, either. */
	if (!bank.nr || !strcmp(pmc_core_types[0].pmu, "none"))
		return -ENODEV;
	pmus = kvcalloc(pmc_nr_core_types, sizeof(*pmus), GFP_KERNEL);
	if (!pmus)
		return -ENOMEM;
	for (i = 0; i < pmc_nr_core_types; i++)
		describe(&pmus[i], has_global);
	pmc_x86_describe(pmus);
	return 0;
}

static int amd_probe_shared(void)
{
	int ret = amd_probe();

	if (!ret)
		pmc_x86_shared_init();
	return ret;
}

static int amd_probe_exclusive(void)
{
	return amd_probe() ?: pmc_x86_have(&bank);
}

static const struct pmu_backend alone = {
	.name = "amd",
	.exclusive = true,
	.probe = amd_probe_exclusive,
	.encode = pmc_x86_encode_for,
	.generic = pmc_amd_generic,
	PMC_X86_EXCLUSIVE,
};

MODULE_INFO(backend, "amd");

const struct pmu_backend pmc_backend_amd = {
	.name = "amd",
	.alone = &alone,
	.probe = amd_probe_shared,
	.encode = pmc_x86_encode_for,
	.generic = pmc_amd_generic,
	PMC_X86_SHARED,
};
