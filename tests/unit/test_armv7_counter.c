// SPDX-License-Identifier: GPL-2.0
/*
 * ARMv7's counters: the register sequences of armv7_counter.h on a simulated register file
 * that counts. The simulation is as strict as the architecture allows: a write takes effect
 * only after an ISB, and every access takes kernel-mode instructions and cycles, which are
 * counted.
 */
#include "unit.h"

/* Replaces the header with the real registers. */
#define PMC_ARMV7_REGS_H

#define NR_EVENTS	6
#define CYCLES		31
#define ALL		((1U << CYCLES) | ((1U << NR_EVENTS) - 1))

struct regs {
	u32 enabled;
	u32 selected;
	u32 type[32];
};

static struct {
	struct regs now;	/* what counts */
	struct regs next;	/* from the next ISB on */
	u32 counter[32];
	u32 overflowed;
	u32 pmcr;
} pmu;

static u64 others;		/* kernel-mode instructions of the accesses */

static bool counts(unsigned int n, u32 event, bool user)
{
	u32 type = pmu.now.type[n];

	if (!(pmu.now.enabled & 1U << n) || !(pmu.pmcr & 1))
		return false;
	if (type & (user ? 1U << 30 : 1U << 31))
		return false;
	return n == CYCLES ? event == 0x11 : event == (type & 0xff);
}

static void happen(u32 event, bool user, u64 times)
{
	unsigned int n;

	for (n = 0; n < 32; n++) {
		if (!(ALL & 1U << n) || !counts(n, event, user))
			continue;
		if (pmu.counter[n] + times > 0xffffffffULL)
			pmu.overflowed |= 1U << n;
		pmu.counter[n] += times;
	}
}

/* A program: two cycles an instruction. */
static void run(bool user, u64 instructions)
{
	happen(0x08, user, instructions);
	happen(0x11, user, 2 * instructions);
}

static void touch(void)
{
	others++;
	run(false, 1);
}

#define STATE(name, read, write)			\
static inline u32 armv7_read_##name(void)		\
{							\
	touch();					\
	return read;					\
}							\
static inline void armv7_write_##name(u32 value)	\
{							\
	touch();					\
	write;						\
}

STATE(pmcr, pmu.pmcr | NR_EVENTS << 11, pmu.pmcr = value & 1)
STATE(pmcntenset, pmu.next.enabled, pmu.next.enabled |= value & ALL)
STATE(pmcntenclr, pmu.next.enabled, pmu.next.enabled &= ~value)
STATE(pmovsr, pmu.overflowed, pmu.overflowed &= ~value)
STATE(pmselr, pmu.next.selected, pmu.next.selected = value & 31)
STATE(pmccntr, pmu.counter[CYCLES], pmu.counter[CYCLES] = value)
STATE(pmxevcntr, pmu.counter[pmu.now.selected],
      pmu.counter[pmu.now.selected] = value)
STATE(pmxevtyper, pmu.next.type[pmu.now.selected],
      pmu.next.type[pmu.now.selected] = value & 0xc80000ff)

static void armv7_isb(void)
{
	pmu.now = pmu.next;
}

#include "pmu/arm/armv7_counter.h"

#define USER_ONLY	PMC_ARMV7_EXCLUDE_PL1
#define KERNEL_ONLY	PMC_ARMV7_EXCLUDE_USER

static int reset(void **state)
{
	unsigned int n;

	memset(&pmu, 0, sizeof(pmu));
	/* Other code has selected it last, and it counts everything. */
	pmu.next.selected = 3;
	for (n = 0; n < NR_EVENTS; n++)
		pmu.next.type[n] = 0x08;
	pmu.next.enabled = ALL;
	pmu.pmcr = 1;
	armv7_isb();
	return 0;
}

static void user_events_only(void **state)
{
	unsigned int n;

	for (n = 0; n < NR_EVENTS; n++)
		armv7_program(n, USER_ONLY | 0x08);
	armv7_program(ARMV7_CYCLE_COUNTER, USER_ONLY | 0x11);
	for (n = 0; n < NR_EVENTS; n++)
		armv7_write_counter(n, 1000 * n);
	armv7_write_counter(ARMV7_CYCLE_COUNTER, 5);
	run(true, 12345);
	run(false, 777);
	for (n = 0; n < NR_EVENTS; n++)
		assert_int_equal(armv7_read_counter(n), 1000 * n + 12345);
	assert_int_equal(armv7_read_counter(ARMV7_CYCLE_COUNTER), 5 + 24690);
}

/* The kernel's own work in between is counted; its amount is known. */
static void kernel_events_only(void **state)
{
	u64 before;

	armv7_program(0, KERNEL_ONLY | 0x08);
	armv7_write_counter(0, 0);
	before = others;
	run(true, 12345);
	run(false, 777);
	/* Selecting and reading are two accesses, counted before the value. */
	assert_int_equal(armv7_read_counter(0), 777 + 2);
	assert_int_equal(others - before, 2);
}

