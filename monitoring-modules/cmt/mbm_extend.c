// SPDX-License-Identifier: GPL-2.0
/* Counters of memory traffic, as numbers of 64 bits. Tested on the host. */
#include <linux/atomic.h>
#include <linux/compiler.h>

#include "mbm_extend.h"

/**
 * cmt_counter_begin - count from now on
 * @c: the counter, which is not read yet
 * @raw: what the register is, or CMT_UNAVAILABLE: it will begin with 0
 */
void cmt_counter_begin(struct cmt_counter *c, u64 raw)
{
	c->seq = 0;
	c->interrupted = false;
	atomic64_set(&c->reported, 0);
	c->state[0].before = 0;
	c->state[0].last = raw == CMT_UNAVAILABLE ? 0 : raw;
	c->state[0].seq = 0;
}

/* Readers of the old state are left alone. */
static void set_state(struct cmt_counter *c, struct cmt_count state)
{
	state.seq = c->seq + 1;
	c->state[state.seq & 1] = state;
	/* Pairs with cmt_counter_state(). */
	smp_store_release(&c->seq, state.seq);
}

/**
 * cmt_counter_follow - update the state by the register
 * @c: the counter; one writer at a time
 * @raw: what the register is, or CMT_UNAVAILABLE
 * @mask: the register's bits
 *
 * Traffic between the last call and an interruption is lost.
 */
void cmt_counter_follow(struct cmt_counter *c, u64 raw, u64 mask)
{
	struct cmt_count state = c->state[c->seq & 1];

	if (raw == CMT_UNAVAILABLE || READ_ONCE(c->interrupted)) {
		WRITE_ONCE(c->interrupted, false);
		state.last = 0;
	}
	if (raw != CMT_UNAVAILABLE) {
		state.before += (raw - state.last) & mask;
		state.last = raw;
	}
	set_state(c, state);
}

/**
 * cmt_counter_resume - go on with a register that may have been reset
 * @c: the counter, as of cmt_counter_follow() before; as its writer
 * @raw: what the register is now, or CMT_UNAVAILABLE: it will begin with 0
 *
 * The register's counts since then are left out.
 */
void cmt_counter_resume(struct cmt_counter *c, u64 raw)
{
	struct cmt_count state = c->state[c->seq & 1];

	state.last = raw == CMT_UNAVAILABLE ? 0 : raw;
	WRITE_ONCE(c->interrupted, false);
	set_state(c, state);
}

/**
 * cmt_counter_state - the counter's state, to be asked for before the register
 * @c: the counter
 */
struct cmt_count cmt_counter_state(const struct cmt_counter *c)
{
	struct cmt_count state;
	u32 seq;

	do {
		/* Pairs with set_state(). */
		seq = smp_load_acquire(&c->seq);
		state = c->state[seq & 1];
		/* The number changes when the state is overwritten. */
		smp_rmb();
	} while (seq != READ_ONCE(c->seq));
	return state;
}

/**
 * cmt_counter_is_state - is this the counter's state, after the register was read?
 * @c: the counter
 * @state: its state before the register was read
 */
bool cmt_counter_is_state(const struct cmt_counter *c, const struct cmt_count *state)
{
	return READ_ONCE(c->seq) == state->seq;
}

/**
 * cmt_counter_report - a value that does not fall
 * @c: the counter
 * @value: what it has counted, as far as that is known here
 *
 * From afar the register's state is known, which is older than a value read on its own CPUs;
 * and an interruption takes back what was counted since the last look.
 *
 * Context: Any.
 * Return: @value, or what was reported before if that is more.
 */
u64 cmt_counter_report(struct cmt_counter *c, u64 value)
{
	s64 reported = atomic64_read(&c->reported);

	do {
		if ((u64)reported >= value)
			return reported;
	} while (!atomic64_try_cmpxchg_relaxed(&c->reported, &reported, value));
	return value;
}

/**
 * cmt_counter_value - what was counted since cmt_counter_begin()
 * @c: the counter
 * @state: its state before the register was read
 * @raw: what the register is, CMT_UNAVAILABLE or CMT_BUSY
 * @mask: the register's bits
 * @value: out: what was counted; untouched when that is not known
 *
 * A register that is unavailable since it began is one that has not begun: of an
 * RMID that nothing runs for.
 *
 * Return: is it known?
 */
bool cmt_counter_value(struct cmt_counter *c, const struct cmt_count *state,
		       u64 raw, u64 mask, u64 *value)
{
	if (raw == CMT_BUSY)
		return false;
	if (raw == CMT_UNAVAILABLE && state->last) {
		/* It will begin again, and may say so only once. */
		WRITE_ONCE(c->interrupted, true);
		return false;
	}
	if (READ_ONCE(c->interrupted))
		return false;
	*value = cmt_counter_report(c, state->before + (raw == CMT_UNAVAILABLE ? 0 :
							(raw - state->last) & mask));
	return true;
}

/**
 * cmt_counter_so_far - the same; while that is not known, what it was at the last look
 * @c: the counter
 * @state: its state before the register was read
 * @raw: what the register is, CMT_UNAVAILABLE or CMT_BUSY
 * @mask: the register's bits
 */
u64 cmt_counter_so_far(struct cmt_counter *c, const struct cmt_count *state,
		       u64 raw, u64 mask)
{
	u64 value;

	return cmt_counter_value(c, state, raw, mask, &value) ? value :
	       cmt_counter_report(c, state->before);
}
