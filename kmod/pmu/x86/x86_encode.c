// SPDX-License-Identifier: GPL-2.0
/*
 * x86: from an event asked for to the value of the event select register, and
 * the counters that can count it. Pure.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "base/err.h"
#include "base/parse_evset.h"
#include "pmu/x86/intel_extra.h"
#include "pmu/x86/x86_encode.h"

/* The events of Intel's fixed counters (SDM volume 3B, table 20-2), in order. */
const char *const pmc_x86_fixed_names[] = {
	"instr", "cycles", "ref_cycles", "slots",
};

/*
 * The architectural events (SDM volume 3B, table 20-1) in the order of the
 * bits of CPUID leaf 0xA EBX.
 */
static const struct {
	u8 code;
	u8 umask;
} architectural[] = {
	{ 0x3c, 0x00 }, { 0xc0, 0x00 }, { 0x3c, 0x01 }, { 0x2e, 0x4f },
	{ 0x2e, 0x41 }, { 0xc4, 0x00 }, { 0xc5, 0x00 }, { 0xa4, 0x01 },
	{ 0xa4, 0x02 }, { 0x73, 0x00 }, { 0x9c, 0x01 }, { 0xc2, 0x02 },
	{ 0xe4, 0x01 },
};

static bool is_missing(const struct pmc_x86_layout *layout,
		       const struct pmc_evreq *ev)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(architectural); i++)
		if (ev->code == architectural[i].code &&
		    ev->umask == architectural[i].umask)
			return layout->arch_missing & BIT(i);
	return false;
}

static int check_words(const struct pmc_x86_layout *layout,
		       const struct pmc_evreq *ev, struct pmc_err *err)
{
	if (ev->code >> layout->code_bits || ev->umask > 0xff ||
	    ev->cmask > 0xff)
		return pmc_err(err, -EINVAL,
			       "event 0x%llx, umask 0x%llx, cmask 0x%llx: here an event's number has %u bits, the masks have 8",
			       (unsigned long long)ev->code,
			       (unsigned long long)ev->umask,
			       (unsigned long long)ev->cmask,
			       layout->code_bits);
	if (ev->any && !layout->has_any)
		return pmc_err(err, -EINVAL,
			       "any: this core type can't count for all hardware threads of a core");
	return 0;
}

/*
 * The fixed counter for an event, or -1. Event 0 is that of the fixed counters
 * alone, with the number of the counter, from 1, as unit mask: Intel's own
 * event lists write it so.
 */
static int fixed_counter(const struct pmc_x86_layout *layout,
			 const struct pmc_evreq *ev)
{
	int counter = -1;

	if (!layout->intel || ev->edge || ev->inv || ev->cmask)
		return -1;
	if (!ev->code)
		counter = (int)ev->umask - 1;
	else if (ev->code == 0xc0 && !ev->umask)
		counter = 0;
	else if (ev->code == 0x3c && !ev->umask)
		counter = 1;
	return counter < (int)layout->nr_fixed ? counter : -1;
}

static u64 general_slots(const struct pmc_x86_layout *layout,
			 const struct pmc_evreq *ev)
{
	const struct pmc_x86_constraint *c = layout->constraints;
	u64 counters = GENMASK_ULL(layout->nr_general - 1, 0) & ~layout->spoiled;

	if (layout->leaks && ev->code >= 0xd0 && ev->code <= 0xd3)
		return 0;
	for (; c && (c->last || c->counters); c++) {
		if (ev->code < c->first || ev->code > c->last ||
		    (c->umask >= 0 && ev->umask != (u64)c->umask))
			continue;
		counters &= c->counters;
		break;
	}
	return counters << pmc_x86_first_general(layout);
}

/* INST_RETIRED.PREC_DIST, an event of Intel's */
#define PREC_DIST	0x1c0

/**
 * pmc_x86_limit_left() - how many events before its overflow is a counter set
 * @config: the event select register
 * @left: events that are left of a sampling period, or less than one
 * @least: the processor's minimum, from PMC_X86_LEAST_LEFT up
 * @most: its maximum, more than 128
 *
 * As perf's driver has it: Haswell's and Broadwell's counters may lose a short period of
 * PREC_DIST, or one that is no multiple of 64 (errata HSW11, BDM11, BDM55).
 *
 * Return: @left, or the nearest number that the counter can be set to.
 */
