/* SPDX-License-Identifier: GPL-2.0 */
/* Events of counters that CPUs share. */
#ifndef PMC_UNCORE_ENCODE_H
#define PMC_UNCORE_ENCODE_H

#include <linux/types.h>
#include "base/err.h"
#include "base/parse_evset.h"

/**
 * struct pmc_uncore_format - a kind of shared counter
 * @pmu: the kernel's PMU that drives it
 * @driver: the kernel module that may have to be loaded for it
 * @max_code: largest event code
 * @max_umask: largest unit mask
 * @umask_shift: where it is in the event's config; the code is at 0
 */
struct pmc_uncore_format {
	const char *pmu;
	const char *driver;
	u64 max_code;
	u64 max_umask;
	unsigned int umask_shift;
};

extern const struct pmc_uncore_format pmc_uncore_formats[PMC_UNCORE_NR];

int pmc_uncore_encode(const struct pmc_evreq *req, u64 *config,
		      struct pmc_err *err);

#endif /* PMC_UNCORE_ENCODE_H */
