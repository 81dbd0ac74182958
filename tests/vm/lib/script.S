/* SPDX-License-Identifier: GPL-2.0 */
/* Code with a known number of instructions; see vm.h. */

	.text

/*
 * void script(struct step *steps, long nr)
 *
 * The first of the two parts between labels is BEFORE_CALL, the second
 * AFTER_CALL.
 */
	.global script

#if defined(__aarch64__)

	.type script, %function
script:
	mov	x9, x0
	mov	x10, x1
1:	ldr	x8, [x9]
	ldp	x0, x1, [x9, #8]
	ldp	x2, x3, [x9, #24]
	ldp	x4, x5, [x9, #40]
	ldp	x11, x12, [x9, #64]
	svc	#0
	str	x0, [x9, #56]
	cmp	x0, x12
	b.eq	3f
2:	subs	x11, x11, #1
	b.ne	2b
	add	x9, x9, #80
	subs	x10, x10, #1
	b.ne	1b
	ret
3:	mov	x8, #94			/* exit_group(0) */
	mov	x0, #0
	svc	#0
	.size script, . - script

#elif defined(__x86_64__)

/*
 * A system call changes rax, rcx and r11, and counts as an instruction of user mode. The
 * stack is not used between the first and the last step.
 */
	.type script, @function
script:
	push	%rbx
	push	%rbp
	mov	%rdi, %rbx
	mov	%rsi, %rbp
1:	mov	(%rbx), %rax
	mov	8(%rbx), %rdi
	mov	16(%rbx), %rsi
	mov	24(%rbx), %rdx
	mov	32(%rbx), %r10
	mov	40(%rbx), %r8
	mov	48(%rbx), %r9
	syscall
	mov	%rax, 56(%rbx)
	mov	64(%rbx), %rcx
	cmp	72(%rbx), %rax
	je	3f
2:	dec	%rcx
	jnz	2b
	add	$80, %rbx
	dec	%rbp
	jnz	1b
	pop	%rbp
	pop	%rbx
	ret
3:	mov	$231, %eax		/* exit_group(0) */
	xor	%edi, %edi
	syscall
	.size script, . - script

#endif

/*
 * void known_handler(int signal, siginfo_t *info, void *context)
 *
 * HANDLER_LENGTH includes this function with its loop, and the trampoline. si_value is at
 * offset 24.
 */
	.global known_handler
	.global known_return

#if defined(__aarch64__)

	.type known_handler, %function
known_handler:
	mov	x9, #100
1:	subs	x9, x9, #1
	b.ne	1b
	ldr	x9, [x1, #24]
	ldr	x10, [x9]
	add	x10, x10, #1
	str	x10, [x9]
	ret
	.size known_handler, . - known_handler

	.type known_return, %function
known_return:
	mov	x8, #139
	svc	#0
	.size known_return, . - known_return

#elif defined(__x86_64__)

	.type known_handler, @function
known_handler:
	mov	$100, %ecx
1:	dec	%ecx
	jnz	1b
	mov	24(%rsi), %rax
	incq	(%rax)
	ret
	.size known_handler, . - known_handler

	.type known_return, @function
known_return:
	mov	$15, %eax
	syscall
	.size known_return, . - known_return

#endif

	.section .note.GNU-stack, "", %progbits
