/* SPDX-License-Identifier: GPL-2.0 */
/* Known errors of some of Intel's processors, and what some of AMD's share. */
#ifndef PMC_CMT_ERRATA_H
#define PMC_CMT_ERRATA_H

#include <linux/types.h>

/**
 * struct cmt_errata - what is wrong with a processor
 * @monitoring: monitored values are wrong
 * @allocation: masks do not keep a class to its ways
 * @above: traffic of RMIDs above this is reported wrong; 0: of none
 * @factor: the true traffic in millionths of the reported one
 */
struct cmt_errata {
	bool monitoring;
	bool allocation;
	u32 above;
	u32 factor;
};

struct cmt_errata cmt_errata_of(u32 intel_model, u32 stepping, u32 nr_rmids);
bool cmt_pair_shared(u32 family, u32 model);
u64 cmt_errata_correct(const struct cmt_errata *errata, u32 rmid, u64 traffic);

#endif /* PMC_CMT_ERRATA_H */