s64 pmc_x86_limit_left(u64 config, s64 left, s64 least, s64 most)
{
	left = clamp(left, least, most);
	if (unlikely((config & 0xffff) == PREC_DIST))
		left = max_t(s64, left, 128) & ~63LL;
	return left;
}

static int check_slot(const struct pmc_x86_layout *layout, unsigned int slot,
		      struct pmc_err *err)
{
	unsigned int nr = pmc_x86_nr_slots(layout);
	unsigned int first = pmc_x86_first_general(layout);

	if (slot >= nr)
		return pmc_err(err, -EINVAL,
			       "pmc%u: the counters are pmc0 to pmc%u", slot,
			       nr - 1);
	if (slot < first && slot >= layout->nr_fixed)
		return pmc_err(err, -EINVAL,
			       "pmc%u: this core type has no such counter: pmc%u is its first for any event",
			       slot, first);
	return 0;
}

/* pmcN with no event is a fixed counter's. */
static int pinned_event(const struct pmc_x86_layout *layout,
			struct pmc_evreq *ev, struct pmc_err *err)
{
	unsigned int first = pmc_x86_first_general(layout);
	int ret = check_slot(layout, ev->slot, err);

	if (ret || ev->has_code)
		return ret;
	if (ev->slot >= first && ev->slot < first + layout->nr_general)
		return pmc_err(err, -EINVAL,
			       "pmc%u needs an event code, as in pmc%u=0xc0",
			       ev->slot, ev->slot);
	ev->code = 0;
	ev->umask = ev->slot + 1;
	if (ev->slot >= first)
		ev->umask -= layout->nr_general;
	return 0;
}

static int find_slots(const struct pmc_x86_layout *layout,
		      const struct pmc_evreq *ev, u64 *slots,
		      struct pmc_err *err)
{
	bool fixed_only = layout->intel && !ev->code;
	u64 found = fixed_only ? 0 : general_slots(layout, ev);
	int fixed = fixed_counter(layout, ev);

	if (fixed >= 0)
		found |= BIT_ULL(pmc_x86_fixed_slot(layout, fixed));
	if (!found && fixed_only)
		return pmc_err(err, -EINVAL,
			       "event 0x0 is that of the fixed counters: umask 0x1 to 0x%x, without cmask, edge and inv",
			       layout->nr_fixed);
	if (!found)
		return pmc_err(err, -EINVAL,
			       "event 0x%llx, umask 0x%llx: no counter of this core type counts it rightly",
			       (unsigned long long)ev->code,
			       (unsigned long long)ev->umask);
	if (ev->kind == PMC_EVREQ_PINNED) {
		if (!(found & BIT_ULL(ev->slot)))
			return pmc_err(err, -EINVAL,
				       "pmc%u can't count event 0x%llx, umask 0x%llx: use ev=0x%llx",
				       ev->slot, (unsigned long long)ev->code,
				       (unsigned long long)ev->umask,
				       (unsigned long long)ev->code);
		found = BIT_ULL(ev->slot);
	}
	*slots = found;
	return 0;
}

/**
 * pmc_x86_counters() - the counters that can count an event
 * @layout: the core type it is to be counted on
 * @config: as pmc_x86_kernel_config() has it
 *
 * Context: any.
 * Return: mask of their slots.
 */
u64 pmc_x86_counters(const struct pmc_x86_layout *layout, u64 config)
{
	struct pmc_evreq ev = {
		.code = (config & 0xff) | (config >> 24 & 0xf00),
		.umask = config >> 8 & 0xff,
		.edge = config & PMC_X86_EDGE,
		.inv = config & PMC_X86_INV,
		.cmask = config >> PMC_X86_CMASK_SHIFT & 0xff,
	};
	bool fixed_only = layout->intel && !ev.code;
	int fixed = fixed_counter(layout, &ev);

	return (fixed_only ? 0 : general_slots(layout, &ev)) |
	       (fixed < 0 ? 0 : BIT_ULL(pmc_x86_fixed_slot(layout, fixed)));
}