/*
 * The old event is counted up to some point, and the new event from a later point. Neither
 * is counted as the other, however many events the change itself causes.
 */
static void nothing_counted_as_another(void **state)
{
	u32 at_stop;

	/* From instructions to an event that never happens: its count stays 0. */
	armv7_program(1, KERNEL_ONLY | 0x08);
	armv7_write_counter(1, 0);
	armv7_program(1, KERNEL_ONLY | 0x01);
	at_stop = pmu.counter[1];
	run(false, 1000);
	assert_int_equal(armv7_read_counter(1), at_stop);
	/* One access: the write that stops it. */
	assert_int_equal(at_stop, 1);

	/* And back: accesses while the counter is stopped are not counted. */
	armv7_write_counter(1, 0);
	armv7_program(1, KERNEL_ONLY | 0x08);
	assert_int_equal(pmu.counter[1], 0);
}

static void others_go_on(void **state)
{
	armv7_program(0, USER_ONLY | 0x08);
	armv7_program(1, USER_ONLY | 0x08);
	armv7_write_counter(0, 0);
	armv7_write_counter(1, 0);
	run(true, 100);
	armv7_program(1, USER_ONLY | 0x11);
	run(true, 100);
	assert_int_equal(armv7_read_counter(0), 200);
	assert_int_equal(armv7_read_counter(1), 100 + 200);
}

/* The filter of the cycle counter is written without an event number. */
static void cycle_counter(void **state)
{
	armv7_program(ARMV7_CYCLE_COUNTER, USER_ONLY | 0x11);
	assert_int_equal(pmu.now.type[CYCLES], 0x80000000);
	assert_int_equal(pmu.now.type[3], 0x08);
}

static void wrap(void **state)
{
	u32 before, total = 0;

	armv7_program(2, USER_ONLY | 0x08);
	armv7_write_counter(2, 0xfffffff0);
	before = armv7_read_counter(2);
	run(true, 0x20);
	assert_int_equal(armv7_since(armv7_read_counter(2), before), 0x20);
	assert_int_equal(pmu.overflowed & 1U << 2, 1U << 2);
	/* The greatest difference of two readings. */
	before = armv7_read_counter(2);
	run(true, 0xffffffff);
	total = armv7_since(armv7_read_counter(2), before);
	assert_int_equal(total, 0xffffffff);
}

/* A sampling period ends exactly where it should. */
static void overflow(void **state)
{
	static const u32 periods[] = { 1, 2, 1000, 0x7ffffffe, 0x7fffffff };
	unsigned int i;

	armv7_program(4, USER_ONLY | 0x08);
	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		armv7_write_counter(4, armv7_start_value(periods[i]));
		armv7_clear_overflow(4);
		run(true, periods[i] - 1);
		assert_int_equal(pmu.overflowed & 1U << 4, 0);
		run(true, 1);
		assert_int_equal(pmu.overflowed & 1U << 4, 1U << 4);
		assert_int_equal(armv7_read_counter(4), 0);
		armv7_clear_overflow(4);
		assert_int_equal(pmu.overflowed & 1U << 4, 0);
	}
}

static void silent(void **state)
{
	static const s64 lefts[] = {
		0, -1, -1000000, 0x80000000LL, 1LL << 62,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lefts); i++)
		assert_int_equal(armv7_start_value(lefts[i]), 0x80000000);
}

/* Clearing one counter's flag leaves those of the others. */
static void flags_are_apart(void **state)
{
	armv7_program(0, USER_ONLY | 0x08);
	armv7_program(1, USER_ONLY | 0x08);
	armv7_write_counter(0, 0xffffffff);
	armv7_write_counter(1, 0xffffffff);
	run(true, 1);
	assert_int_equal(pmu.overflowed, 0x3);
	armv7_clear_overflow(0);
	assert_int_equal(pmu.overflowed, 0x2);
}

/* The number of counters is that of PMCR. */
static void number_of_counters(void **state)
{
	assert_int_equal(ARMV7_PMCR_N(armv7_read_pmcr()), NR_EVENTS);
	assert_int_equal(ARMV7_PMCR_N(0x41072000), 4);
	assert_int_equal(ARMV7_PMCR_N(0x410f3000), 6);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(user_events_only, reset),
		cmocka_unit_test_setup(kernel_events_only, reset),
		cmocka_unit_test_setup(nothing_counted_as_another, reset),
		cmocka_unit_test_setup(others_go_on, reset),
		cmocka_unit_test_setup(cycle_counter, reset),
		cmocka_unit_test_setup(wrap, reset),
		cmocka_unit_test_setup(overflow, reset),
		cmocka_unit_test_setup(silent, reset),
		cmocka_unit_test_setup(flags_are_apart, reset),
		cmocka_unit_test_setup(number_of_counters, reset),
	};

	return cmocka_run_group_tests_name("armv7_counter", tests, NULL, NULL);
}
