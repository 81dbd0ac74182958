/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program without library and start-up code, which moves between CPUs 0 and 3 by itself:
 * 8 times a loop of 1000000 instructions, on each CPU in turn. The number of all its
 * instructions in user mode is known: 8000109 on arm64, 8000076 on x86.
 */
	.data
	.balign	8
cpus:
	.quad	1
	.text
	.global _start
_start:
#ifdef __aarch64__
	mov	x19, #8
	adr	x20, cpus
1:	mov	x8, #122		/* sched_setaffinity(0, 8, &cpus) */
	mov	x0, #0
	mov	x1, #8
	mov	x2, x20
	svc	#0
	mov	x0, #0xa120
	movk	x0, #0x7, lsl #16	/* 500000 */
2:	subs	x0, x0, #1
	b.ne	2b
	ldr	x1, [x20]
	mov	x2, #9
	eor	x1, x1, x2
	str	x1, [x20]
	subs	x19, x19, #1
	b.ne	1b
	mov	x8, #93			/* exit(7) */
	mov	x0, #7
	svc	#0
#else
	mov	$8, %ebx
1:	mov	$203, %eax		/* sched_setaffinity(0, 8, &cpus) */
	xor	%edi, %edi
	mov	$8, %esi
	lea	cpus(%rip), %rdx
	syscall
	mov	$500000, %ecx
2:	dec	%ecx
	jnz	2b
	xorq	$9, cpus(%rip)
	dec	%ebx
	jnz	1b
	mov	$60, %eax
	mov	$7, %edi
	syscall
#endif
	.section .note.GNU-stack, "", %progbits
