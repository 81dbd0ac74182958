/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The performance counters of Infineon's TriCore TC1.6P (AURIX TC2xx) and
 * TC1.6.2P (TC3xx): their registers, events, and which events go together.
 * Pure: touches no register. No Linux runs on them: this is compiled into
 * firmware, into tests, and into the tools that read what the
 * firmware left.
 *
 * Registers: TriCore Architecture Manual V1.6, volume 1, "Core Debug
 * Controller", "Performance Counter Registers".
 */
#ifndef PMC_TRICORE_H
#define PMC_TRICORE_H

#include <linux/types.h>

/* Addresses of core special function registers, for MFCR and MTCR. */
#define PMC_TRICORE_CCTRL	0xfc00
#define PMC_TRICORE_CCNT	0xfc04
#define PMC_TRICORE_ICNT	0xfc08
#define PMC_TRICORE_M1CNT	0xfc0c
#define PMC_TRICORE_M2CNT	0xfc10
#define PMC_TRICORE_M3CNT	0xfc14
#define PMC_TRICORE_DBGSR	0xfd00
#define PMC_TRICORE_PSW		0xfe04
#define PMC_TRICORE_CPU_ID	0xfe18
#define PMC_TRICORE_CORE_ID	0xfe1c

/* CCTRL: what the counters do. */
#define PMC_TRICORE_CCTRL_TASK	0x1u	/* CM: count only while the debug unit lets */
#define PMC_TRICORE_CCTRL_RUN	0x2u	/* CE: count */
#define PMC_TRICORE_CCTRL_M1	2	/* fields of three bits */
#define PMC_TRICORE_CCTRL_M2	5
#define PMC_TRICORE_CCTRL_M3	8

/* A counter: 31 bits of value below a bit that is set when they overflow. */
#define PMC_TRICORE_STICKY	0x80000000u

/* DBGSR.DE: the debug unit, and with it the counters, is enabled. */
#define PMC_TRICORE_DBGSR_DE	0x1u

/*
 * PSW.IO (bits 10 and 11) is 2 in supervisor mode, the only one in which MTCR is
 * allowed, and 0 or 1 in the others.
 */
#define PMC_TRICORE_PSW_IO	0xc00u
#define PMC_TRICORE_PSW_IO_SV	0x800u

#define PMC_TRICORE_CORE_ID_MASK 0x7u

/* CPU_ID: the module's number. TC1.6E has another table of events: no data cache. */
#define PMC_TRICORE_CPU_ID_MOD	16
#define PMC_TRICORE_MOD_TC16E	0xb7u

/*
 * OCDS enable control register (in memory), the words that open it, and what
 * disables it again; and the register that says how it is.
 */
#define PMC_TRICORE_CBS_OEC	0xf0000478u
#define PMC_TRICORE_OEC_FIRST	0xa1u
#define PMC_TRICORE_OEC_SECOND	0x5eu
#define PMC_TRICORE_OEC_DISABLE	0x100u
#define PMC_TRICORE_CBS_OSTATE	0xf0000480u

enum pmc_tricore_counter {
	PMC_TRICORE_CYCLES,
	PMC_TRICORE_INSTRUCTIONS,
	PMC_TRICORE_M1,
	PMC_TRICORE_M2,
	PMC_TRICORE_M3,
	PMC_TRICORE_NR
};

/* The same as bits of a mask. */
#define PMC_TRICORE_BIT(counter)	(1u << (counter))
#define PMC_TRICORE_HAS_CYCLES	PMC_TRICORE_BIT(PMC_TRICORE_CYCLES)
#define PMC_TRICORE_HAS_INSTR	PMC_TRICORE_BIT(PMC_TRICORE_INSTRUCTIONS)
#define PMC_TRICORE_HAS_M1	PMC_TRICORE_BIT(PMC_TRICORE_M1)
#define PMC_TRICORE_HAS_M2	PMC_TRICORE_BIT(PMC_TRICORE_M2)
#define PMC_TRICORE_HAS_M3	PMC_TRICORE_BIT(PMC_TRICORE_M3)
#define PMC_TRICORE_MULTIPLEXED	(PMC_TRICORE_HAS_M1 | PMC_TRICORE_HAS_M2 | \
				 PMC_TRICORE_HAS_M3)

/* Event codes are PAPI's. */
#define PMC_TRICORE_PRESET	0x80000000u
#define PMC_TRICORE_NATIVE	0x40000000u

/**
 * struct pmc_tricore_event - an event and how it is counted
 * @name: its name, as PAPI writes it
 * @code: its code: PMC_TRICORE_PRESET or PMC_TRICORE_NATIVE, and a number
 * @plus: counters whose sum it is, a bit each; 0 if it takes two runs, see
 *	struct pmc_tricore_double
 * @minus: counters to subtract
 * @setting: what the multiplexed counters among them have in CCTRL; none of
 *	the events needs different settings
 */
struct pmc_tricore_event {
	const char *name;
	u32 code;
	u8 plus;
	u8 minus;
	u8 setting;
};

/**
 * struct pmc_tricore_double - an event that takes two runs
 * @code: its code
 * @runs: codes of the events whose sum it is
 */
struct pmc_tricore_double {
	u32 code;
	u32 runs[2];
};

#define PMC_TRICORE_NR_EVENTS	29
#define PMC_TRICORE_NR_DOUBLES	3

extern const struct pmc_tricore_event pmc_tricore_events[PMC_TRICORE_NR_EVENTS];
extern const struct pmc_tricore_double pmc_tricore_doubles[PMC_TRICORE_NR_DOUBLES];

/**
 * struct pmc_tricore_plan - counters that several events share
 * @counters: those in use, a bit each
 * @cctrl: settings of the multiplexed ones, as in CCTRL; CM and CE are 0
 */
struct pmc_tricore_plan {
	u8 counters;
	u16 cctrl;
};

/**
 * struct pmc_tricore_count - what was counted, in 64 bits
 * @value: by each counter
 * @wrapped: counters that had their sticky bit set, a bit each: 2^31 was added
 * @inexact: those that may have overflowed more than once: the value is the
 *	least that was counted
 */
struct pmc_tricore_count {
	u64 value[PMC_TRICORE_NR];
	u8 wrapped;
	u8 inexact;
};

static inline u8 pmc_tricore_counters(const struct pmc_tricore_event *ev)
{
	return ev->plus | ev->minus;
}

static inline bool pmc_tricore_takes_two_runs(const struct pmc_tricore_event *ev)
{
	return !ev->plus;
}

const struct pmc_tricore_event *pmc_tricore_find(u32 code);
const struct pmc_tricore_event *pmc_tricore_find_name(const char *name);
const struct pmc_tricore_double *pmc_tricore_find_double(u32 code);
bool pmc_tricore_add(struct pmc_tricore_plan *plan,
		     const struct pmc_tricore_event *ev);
void pmc_tricore_collect(struct pmc_tricore_count *count,
			 const u32 raw[PMC_TRICORE_NR], u32 cycles);
u64 pmc_tricore_value(const struct pmc_tricore_event *ev,
		      const struct pmc_tricore_count *count);

#endif /* PMC_TRICORE_H */
