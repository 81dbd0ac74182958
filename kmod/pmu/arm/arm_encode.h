/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of an event's encoding that ARMv7 and ARMv8 share. Pure: touches no
 * register.
 *
 * Counters of a core type are numbered
 *	0			cycle counter
 *	1 .. n			event counters 0 .. n - 1
 *
 * An event counter that is to count cycles is a second name of the cycle
 * counter: see pmc_arm_serving_slot().
 */
#ifndef PMC_PMU_ARM_ENCODE_H
#define PMC_PMU_ARM_ENCODE_H

#include <linux/types.h>

#include "base/parse_evset.h"

#define PMC_ARM_CPU_CYCLES	0x11

/* An event's number in what is encoded; ARMv7 has 8 bits of it. */
#define PMC_ARM_EVENT		0xffff

/* Slot of the cycle counter. */
#define PMC_ARM_SLOT_CYCLES	0

/**
 * struct pmc_arm_event - an event as it is to be counted
 * @code: its number, not checked yet
 * @candidates: mask of the counters that can count it
 * @user: count in user mode
 * @kernel: count in kernel mode; one of the two is set
 */
struct pmc_arm_event {
	u64 code;
	u64 candidates;
	bool user;
	bool kernel;
};

unsigned int pmc_arm_serving_slot(unsigned int slot, u64 config);
int pmc_arm_resolve(const char *arch, unsigned int nr_events,
		    const struct pmc_evreq *req, bool default_user,
		    bool default_kernel, struct pmc_arm_event *ev,
		    struct pmc_err *err);

#endif /* PMC_PMU_ARM_ENCODE_H */
