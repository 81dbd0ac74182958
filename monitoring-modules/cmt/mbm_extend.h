/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A counter of memory traffic as one of 64 bits. The register has fewer, and
 * does not always count: AMD's processors follow as many RMIDs as they can, and
 * say "unavailable" once when one begins from 0 again (AMD64 Technology Platform
 * Quality of Service Extensions, 56375, "Bandwidth monitoring"). One writer
 * follows it, more often than it goes round; meanwhile any reader gets its
 * value, also in an NMI that interrupts the writer.
 */
#ifndef PMC_CMT_MBM_EXTEND_H
#define PMC_CMT_MBM_EXTEND_H

#include <linux/types.h>

/* The register does not count. */
#define CMT_UNAVAILABLE	(~0ULL)
/* It could not be read now. Only readers in an NMI get this. */
#define CMT_BUSY	(~0ULL - 1)

/**
 * struct cmt_count - state of a counter
 * @before: counted before the register was @last
 * @last: what the register was
 * @seq: number of this state
 */
struct cmt_count {
	u64 before;
	u64 last;
	u32 seq;
};

/**
 * struct cmt_counter - a counter
 * @seq: number of its state, whose lowest bit says where that is
 * @state: the state, and the one before or the one to come
 * @interrupted: a reader has seen it unavailable; the writer has not yet
 * @reported: the largest value that was reported
 */
struct cmt_counter {
	u32 seq;
	bool interrupted;
	atomic64_t reported;
	struct cmt_count state[2];
};

void cmt_counter_begin(struct cmt_counter *c, u64 raw);
void cmt_counter_follow(struct cmt_counter *c, u64 raw, u64 mask);
void cmt_counter_resume(struct cmt_counter *c, u64 raw);
struct cmt_count cmt_counter_state(const struct cmt_counter *c);
bool cmt_counter_is_state(const struct cmt_counter *c, const struct cmt_count *state);
u64 cmt_counter_report(struct cmt_counter *c, u64 value);
bool cmt_counter_value(struct cmt_counter *c, const struct cmt_count *state,
		       u64 raw, u64 mask, u64 *value);
u64 cmt_counter_so_far(struct cmt_counter *c, const struct cmt_count *state,
		       u64 raw, u64 mask);

#endif /* PMC_CMT_MBM_EXTEND_H */
