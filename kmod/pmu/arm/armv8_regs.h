/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PMUv3 registers by number (Arm ARM DDI 0487, D19.5 "Performance Monitors
 * registers"). The number of a counter is part of the instruction, so one that
 * is known only at run time needs a jump into a table: each entry is a landing,
 * the access and the way out.
 */
#ifndef PMC_ARMV8_REGS_H
#define PMC_ARMV8_REGS_H

#include <asm/barrier.h>
#include <asm/sysreg.h>

#define ARMV8_CYCLE_COUNTER	31

/* PMUSERENR_EL0: event counters (ER) and cycle counter (CR) readable at EL0. */
#define ARMV8_USERENR_CR	BIT(2)
#define ARMV8_USERENR_ER	BIT(3)

/* Where a computed branch may land. */
#ifdef CONFIG_ARM64_BTI_KERNEL
#define ARMV8_LANDING	"	hint	#36\n"		/* bti j */
#define ARMV8_ENTRY	12
#else
#define ARMV8_LANDING	""
#define ARMV8_ENTRY	8
#endif

#define ARMV8_JUMP							\
	"	adr	%[entry], 1f\n"					\
	"	add	%[entry], %[entry], %[offset]\n"		\
	"	br	%[entry]\n"					\
	"1:\n"
#define ARMV8_EACH_EVENT_COUNTER					\
	"	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, " \
			  "16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30\n" \
	ARMV8_LANDING
#define ARMV8_NEXT							\
	"	b	2f\n"						\
	"	.endr\n"						\
	ARMV8_LANDING

/* Read at every switch. @n: 0 to 30, or ARMV8_CYCLE_COUNTER. */
static __always_inline u64 armv8_read_counter(unsigned int n)
{
	u64 value, entry;

	asm volatile(ARMV8_JUMP ARMV8_EACH_EVENT_COUNTER
		     "	mrs	%[value], pmevcntr\\n\\()_el0\n"
		     ARMV8_NEXT
		     "	mrs	%[value], pmccntr_el0\n"
		     "2:\n"
		     : [value] "=r" (value), [entry] "=&r" (entry)
		     : [offset] "r" ((u64)n * ARMV8_ENTRY));
	return value;
}

static inline void armv8_write_counter(unsigned int n, u64 value)
{
	u64 entry;

	asm volatile(ARMV8_JUMP ARMV8_EACH_EVENT_COUNTER
		     "	msr	pmevcntr\\n\\()_el0, %[value]\n"
		     ARMV8_NEXT
		     "	msr	pmccntr_el0, %[value]\n"
		     "2:\n"
		     : [entry] "=&r" (entry)
		     : [offset] "r" ((u64)n * ARMV8_ENTRY), [value] "r" (value));
}

static inline void armv8_write_type(unsigned int n, u64 value)
{
	u64 entry;

	asm volatile(ARMV8_JUMP ARMV8_EACH_EVENT_COUNTER
		     "	msr	pmevtyper\\n\\()_el0, %[value]\n"
		     ARMV8_NEXT
		     "	msr	pmccfiltr_el0, %[value]\n"
		     "2:\n"
		     : [entry] "=&r" (entry)
		     : [offset] "r" ((u64)n * ARMV8_ENTRY), [value] "r" (value));
}

#endif /* PMC_ARMV8_REGS_H */
