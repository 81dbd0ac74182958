/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Top-down analysis, level 1 (Yasin 2014; Intel Optimization Reference Manual,
 * appendix B): a core can begin a number of micro-operations in each cycle, its
 * slots. Each slot retires one that was of use, is lost to wrong speculation, or
 * is empty because of the frontend or of the backend.
 */
#ifndef PMC_TOPDOWN_H
#define PMC_TOPDOWN_H

#include <linux/types.h>

/* Where slots go. The order is that of the virtual counters. */
enum topdown_part {
	TOPDOWN_RETIRING,
	TOPDOWN_BAD_SPECULATION,
	TOPDOWN_FRONTEND_BOUND,
	TOPDOWN_BACKEND_BOUND,
	TOPDOWN_PARTS
};

/* A part that is not counted: the rest of the slots. */
#define TOPDOWN_REST	(-1)
/* Slots that are not counted: the parts are all there are. */
#define TOPDOWN_SUM	(-1)

/**
 * struct topdown_model - how a kind of core counts them
 * @events: the events to count, as in a session's events
 * @slots: the one of these that counts slots, or TOPDOWN_SUM
 * @part: the event of each part, or TOPDOWN_REST for one of them
 */
struct topdown_model {
	const char *events;
	int slots;
	int part[TOPDOWN_PARTS];
};

/* Thousandths. */
#define TOPDOWN_SCALE	1000

const struct topdown_model *topdown_model(u32 family, u32 model, u32 kind);
bool topdown_ratios(const struct topdown_model *m, const u64 *counts,
		    u64 ratios[TOPDOWN_PARTS]);

#endif /* PMC_TOPDOWN_H */
