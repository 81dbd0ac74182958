/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program without library and start-up code, so the number of all its instructions is
 * known: KNOWN_LOOP in vm.h.
 */
	.text
	.global _start
_start:
#ifdef __aarch64__
	mov	x0, #0x4240
	movk	x0, #0xf, lsl #16	/* 1000000 */
1:	subs	x0, x0, #1
	b.ne	1b
	mov	x8, #93			/* exit(7) */
	mov	x0, #7
	svc	#0
#else
	mov	$1000000, %ecx
1:	sub	$1, %ecx
	jnz	1b
	mov	$60, %eax
	mov	$7, %edi
	syscall
#endif
	.section .note.GNU-stack, "", %progbits
