/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event sets as the user writes them ("pmc0,pmc1=0x8,sw=task_clock") and as
 * the backends take them.
 */
#ifndef PMC_PARSE_EVSET_H
#define PMC_PARSE_EVSET_H

#include <linux/types.h>

#include "base/err.h"

/* Software counters, in the order of their slots behind the hardware's. */
enum pmc_sw {
	PMC_SW_TASK_CLOCK,
	PMC_SW_CONTEXT_SWITCHES,
	PMC_SW_MIGRATIONS,
	PMC_SW_PAGE_FAULTS,
	PMC_SW_MINOR_FAULTS,
	PMC_SW_MAJOR_FAULTS,
	PMC_SW_NR
};

extern const char *const pmc_sw_names[PMC_SW_NR];

/* Counters that CPUs share. */
enum pmc_uncore {
	PMC_UNCORE_L3,
	PMC_UNCORE_NR
};

extern const char *const pmc_uncore_names[PMC_UNCORE_NR];

enum pmc_evreq_kind {
	PMC_EVREQ_PINNED,	/* pmcN or pmcN=CODE */
	PMC_EVREQ_ANY,		/* ev=CODE */
	PMC_EVREQ_SW,		/* sw=NAME */
	PMC_EVREQ_UNCORE,	/* l3=CODE */
};

/**
 * struct pmc_evreq - one event asked for
 * @kind: how it was asked for
 * @slot: counter it is pinned to (PMC_EVREQ_PINNED)
 * @sw: enum pmc_sw (PMC_EVREQ_SW)
 * @uncore: enum pmc_uncore (PMC_EVREQ_UNCORE)
 * @has_code: @code was given: always with PMC_EVREQ_ANY and _UNCORE, never
 *	with PMC_EVREQ_SW
 * @edge: count transitions
 * @inv: invert the comparison with @cmask
 * @any: count for all hardware threads of the core
 * @usr: count in user mode: 0, 1, or -1 when not said
 * @os: count in kernel mode: 0, 1, or -1 when not said
 * @code: raw event code
 * @umask: unit mask
 * @cmask: counter mask (threshold)
 * @ebs: sampling period in events, 0 for none
 * @extra: value of the second register that the event needs, 0 for none
 *
 * No value but @slot is checked against the hardware: that is the backend's.
 */
struct pmc_evreq {
	enum pmc_evreq_kind kind;
	u8 slot;
	u8 sw;
	u8 uncore;
	bool has_code;
	bool edge;
	bool inv;
	bool any;
	s8 usr;
	s8 os;
	u64 code;
	u64 umask;
	u64 cmask;
	u64 ebs;
	u64 extra;
};

/**
 * struct pmc_setreq - one event set asked for
 * @core_type: core type it is for, -1 for every one
 * @nr: events in it, at least 1
 * @ev: the events, in the order of the counts in a record
 *
 * More than 1.5 KiB: not for the stack.
 */
struct pmc_setreq {
	int core_type;
	unsigned int nr;
	struct pmc_evreq ev[PMC_MAX_COUNTS];
};

/**
 * pmc_evreq_modes() - modes an event is to be counted in
 * @ev: the event
 * @default_user: whether events that name no mode count in user mode
 * @default_kernel: the same for kernel mode
 * @user: out: count in user mode
 * @kernel: out: count in kernel mode
 *
 * An event that names one mode leaves the other out. Both may come out
 * false ("usr1=0"), which the backend refuses.
 */
static inline void pmc_evreq_modes(const struct pmc_evreq *ev,
				   bool default_user, bool default_kernel,
				   bool *user, bool *kernel)
{
	bool said = ev->usr >= 0 || ev->os >= 0;

	*user = said ? ev->usr > 0 : default_user;
	*kernel = said ? ev->os > 0 : default_kernel;
}

int pmc_parse_events(const char *spec, size_t len, struct pmc_setreq *req,
		     struct pmc_err *err);

#endif /* PMC_PARSE_EVSET_H */
