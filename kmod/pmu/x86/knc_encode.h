/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Knights Corner (Xeon Phi, family 0xb): two counters of 40 bits for each
 * hardware thread, programmed as other x86 counters are but with registers and
 * events of its own. Pure: touches no register.
 *
 * Source: "Intel Xeon Phi Coprocessor (codename: Knights Corner) Performance
 * Monitoring Units" (327357).
 */
#ifndef PMC_PMU_KNC_ENCODE_H
#define PMC_PMU_KNC_ENCODE_H

#include "pmu/x86/x86_encode.h"

#define PMC_KNC_FAMILY		0xb
#define PMC_KNC_COUNTERS	2
#define PMC_KNC_WIDTH		40

/* Of counter 0; counter 1 follows. */
#define PMC_KNC_PERFCTR0	0x20
#define PMC_KNC_PERFEVTSEL0	0x28
/* Bit N is counter N's. */
#define PMC_KNC_GLOBAL_STATUS	0x2d
#define PMC_KNC_OVF_CONTROL	0x2e
#define PMC_KNC_GLOBAL_CTRL	0x2f

extern const struct pmc_x86_layout pmc_knc_layout;

int pmc_knc_encode(const struct pmc_evreq *ev, bool default_user,
		   bool default_kernel, u64 *config, u64 *slots,
		   struct pmc_err *err);

#endif /* PMC_PMU_KNC_ENCODE_H */
