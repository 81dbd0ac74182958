/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PMUv3 registers by number (Arm ARM DDI 0487, D19.5 "Performance Monitors
 * registers"). The number of an event counter is part of the instruction, so
 * a counter known only at run time needs a jump.
 */
#ifndef PMC_ARMV8_REGS_H
#define PMC_ARMV8_REGS_H

#include <asm/barrier.h>
#include <asm/sysreg.h>

#define ARMV8_CYCLE_COUNTER	31

/* Counts writes to PMSWINC_EL0: none. */
#define ARMV8_SW_INCR		0x0

#define ARMV8_FOR_EACH_COUNTER(op)					\
	op(0) op(1) op(2) op(3) op(4) op(5) op(6) op(7) op(8) op(9)	\
	op(10) op(11) op(12) op(13) op(14) op(15) op(16) op(17) op(18)	\
	op(19) op(20) op(21) op(22) op(23) op(24) op(25) op(26) op(27)	\
	op(28) op(29) op(30)

/* Where a computed branch may land. */
#ifdef CONFIG_ARM64_BTI_KERNEL
#define ARMV8_LANDING	"	hint	#36\n"		/* bti j */
#define ARMV8_ENTRY	12
#else
#define ARMV8_LANDING	""
#define ARMV8_ENTRY	8
#endif

/*
 * Read at every switch, so jumped to by hand: each entry of the table is the
 * landing, the read and the way out.
 */
static __always_inline u64 armv8_read_counter(unsigned int n)
{
	u64 value, entry;

#define PMC_READ(n)							\
	ARMV8_LANDING							\
	"	mrs	%0, pmevcntr" #n "_el0\n"			\
	"	b	2f\n"
	asm volatile(
	"	adr	%1, 1f\n"
	"	add	%1, %1, %2\n"
	"	br	%1\n"
	"1:\n"
	ARMV8_FOR_EACH_COUNTER(PMC_READ)
	ARMV8_LANDING
	"	mrs	%0, pmccntr_el0\n"
	"2:\n"
	: "=r" (value), "=&r" (entry)
	: "r" ((u64)n * ARMV8_ENTRY));
#undef PMC_READ
	return value;
}

static inline void armv8_write_counter(unsigned int n, u64 value)
{
#define PMC_WRITE(n)							\
	case n:								\
		write_sysreg(value, pmevcntr##n##_el0);			\
		break;
	switch (n) {
	ARMV8_FOR_EACH_COUNTER(PMC_WRITE)
	case ARMV8_CYCLE_COUNTER:
		write_sysreg(value, pmccntr_el0);
		break;
	}
#undef PMC_WRITE
}

static inline void armv8_write_type(unsigned int n, u64 value)
{
#define PMC_WRITE(n)							\
	case n:								\
		write_sysreg(value, pmevtyper##n##_el0);		\
		break;
	switch (n) {
	ARMV8_FOR_EACH_COUNTER(PMC_WRITE)
	case ARMV8_CYCLE_COUNTER:
		write_sysreg(value, pmccfiltr_el0);
		break;
	}
#undef PMC_WRITE
}

/* PMUSERENR_EL0: event counters (ER) and cycle counter (CR) readable at EL0. */
#define ARMV8_USERENR_CR	BIT(2)
#define ARMV8_USERENR_ER	BIT(3)

#endif /* PMC_ARMV8_REGS_H */
