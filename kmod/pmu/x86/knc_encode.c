// SPDX-License-Identifier: GPL-2.0
/*
 * Knights Corner: which events there are, and the counters that can count them.
 * The event select register is that of other x86 processors (x86_encode.c).
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "base/err.h"
#include "base/parse_evset.h"
#include "pmu/x86/knc_encode.h"
#include "pmu/x86/x86_encode.h"

/* An event's unit mask is its unit: the core, the L2 cache or the VPU. */
#define UMASK_CORE	0x00
#define UMASK_L2	0x10
#define UMASK_VPU	0x20

/* Events from here on are the L2 cache's. */
#define FIRST_L2	0xc0

/* The vector unit's: 0x00, 0x01, 0x03-0x05, 0x16-0x18. */
#define VPU_EVENTS	0x01c0003bUL

/* The L2 cache's events come to counter 0 only. */
static const struct pmc_x86_constraint constraints[] = {
	{ FIRST_L2, 0xff, -1, BIT(0) },
	{ },
};

const struct pmc_x86_layout pmc_knc_layout = {
	.nr_general = PMC_KNC_COUNTERS,
	.code_bits = 8,
	/* For all four threads of the core. */
	.has_any = true,
	.constraints = constraints,
};

static int check_unit(const struct pmc_evreq *ev, struct pmc_err *err)
{
	if (ev->code >= FIRST_L2) {
		if (ev->umask == UMASK_L2)
			return 0;
		return pmc_err(err, -EINVAL,
			       "event 0x%llx, umask 0x%llx: events from 0xc0 on are the L2 cache's and have umask 0x10",
			       (unsigned long long)ev->code,
			       (unsigned long long)ev->umask);
	}
	if (ev->umask == UMASK_CORE)
		return 0;
	if (ev->umask == UMASK_VPU && ev->code < 32 &&
	    VPU_EVENTS & BIT(ev->code))
		return 0;

	return pmc_err(err, -EINVAL,
		       "event 0x%llx, umask 0x%llx: there is no such event; events below 0xc0 have umask 0x0, the VPU's 0x20",
		       (unsigned long long)ev->code,
		       (unsigned long long)ev->umask);
}

/**
 * pmc_knc_encode() - encode an event
 * @ev: the event; not a software counter's
 * @default_user: whether an event that names no mode counts in user mode
 * @default_kernel: the same for the kernel
 * @config: out: as pmc_x86_encode() has it
 * @slots: out: the same
 * @err: out: on error, what was wrong
 *
 * Context: any but NMI.
 * Return: 0 or -EINVAL.
 */
int pmc_knc_encode(const struct pmc_evreq *ev, bool default_user,
		   bool default_kernel, u64 *config, u64 *slots,
		   struct pmc_err *err)
{
	/* pmc_x86_encode() reports numbers out of range. */
	if (ev->has_code && ev->code <= 0xff && ev->umask <= 0xff) {
		int ret = check_unit(ev, err);

		if (ret)
			return ret;
	}
	return pmc_x86_encode(&pmc_knc_layout, ev, default_user,
			      default_kernel, config, slots, err);
}
