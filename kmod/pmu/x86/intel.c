// SPDX-License-Identifier: GPL-2.0
/*
 * Intel: architectural performance monitoring, as CPUID leaf 0xA reports it
 * (SDM volume 3B, chapter 20; volume 2A, CPUID). It works on all models, and each
 * core type reports its own. For known models there is a list of events that some
 * counters can't count, too.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <base/compat.h>
#include "pmu/backend.h"
#include "pmu/backends.h"
#include "pmu/coretypes.h"
#include "pmu/x86/intel_constraints.h"
#include "pmu/x86/intel_extra.h"
#include "pmu/x86/intel_extra_claim.h"
#include "pmu/x86/x86_encode.h"
#include "pmu/x86/x86_exclusive_claim.h"
#include "pmu/x86/x86_exclusive_ops.h"
#include "pmu/x86/x86_generic_events.h"
#include "pmu/x86/x86_pmu.h"
#include "pmu/x86/x86_shared.h"
#include "pmu/x86/x86_shared_claim.h"
#include "pmu/x86/x86_shared_ops.h"

#define PMC0			0x0c1
#define PERFEVTSEL0		0x186
#define FIXED_CTR0		0x309
#define PERF_CAPABILITIES	0x345
#define GLOBAL_STATUS		0x38e
#define GLOBAL_CTRL		0x38f
#define GLOBAL_STATUS_RESET	0x390
#define A_PMC0			0x4c1

#define FIXED_BIT		32
#define FULL_WIDTH_WRITE	BIT_ULL(13)
#define RDPMC_FIXED		BIT(30)

/* CPUID.1:ECX.PDCM: there is PERF_CAPABILITIES. */
#define PDCM			BIT(15)

/* A general counter can be set to 31 bits less than nothing, or to all bits. */
#define MAX_STEP_NARROW		BIT_ULL(31)

/* CPUID.7.0:EDX: not all cores are alike. CPUID.7.1:EAX: there is leaf 0x23. */
#define HYBRID			BIT(15)
#define ARCH_PERFMON_EXT	BIT(8)
/* CPUID.0x23.0:EAX: sub-leaf 1 reports counters. */
#define COUNTERS_SUBLEAF	BIT(1)
#define NATIVE_ATOM		0x20
#define NATIVE_CORE		0x40

/* Fixed counters that we have names for. */
#define MAX_FIXED		4
#define MAX_GENERAL		32

/* Values of CPUID; of counters, one bit each. */
struct identity {
	u32 eax;
	u32 ebx;
	u32 ecx;
	u32 edx;
	u64 general;
	u64 fixed;
	u64 capabilities;
	unsigned int extra_regs;
};

static struct pmc_x86_bank bank = {
	.counter = PMC0, .ctl = PERFEVTSEL0, .step = 1,
};

static unsigned int version(const struct identity *id)
{
	return id->eax & 0xff;
}

static u32 cpuid_eax_of(u32 leaf, u32 subleaf)
{
	u32 eax, ebx, ecx, edx;

	cpuid_count(leaf, subleaf, &eax, &ebx, &ecx, &edx);
	return eax;
}

static bool is_there(u32 msr)
{
	u64 value;

	return !rdmsrq_safe(msr, &value);
}

/*
 * Leaf 0xA of a hybrid processor reports the counters that all cores have (SDM
 * volume 3B, 20.3.12: Alder Lake), so a big core may have more. Later processors
 * report them in leaf 0x23; on others the registers are tried.
 */
