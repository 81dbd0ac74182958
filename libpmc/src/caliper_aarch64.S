/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * int pmc_caliper_read(pmc_caliper_t *caliper, uint64_t *counts)
 *
 * Read the thread's counts without a system call. The number of a counter is part of the
 * instruction that reads it, so there is a code fragment for each counter. The caliper has
 * the addresses of the fragments to run, one after the other (threaded code), and what the
 * page says. They are made for one value of the page's seq, the first word of the page. If
 * the kernel has changed the page since, or changes it during the reading,
 * caliper_read_slowly() makes new ones. So it does without a page, in children, too: the seq
 * that is read at distance 0 is never the caliper's.
 *
 * Reading a counter without permission is an illegal instruction, so PMUSERENR_EL0 is
 * checked first: both ER (bit 3) and CR (bit 2) have to be set. The kernel keeps them set
 * until the thread makes a system call or leaves the CPU. So the check and the readings are a
 * restartable sequence (rseq(2)): a thread that has left the CPU in between continues at
 * `aborted`.
 *
 * Differences are computed in 32 bits. The page's mask has 32 bits on every machine of this
 * architecture; caliper_direct.c checks that.
 *
 * 48 instructions for four counters; 55 with the call of a shared library and
 * its two arguments.
 */
#include "caliper.h"

#ifdef __aarch64__

	.arch	armv8-a
	.text

	.global	pmc_caliper_read
	.type	pmc_caliper_read, %function
	.align	5
pmc_caliper_read:
	.cfi_startproc
	ldp	x2, x3, [x0, #CALIPER_PAGE]
	ldr	w5, [x0, x2]
	cmp	x5, x3
	b.ne	slowly
	ldp	x13, x14, [x0, #CALIPER_RSEQ]
	str	x14, [x13]
sequence:
	mrs	x4, pmuserenr_el0
	tbz	w4, #3, refused
	tbz	w4, #2, refused
	mov	x6, x1
	add	x8, x0, #CALIPER_COUNTS
	add	x9, x0, #CALIPER_STEPS
	ldr	x10, [x9], #8
	br	x10

	/* The fragment of a counter */
	.macro	step register
	mrs	x10, \register
	ldp	x11, x12, [x8], #16
	sub	w10, w10, w11
	add	x12, x12, x10
	ldr	x10, [x9], #8
	str	x12, [x6], #8
	br	x10
	.endm

	.global	caliper_step_code
	.hidden	caliper_step_code
	.align	5
caliper_step_code:
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, \
		16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
	step	pmevcntr\n\()_el0
	.endr
	step	pmccntr_el0

	.global	caliper_end_code
	.hidden	caliper_end_code
caliper_end_code:
	str	xzr, [x13]
	ldr	w10, [x0, x2]
	cmp	w10, w5
	b.ne	slowly
	ldr	w0, [x0, #CALIPER_NR]
	ret

	.global	caliper_spread_end_code
	.hidden	caliper_spread_end_code
caliper_spread_end_code:
	str	xzr, [x13]
	ldr	w10, [x0, x2]
	cmp	w10, w5
	b.ne	slowly
	ldr	x16, [x0, #CALIPER_SPREAD]
	mov	x2, x5
	br	x16

	.inst	CALIPER_RSEQ_SIGNATURE
aborted:
	b	slowly
refused:
	str	xzr, [x13]
slowly:
	ldr	x16, [x0, #CALIPER_SLOWLY]
	br	x16
	.cfi_endproc
	.size	pmc_caliper_read, . - pmc_caliper_read

	/* struct rseq_cs */
	.section .data.rel.ro, "aw"
	.global	caliper_sequence
	.hidden	caliper_sequence
	.balign	32
caliper_sequence:
	.word	0, 0
	.quad	sequence, caliper_end_code - sequence, aborted

#endif

	.section .note.GNU-stack, "", %progbits
