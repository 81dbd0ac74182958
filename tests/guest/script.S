/* SPDX-License-Identifier: GPL-2.0 */
/* Code whose every instruction is accounted for; see guest.h. */

#ifdef __aarch64__
	.text

/* void script(struct step *steps, long nr) */
	.global script
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

/*
 * void known_handler(int signal, siginfo_t *info, void *context)
 * 6 instructions and the loop; 2 more in the trampoline. si_value is at 24.
 */
	.global known_handler
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

	.global known_return
	.type known_return, %function
known_return:
	mov	x8, #139
	svc	#0
	.size known_return, . - known_return
#endif

	.section .note.GNU-stack, "", %progbits
