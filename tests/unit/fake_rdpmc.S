/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces RDPMC in the library's reading of calipers: edx:eax becomes the return value of
 * fake_counter(ecx), and no other register changes. It is called with the stack of the start
 * of a function.
 */
#ifdef __x86_64__
	.text
	.global	fake_rdpmc
	.type	fake_rdpmc, @function
fake_rdpmc:
	push	%rdi
	push	%rsi
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	mov	%ecx, %edi
	call	fake_counter
	mov	%rax, %rdx
	shr	$32, %rdx
	mov	%eax, %eax
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rsi
	pop	%rdi
	ret
	.size	fake_rdpmc, . - fake_rdpmc
#endif

	.section .note.GNU-stack, "", %progbits
