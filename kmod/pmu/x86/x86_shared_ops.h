/* SPDX-License-Identifier: GPL-2.0 */
/* The operations of backends that share the counters with perf. */
#ifndef PMC_X86_SHARED_OPS_H
#define PMC_X86_SHARED_OPS_H

#include "pmu/kcounter.h"
#include "pmu/x86/x86_perf_moves.h"
#include "pmu/x86/x86_shared.h"
#include "pmu/x86/x86_shared_claim.h"
#include "pmu/x86/x86_user_ops.h"

#define PMC_X86_SHARED							\
	PMC_X86_OPERATIONS,						\
	.bound_extra = true,						\
	.counters = pmc_x86_shared_counters,				\
	.claim = pmc_x86_shared_claim,					\
	.fit = pmc_x86_shared_fit,					\
	.release = pmc_kcounter_release,				\
	.reacquire = pmc_x86_shared_reacquire,				\
	.load = pmc_x86_shared_load,					\
	.unload = pmc_x86_shared_unload,				\
	.arm = pmc_x86_shared_arm,					\
	.disarm = pmc_x86_shared_disarm,				\
	.caliper = pmc_x86_shared_caliper,				\
	.clear_dirty = pmc_x86_shared_clear_dirty,			\
	.suspend = pmc_kcounters_suspend,				\
	.resume = pmc_kcounters_resume,				\
	.track_moves = pmc_x86_track_moves,				\
	.untrack_moves = pmc_x86_untrack_moves,				\
	.exit = pmc_x86_shared_exit

#endif /* PMC_X86_SHARED_OPS_H */
