/* SPDX-License-Identifier: GPL-2.0 */
/* The operations that all x86 backends have in common. */
#ifndef PMC_X86_USER_OPS_H
#define PMC_X86_USER_OPS_H

#include "pmu/x86/x86_encode.h"
#include "pmu/x86/x86_rdpmc.h"

#define PMC_X86_OPERATIONS						\
	.modes = PMC_X86_USR | PMC_X86_OS,				\
	.direct = true,							\
	.user_policy = pmc_x86_user_policy,				\
	.user_map = pmc_x86_user_map,					\
	.user_unmap = pmc_x86_user_unmap,				\
	.user_fork = pmc_x86_user_fork

#endif /* PMC_X86_USER_OPS_H */
