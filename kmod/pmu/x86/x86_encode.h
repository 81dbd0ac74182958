/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The event select registers of x86 processors: Intel's IA32_PERFEVTSELx (SDM
 * volume 3B, 20.2.1.1) and AMD's PERF_CTLx (APM volume 2, 13.2.1), which differ in
 * the width of an event's number only.
 */
#ifndef PMC_X86_ENCODE_H
#define PMC_X86_ENCODE_H

#include <linux/bits.h>
#include <linux/types.h>

#include "base/err.h"
#include "base/parse_evset.h"

struct pmc_intel_extra_event;

#define PMC_X86_USR		BIT_ULL(16)
#define PMC_X86_OS		BIT_ULL(17)
#define PMC_X86_EDGE		BIT_ULL(18)
#define PMC_X86_INT		BIT_ULL(20)
#define PMC_X86_ANY		BIT_ULL(21)
#define PMC_X86_ENABLE		BIT_ULL(22)
#define PMC_X86_INV		BIT_ULL(23)
#define PMC_X86_CMASK_SHIFT	24
/* The bits that qualify an event beyond its number, unit mask and mode. */
#define PMC_X86_QUALIFIERS	(PMC_X86_EDGE | PMC_X86_ANY | PMC_X86_INV | \
				 GENMASK_ULL(31, PMC_X86_CMASK_SHIFT))

/* The bits of an event select register that are the event and its modes. */
#define PMC_X86_EVENT_BITS	(GENMASK_ULL(15, 0) | PMC_X86_USR | PMC_X86_OS | \
				 PMC_X86_QUALIFIERS | GENMASK_ULL(35, 32))

/**
 * struct pmc_x86_constraint - events that some counters only can count
 * @first: lowest event number
 * @last: highest event number
 * @umask: unit mask, or -1 for any
 * @counters: general counters that can count them, one bit each; 0: none
 *	counts them rightly
 */
struct pmc_x86_constraint {
	u16 first;
	u16 last;
	s16 umask;
	u16 counters;
};

/**
 * struct pmc_x86_layout - the counters of a core type
 * @nr_fixed: counters of one event each; see pmc_x86_fixed_slot()
 * @nr_general: counters of any event: the slots from pmc_x86_first_general() on
 * @spoiled: those of them that something else writes, one bit each
 * @code_bits: width of an event's number: 8 on Intel, 12 on AMD
 * @has_any: PMC_X86_ANY works
 * @intel: fixed counters are those of the SDM, and so are the architectural
 *	events
 * @leaks: events 0xd0 to 0xd3 would spoil another hardware thread's counts
 * @arch_missing: architectural events that are not there: CPUID leaf 0xA EBX
 * @constraints: ends with one that is all 0; the first that matches holds
 * @extras: events that need a second register; NULL: none is known
 * @extra_regs: such registers that are there, one bit each
 */
struct pmc_x86_layout {
	unsigned int nr_fixed;
	unsigned int nr_general;
	u64 spoiled;
	unsigned int code_bits;
	bool has_any;
	bool intel;
	bool leaks;
	u32 arch_missing;
	const struct pmc_x86_constraint *constraints;
	const struct pmc_intel_extra_event *extras;
	unsigned int extra_regs;
};

/*
 * Counters are numbered as in PMCTrack. AMD: general counters from 0 on. Intel:
 *
 *	0 .. 2		fixed counters 0 to 2: instructions, core cycles, reference
 *			cycles
 *	3 .. n + 2	general counters 0 to n - 1
 *	n + 3 ..	fixed counters 3 and up
 *
 * A virtual machine may have fewer than three fixed counters. The general ones
 * keep their numbers then, and some numbers below 3 have no counter.
 */
#define PMC_INTEL_LOW_FIXED	3

static inline unsigned int
pmc_x86_first_general(const struct pmc_x86_layout *layout)
{
	return layout->intel ? PMC_INTEL_LOW_FIXED : 0;
}

static inline unsigned int
pmc_x86_fixed_slot(const struct pmc_x86_layout *layout, unsigned int counter)
{
	return counter < PMC_INTEL_LOW_FIXED ? counter :
					       layout->nr_general + counter;
}

/* The highest slot, and 1. */
static inline unsigned int
pmc_x86_nr_slots(const struct pmc_x86_layout *layout)
{
	unsigned int nr = pmc_x86_first_general(layout) + layout->nr_general;

	if (layout->nr_fixed > PMC_INTEL_LOW_FIXED)
		nr += layout->nr_fixed - PMC_INTEL_LOW_FIXED;
	return nr;
}

/* Some processors lose the overflow of a counter that is one event before it. */
#define PMC_X86_LEAST_LEFT	2

extern const char *const pmc_x86_fixed_names[];

/**
 * pmc_x86_kernel_config() - an event as the kernel's PMU driver names it
 * @layout: the core type it is to be counted on
 * @config: what pmc_x86_encode() has made of it
 *
 * Event 0 with the number of a fixed counter means something else to it for the first two.
 *
 * Context: any.
 * Return: the same, or with the event number that other counters have for it.
 */
static inline u64 pmc_x86_kernel_config(const struct pmc_x86_layout *layout, u64 config)
{
	u64 event = config & 0xffff;

	if (!layout->intel || (event != 0x100 && event != 0x200))
		return config;
	return (config & ~0xffffULL) | (event == 0x100 ? 0xc0 : 0x3c);
}

s64 pmc_x86_limit_left(u64 config, s64 left, s64 least, s64 most);
u64 pmc_x86_counters(const struct pmc_x86_layout *layout, u64 config);
bool pmc_x86_perf_may_fix(const struct pmc_x86_layout *layout, u64 config);
int pmc_x86_encode(const struct pmc_x86_layout *layout,
		   const struct pmc_evreq *ev, bool default_user,
		   bool default_kernel, u64 *config, u64 *slots,
		   struct pmc_err *err);

#endif /* PMC_X86_ENCODE_H */
