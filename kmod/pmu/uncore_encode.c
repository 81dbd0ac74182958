// SPDX-License-Identifier: GPL-2.0
/* Events of counters that CPUs share, as the kernel's drivers take them. */
#include <linux/errno.h>
#include "base/err.h"
#include "base/parse_evset.h"
#include "pmu/uncore_encode.h"

const struct pmc_uncore_format pmc_uncore_formats[PMC_UNCORE_NR] = {
	/*
	 * AMD, from family 17h on: L3 Performance Event Select, MSR C001_0230:
	 * EventSelect [7:0], UnitMask [15:8] (PPR for family 17h models
	 * 00h-0Fh, 54945, 2.1.14.3). The driver selects all slices, cores and
	 * threads when none is named.
	 */
	[PMC_UNCORE_L3] = {
		.pmu = "amd_l3",
		.driver = "amd-uncore",
		.max_code = 0xff,
		.max_umask = 0xff,
		.umask_shift = 8,
	},
};

/**
 * pmc_uncore_encode() - an event of a shared counter to the driver's config
 * @req: the event, PMC_EVREQ_UNCORE
 * @config: out: the config
 * @err: out: on error, what is wrong
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int pmc_uncore_encode(const struct pmc_evreq *req, u64 *config,
		      struct pmc_err *err)
{
	const struct pmc_uncore_format *f = &pmc_uncore_formats[req->uncore];

	if (req->code > f->max_code || req->umask > f->max_umask)
		return pmc_err(err, -EINVAL,
			       "%s=0x%llx:umask=0x%llx: at most 0x%llx and 0x%llx",
			       pmc_uncore_names[req->uncore],
			       (unsigned long long)req->code,
			       (unsigned long long)req->umask,
			       (unsigned long long)f->max_code,
			       (unsigned long long)f->max_umask);
	*config = req->code | req->umask << f->umask_shift;
	return 0;
}
