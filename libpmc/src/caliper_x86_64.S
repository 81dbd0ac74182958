/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * int pmc_caliper_read(pmc_caliper_t *caliper, uint64_t *counts)
 *
 * Read the thread's counts without a system call. RDPMC takes the number of the counter in a
 * register, so there is a code fragment for each count, that of the last count first. The
 * caliper has the address of the first fragment that its set needs, the counters' numbers,
 * and what the page says. They are made for one value of the page's seq, the first word of
 * the page. If the kernel has changed the page since, or changes it during the reading,
 * caliper_read_slowly() makes new ones. So it does without a page, in children, too: the seq
 * that is read at distance 0 is never the caliper's.
 *
 * RDPMC without permission is a general protection fault. The kernel permits it as long as
 * the page is mapped, so only the page's "direct" has to be checked; there are no numbers
 * unless it is set.
 *
 * 42 instructions for four counters; 46 with the call of a shared library and
 * its two arguments.
 */
#include "caliper.h"

#ifdef __x86_64__

/* Index in ecx; edx:eax is the counter. The unit test replaces the instruction by a call. */
#ifndef RDPMC
#define RDPMC rdpmc
#endif

	.text

	.global	pmc_caliper_read
	.type	pmc_caliper_read, @function
	.p2align 5
pmc_caliper_read:
	.cfi_startproc
	mov	CALIPER_PAGE(%rdi), %r8
	mov	(%rdi, %r8), %r10d
	cmp	CALIPER_SEQ(%rdi), %r10
	jne	slowly
	mov	CALIPER_MASK(%rdi), %r9
	jmp	*CALIPER_ENTRY(%rdi)

	/* The encodings are forced to the same length, whatever the offsets are. */
	.macro	step n
	{disp32} mov	CALIPER_INDEX + 4 * (\n)(%rdi), %ecx
	RDPMC
	shl	$32, %rdx
	or	%rdx, %rax
	{disp32} sub	CALIPER_COUNTS + 16 * (\n)(%rdi), %rax
	and	%r9, %rax
	{disp32} add	CALIPER_COUNTS + 16 * (\n) + 8(%rdi), %rax
	{disp32} mov	%rax, 8 * (\n)(%rsi)
	.endm

	.macro	steps
	.set	n, CALIPER_MAX_COUNTS
	.rept	CALIPER_MAX_COUNTS
	.set	n, n - 1
	step	n
	.endr
	.endm

	.global	caliper_step_code
	.hidden	caliper_step_code
	.p2align 5
caliper_step_code:
	steps

	.global	caliper_end_code
	.hidden	caliper_end_code
caliper_end_code:
	cmp	(%rdi, %r8), %r10d
	jne	slowly
	mov	CALIPER_NR(%rdi), %eax
	ret

	/* The same steps, if some values have no count on this core type. */
	.p2align 5
	steps

	.global	caliper_spread_end_code
	.hidden	caliper_spread_end_code
caliper_spread_end_code:
	cmp	(%rdi, %r8), %r10d
	jne	slowly
	mov	%r10, %rdx
	jmp	*CALIPER_SPREAD(%rdi)

slowly:
	jmp	*CALIPER_SLOWLY(%rdi)
	.cfi_endproc
	.size	pmc_caliper_read, . - pmc_caliper_read

#endif

	.section .note.GNU-stack, "", %progbits
