// SPDX-License-Identifier: GPL-2.0
/*
 * Which processors are different. Tested on the host.
 *
 * Errata of cache monitoring are those for which Linux's resctrl does the same (its
 * documentation has the table of factors).
 *
 * SKZ4, SKZ17 to SKZ19 (6th Generation Intel Processor Families for X-Series,
 * specification update): the first steppings of Skylake count traffic and lines
 * wrong, and masks may not keep a class to its ways; of these Linux does not rely
 * on later steppings, either.
 *
 * SKX99 (Intel Xeon Processor Scalable Family, specification update; 2nd
 * generation: "Intel Resource Director Technology on 2nd Generation Intel Xeon
 * Scalable Processors Reference Manual") and BDF102 (Xeon E5-2600 v4): the traffic
 * of some RMIDs is reported too high or too low; the error depends on the number of
 * cores, of which each has 8 RMIDs.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "errata.h"

#define BROADWELL_X	0x4f
#define SKYLAKE_X	0x55	/* Cascade Lake and Cooper Lake are later steppings. */

#define MILLION		1000000

static const struct {
	u32 nr_rmids;
	u32 above;
	u32 factor;
} corrections[] = {
	{ 24, 15, 969650 },
	{ 40, 31, 1066667 },
	{ 48, 31, 969650 },
	{ 56, 47, 1142857 },
	{ 72, 63, 1185115 },
	{ 80, 63, 1066553 },
	{ 88, 79, 1454545 },
	{ 104, 95, 1230769 },
	{ 112, 95, 1142857 },
	{ 120, 95, 1066667 },
	{ 136, 127, 1254863 },
	{ 144, 127, 1185255 },
	{ 160, 127, 1066667 },
	{ 176, 159, 1454334 },
	{ 192, 127, 969744 },
	{ 200, 191, 1280246 },
	{ 208, 191, 1230921 },
	{ 224, 191, 1143118 },
};

/**
 * cmt_errata_of - what is wrong with a processor
 * @intel_model: model number of an Intel processor of family 6; 0: another
 * @stepping: its stepping
 * @nr_rmids: RMIDs it has, 0 included
 */
struct cmt_errata cmt_errata_of(u32 intel_model, u32 stepping, u32 nr_rmids)
{
	struct cmt_errata errata = { };
	int i;

	if (intel_model != SKYLAKE_X && intel_model != BROADWELL_X)
		return errata;
	errata.monitoring = intel_model == SKYLAKE_X && stepping <= 4;
	errata.allocation = intel_model == SKYLAKE_X;
	for (i = 0; i < ARRAY_SIZE(corrections); i++) {
		if (corrections[i].nr_rmids / 8 != nr_rmids / 8)
			continue;
		errata.above = corrections[i].above;
		errata.factor = corrections[i].factor;
	}
	return errata;
}

/**
 * cmt_pair_shared - do all CPUs of a cache have one QM_EVTSEL and one QM_CTR?
 * @family: family of an AMD processor
 * @model: its model
 *
 * Those of PQOS versions 1.0 (Zen 2) and 2.0 (Zen 3) do, later ones have a pair each (AMD64
 * Architecture Programmer's Manual vol. 2, 19.3).
 */
bool cmt_pair_shared(u32 family, u32 model)
{
	if (family == 0x17)
		return model >= 0x30 && model <= 0x9f;
	return family == 0x19 && (model <= 0x0f || (model >= 0x20 && model <= 0x5f));
}

/**
 * cmt_errata_correct - the traffic that an RMID had
 * @errata: what is wrong with the processor
 * @rmid: the RMID
 * @traffic: its traffic by the registers
 *
 * Grows with @traffic.
 *
 * Context: Any.
 */
u64 cmt_errata_correct(const struct cmt_errata *errata, u32 rmid, u64 traffic)
{
	u64 millions, rest;

	if (!errata->above || rmid <= errata->above)
		return traffic;
	millions = div64_u64_rem(traffic, MILLION, &rest);
	return millions * errata->factor + div_u64(rest * errata->factor, MILLION);
}
