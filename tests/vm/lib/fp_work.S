/* SPDX-License-Identifier: GPL-2.0 */
/* Loops whose floating-point instructions are known; fp_work.h has their numbers. */
	.text
	.globl fp_loop
	.type fp_loop, %function
#ifdef __aarch64__
fp_loop:
	adrp x9, ones
	add x9, x9, :lo12:ones
	ldr q1, [x9]
	ldr d0, [x9]
	adrp x9, ones_single
	add x9, x9, :lo12:ones_single
	ldr q2, [x9]
	mov x9, sp
1:	fadd d3, d0, d0
	fadd d3, d3, d0
	fadd s4, s0, s0
	fmul s4, s4, s0
	fmul d3, d3, d0
	fdiv d3, d3, d0
	fmadd d3, d3, d0, d0
	fcmp d3, d0
	fadd v3.2d, v1.2d, v1.2d
	fadd v3.2d, v3.2d, v1.2d
	fmul v4.4s, v2.4s, v2.4s
	add v4.4s, v4.4s, v4.4s
	eor v5.16b, v4.16b, v4.16b
	/* These count as other things: AESE V5.16B, V5.16B; a store; a load */
	.inst 0x4e2848a5
	str d3, [x9, #-16]
	ldr d3, [x9, #-16]
	subs x0, x0, #1
	b.ne 1b
	ret
	.size fp_loop, . - fp_loop
#else
fp_loop:
	movsd one(%rip), %xmm0
	movss one_single(%rip), %xmm1
	movapd ones(%rip), %xmm2
	movaps ones_single(%rip), %xmm3
1:	addsd %xmm0, %xmm0
	addsd %xmm0, %xmm0
	addsd one(%rip), %xmm0
	subss %xmm1, %xmm1
	subss %xmm1, %xmm1
	mulsd %xmm0, %xmm0
	divss one_single(%rip), %xmm1
	sqrtsd one(%rip), %xmm0
	minsd %xmm0, %xmm0
	comisd %xmm0, %xmm0
	cvtsi2sd %edi, %xmm0
	addpd %xmm2, %xmm2
	addpd ones(%rip), %xmm2
	haddps %xmm3, %xmm3
	mulps %xmm3, %xmm3
	mulps %xmm3, %xmm3
	divps %xmm3, %xmm3
	shufps $0, %xmm3, %xmm3
	xorps %xmm4, %xmm4
	/* Integers, and moves */
	paddd %xmm5, %xmm5
	pxor %xmm5, %xmm5
	movapd %xmm2, %xmm5
	movsd %xmm0, -8(%rsp)
	movsd one(%rip), %xmm0
	fld1
	fadd %st, %st
	fadds one_single(%rip)
	fmul %st, %st
	fsqrt
	fld1
	fdivrp %st, %st(1)
	fstp %st(0)
	sub $1, %rdi
	jnz 1b
	ret
	.size fp_loop, . - fp_loop

	.globl fp_avx_loop
	.type fp_avx_loop, %function
fp_avx_loop:
	vmovapd ones(%rip), %ymm0
	vmovaps ones_single(%rip), %ymm1
1:	vaddpd %ymm0, %ymm0, %ymm2
	vmulps %ymm1, %ymm1, %ymm2
	vaddsd %xmm0, %xmm0, %xmm2
	vfmadd231pd %ymm0, %ymm0, %ymm2
	vfmadd231ss %xmm1, %xmm1, %xmm2
	sub $1, %rdi
	jnz 1b
	vzeroupper
	ret
	.size fp_avx_loop, . - fp_avx_loop
#endif

	.section .rodata
	.balign 32
ones:	.double 1, 1, 1, 1
ones_single: .single 1, 1, 1, 1, 1, 1, 1, 1
one:	.double 1
one_single: .single 1
	.section .note.GNU-stack, "", %progbits