static void find_more_counters(struct identity *id)
{
	u32 eax, ebx, ecx, edx, more = 0;

	cpuid_count(7, 0, &eax, &ebx, &ecx, &edx);
	if (!(edx & HYBRID))
		return;
	if (eax >= 1)
		more = cpuid_eax_of(7, 1);
	if (more & ARCH_PERFMON_EXT && cpuid_eax_of(0x23, 0) & COUNTERS_SUBLEAF) {
		cpuid_count(0x23, 1, &eax, &ebx, &ecx, &edx);
		id->general = eax;
		id->fixed = ebx;
		return;
	}
	if (cpuid_eax(0x1a) >> 24 != NATIVE_CORE)
		return;
	while (id->general && id->general < BIT_ULL(8) - 1 &&
	       is_there(PERFEVTSEL0 + hweight64(id->general)))
		id->general |= id->general << 1;
	if (id->fixed == BIT_ULL(3) - 1 && is_there(FIXED_CTR0 + 3))
		id->fixed |= BIT_ULL(3);
}

static void identify_here(void *info)
{
	struct identity *id = info;
	unsigned int i;

	cpuid(0xa, &id->eax, &id->ebx, &id->ecx, &id->edx);
	id->general = BIT_ULL(min((id->eax >> 8) & 0xffU, MAX_GENERAL)) - 1;
	/* From version 5 on, also those whose bits are set in ECX. */
	if (version(id) >= 2)
		id->fixed = BIT_ULL(id->edx & 0x1f) - 1;
	if (version(id) >= 5)
		id->fixed |= id->ecx;
	find_more_counters(id);
	if (boot_cpu_has(X86_FEATURE_HYPERVISOR)) {
		/* Processors have counters of one width. */
		if (((id->edx >> 5) & 0xff) != ((id->eax >> 16) & 0xff))
			id->fixed = 0;
	} else if (version(id) >= 2) {
		/* Some of version 2 do not report theirs, as perf knows, too. */
		id->fixed |= BIT_ULL(PMC_INTEL_LOW_FIXED) - 1;
	}
	if (cpuid_ecx(1) & PDCM)
		rdmsrq_safe(PERF_CAPABILITIES, &id->capabilities);
	for (i = 0; i < PMC_INTEL_NR_EXTRA; i++)
		if (is_there(pmc_intel_extra_msr[i]))
			id->extra_regs |= BIT(i);
}

static void describe(struct pmc_x86_pmu *pmu, const struct identity *id)
{
	bool wide = id->capabilities & FULL_WIDTH_WRITE;
	/* From the first on, without a gap. */
	unsigned int general = min_t(unsigned int, ffz(id->general), MAX_GENERAL);
	unsigned int fixed = min_t(unsigned int, ffz(id->fixed), MAX_FIXED);
	unsigned int width = (id->eax >> 16) & 0xff, i;
	unsigned int nr_reported = id->eax >> 24;

	pmu->layout = (struct pmc_x86_layout){
		.nr_fixed = fixed,
		.nr_general = general,
		.code_bits = 8,
		.has_any = version(id) == 3 ||
			   (version(id) > 3 && !(id->edx & BIT(15))),
		.intel = true,
		/* Bits beyond the number that the leaf reports mean nothing. */
		.arch_missing = id->ebx & (BIT_ULL(min(nr_reported, 32U)) - 1),
		.extra_regs = id->extra_regs,
	};
	for (i = 0; i < fixed; i++)
		pmc_x86_add_counter(pmu, pmc_x86_fixed_slot(&pmu->layout, i),
				    FIXED_CTR0 + i, 0, RDPMC_FIXED | i,
				    FIXED_BIT + i);
	for (i = 0; i < general; i++)
		pmc_x86_add_counter(pmu, PMC_INTEL_LOW_FIXED + i, (wide ? A_PMC0 : PMC0) + i,
				    PERFEVTSEL0 + i, i, i);
	pmu->mask = GENMASK_ULL(width - 1, 0);
	pmu->scan = true;
	pmu->min_step = pmc_intel_least_left(boot_cpu_data.x86, boot_cpu_data.x86_model);
	pmu->max_step = wide ? BIT_ULL(width - 1) : MAX_STEP_NARROW;
	if (version(id) >= 2) {
		pmu->global_ctrl = GLOBAL_CTRL;
		pmu->global_status = GLOBAL_STATUS;
		pmu->global_reset = GLOBAL_STATUS_RESET;
	}
}

