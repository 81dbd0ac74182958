/* SPDX-License-Identifier: GPL-2.0 */
/* The operations of backends that have the counters for themselves. */
#ifndef PMC_X86_EXCLUSIVE_OPS_H
#define PMC_X86_EXCLUSIVE_OPS_H

#include "pmu/x86/x86_exclusive.h"
#include "pmu/x86/x86_exclusive_claim.h"
#include "pmu/x86/x86_nmi.h"
#include "pmu/x86/x86_user_ops.h"

#define PMC_X86_EXCLUSIVE						\
	PMC_X86_OPERATIONS,						\
	.claim = pmc_x86_claim,						\
	.release = pmc_x86_release,					\
	.load = pmc_x86_load,						\
	.unload = pmc_x86_unload,					\
	.arm = pmc_x86_arm,						\
	.disarm = pmc_x86_disarm,					\
	.pmi = pmc_x86_pmi,						\
	.caliper = pmc_x86_caliper,					\
	.clear_dirty = pmc_x86_clear_dirty,				\
	.suspend = pmc_x86_suspend,					\
	.resume = pmc_x86_resume,					\
	.exit = pmc_x86_exit

#endif /* PMC_X86_EXCLUSIVE_OPS_H */