/*
 * Further events that perf's driver puts on fixed counters: on Ice Lake, Golden Cove, Gracemont
 * and later cores (Linux, arch/x86/events/intel/core.c, intel_icl_event_constraints[],
 * intel_glc_event_constraints[], intel_grt_event_constraints[], intel_skt_event_constraints[])
 */
static bool is_fixed_by_perf(u64 config)
{
	switch (config & 0xffff) {
	case PREC_DIST:
	case 0x013c:	/* CPU_CLK_UNHALTED.REF_TSC_P */
	case 0x0073:	/* TOPDOWN_BAD_SPECULATION.ALL */
	case 0x019c:	/* TOPDOWN_FE_BOUND.ALL */
	case 0x02c2:	/* TOPDOWN_RETIRING.ALL */
		return true;
	default:
		return false;
	}
}

/**
 * pmc_x86_perf_may_fix() - may perf put an event on a fixed counter
 * @layout: the core type it is to be counted on
 * @config: as pmc_x86_kernel_config() has it
 *
 * The counter may be one that has no slot here. An event that some general counters only can
 * count is on no fixed one, on the models that have such a constraint.
 *
 * Context: any.
 */
bool pmc_x86_perf_may_fix(const struct pmc_x86_layout *layout, u64 config)
{
	u64 counters = pmc_x86_counters(layout, config);
	u64 general = GENMASK_ULL(layout->nr_general - 1, 0) & ~layout->spoiled;

	general <<= pmc_x86_first_general(layout);
	return counters & ~general ||
	       (layout->intel && is_fixed_by_perf(config) && !(general & ~counters));
}

/**
 * pmc_x86_encode() - encode an event
 * @layout: the core type it is to be counted on
 * @req: the event; not a software counter's
 * @default_user: whether an event that names no mode counts in user mode
 * @default_kernel: the same for the kernel
 * @config: out: the event select register, without PMC_X86_ENABLE and
 *	PMC_X86_INT; of a fixed counter its modes mean something
 * @slots: out: mask of the counters that can count it
 * @err: out: on error, what was wrong
 *
 * Context: any but NMI.
 * Return: 0 or -EINVAL.
 */
int pmc_x86_encode(const struct pmc_x86_layout *layout,
		   const struct pmc_evreq *req, bool default_user,
		   bool default_kernel, u64 *config, u64 *slots,
		   struct pmc_err *err)
{
	struct pmc_evreq ev = *req;
	bool user, kernel;
	int ret;

	if (ev.kind == PMC_EVREQ_PINNED) {
		ret = pinned_event(layout, &ev, err);
		if (ret)
			return ret;
	}
	ret = check_words(layout, &ev, err);
	if (ret)
		return ret;
	if (layout->intel && is_missing(layout, &ev))
		return pmc_err(err, -EINVAL,
			       "event 0x%llx, umask 0x%llx is not implemented by this core type: the processor says so",
			       (unsigned long long)ev.code,
			       (unsigned long long)ev.umask);
	ret = pmc_intel_extra_check(layout->extras, layout->extra_regs, &ev, err);
	if (ret)
		return ret;
	pmc_evreq_modes(&ev, default_user, default_kernel, &user, &kernel);
	if (!user && !kernel)
		return pmc_err(err, -EINVAL,
			       "the event counts neither in user mode nor in the kernel: set usr or os");
	ret = find_slots(layout, &ev, slots, err);
	if (ret)
		return ret;
	/* Numbers beyond 8 bits go on above: AMD's PERF_CTLx[35:32]. */
	*config = (ev.code & 0xff) | (ev.code >> 8) << 32 | ev.umask << 8 |
		  (user ? PMC_X86_USR : 0) | (kernel ? PMC_X86_OS : 0) |
		  (ev.edge ? PMC_X86_EDGE : 0) | (ev.any ? PMC_X86_ANY : 0) |
		  (ev.inv ? PMC_X86_INV : 0) |
		  ev.cmask << PMC_X86_CMASK_SHIFT;
	return 0;
}