/*
 * TSX_FORCE_ABORT: while transactions do not abort at once, microcode writes general
 * counter 3 in each of them (Intel, "Performance Monitoring Impact of Intel
 * Transactional Synchronization Extension Memory Ordering Issue", 604224). Whether they
 * do is perf's to say, and its users'.
 */
static bool microcode_takes_pmc3(void)
{
	return boot_cpu_has(X86_FEATURE_TSX_FORCE_ABORT) &&
	       !boot_cpu_has(X86_FEATURE_RTM_ALWAYS_ABORT);
}

static int describe_core_type(struct pmc_x86_pmu *pmu,
			      const struct pmc_core_type *ct)
{
	unsigned int cpu = cpumask_first(&ct->cpus);
	bool atom = ct->native_type == NATIVE_ATOM;
	struct identity id = { };
	int ret;

	/* perf has tried the registers: a hypervisor's CPUID may promise more. */
	if (!strcmp(ct->pmu, "none"))
		return -ENODEV;
	ret = smp_call_function_single(cpu, identify_here, &id, 1);
	if (ret)
		return ret;
	if (!version(&id) || !(id.general & 1) ||
	    (id.eax >> 16 & 0xff) < 32 || (id.eax >> 16 & 0xff) > 64)
		return -ENODEV;
	describe(pmu, &id);
	pmu->layout.constraints =
		pmc_intel_constraints(boot_cpu_data.x86, boot_cpu_data.x86_model,
				      atom);
	/* Other hardware threads may be offline now, and come later. */
	pmu->layout.leaks = cpu_smt_possible() &&
			    pmc_intel_leaks(boot_cpu_data.x86,
					    boot_cpu_data.x86_model);
	if (microcode_takes_pmc3())
		pmu->layout.spoiled = BIT(3);
	pmu->layout.extras =
		pmc_intel_extra_events(boot_cpu_data.x86,
				       boot_cpu_data.x86_model, atom);
	bank.nr = max(bank.nr, pmu->layout.nr_general);
	return 0;
}

static int intel_probe(void)
{
	struct pmc_x86_pmu *pmus;
	unsigned int i;
	int ret = 0;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    !boot_cpu_has(X86_FEATURE_APIC) ||
	    /* Its registers are reached by calls of the hypervisor's alone. */
	    boot_cpu_has(X86_FEATURE_XENPV) ||
	    pmc_intel_is_left_to_perf(boot_cpu_data.x86,
				      boot_cpu_data.x86_model))
		return -ENODEV;
	pmus = kvcalloc(pmc_nr_core_types, sizeof(*pmus), GFP_KERNEL);
	if (!pmus)
		return -ENOMEM;
	for (i = 0; i < pmc_nr_core_types && !ret; i++)
		ret = describe_core_type(&pmus[i], &pmc_core_types[i]);
	if (ret) {
		kvfree(pmus);
		return ret;
	}
	pmc_x86_describe(pmus);
	return 0;
}

static int intel_probe_shared(void)
{
	int ret = intel_probe();

	if (!ret)
		pmc_x86_shared_init();
	return ret;
}

static int intel_probe_exclusive(void)
{
	return intel_probe() ?: pmc_x86_have(&bank);
}

static const struct pmu_backend alone = {
	.name = "intel",
	.exclusive = true,
	.probe = intel_probe_exclusive,
	.claim_extra = pmc_intel_claim_extra,
	.release_extra = pmc_intel_release_extra,
	.encode = pmc_x86_encode_for,
	.generic = pmc_intel_generic,
	PMC_X86_EXCLUSIVE,
};

MODULE_INFO(backend, "intel");

const struct pmu_backend pmc_backend_intel = {
	.name = "intel",
	.alone = &alone,
	.probe = intel_probe_shared,
	.claim_extra = pmc_x86_shared_claim_extra,
	.release_extra = pmc_x86_shared_release_extra,
	.encode = pmc_x86_encode_for,
	.generic = pmc_intel_generic,
	PMC_X86_SHARED,
};
