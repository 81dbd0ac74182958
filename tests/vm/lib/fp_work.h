/* SPDX-License-Identifier: GPL-2.0 */
/* Loops whose floating-point instructions are known: fp_work.S. */
#ifndef VM_FP_WORK_H
#define VM_FP_WORK_H

void fp_loop(long rounds);

/* Numbers of floating-point instructions in a round of fp_loop(), without moves and loads */
#ifdef __aarch64__
enum {
	FP_SCALAR = 8,
	FP_VECTOR = 5,
};
#else
/* The same with 256 bits, and fused; it needs a CPU with AVX and FMA. */
void fp_avx_loop(long rounds);

enum {
	/* Arithmetic by operands, comparisons and conversions left out */
	FP_SCALAR_DOUBLE = 6,
	FP_SCALAR_SINGLE = 3,
	FP_128_DOUBLE = 2,
	FP_128_SINGLE = 4,
	/* Operations: each element of a vector, square roots with divisions */
	FP_ADD_OPS = 13,
	FP_MUL_OPS = 9,
	FP_DIV_OPS = 6,
	/* Instructions by type */
	FP_SCALAR_ADD = 3,
	FP_SCALAR_SUB = 2,
	FP_SCALAR_MUL = 1,
	FP_SCALAR_DIV = 1,
	FP_SCALAR_SQRT = 1,
	FP_SCALAR_CMP = 2,
	FP_SCALAR_CVT = 1,
	FP_VECTOR_ADD = 3,
	FP_VECTOR_MUL = 2,
	FP_VECTOR_DIV = 1,
	FP_VECTOR_SHUFFLE = 1,
	FP_VECTOR_LOGICAL = 1,
	FP_SCALAR = 11,
	FP_VECTOR = 8,
	/* x87 */
	FP_X87_ADD = 2,
	FP_X87_MUL = 1,
	FP_X87_DIV = 2,
	FP_X87 = 8,
	/* A round of fp_avx_loop(); a fused instruction counts twice, and has two operations. */
	FP_AVX_SCALAR_DOUBLE = 1,
	FP_AVX_SCALAR_SINGLE = 2,
	FP_AVX_256_DOUBLE = 3,
	FP_AVX_256_SINGLE = 1,
	FP_AVX_MAC_OPS = 10,
	FP_AVX_SCALAR_MAC = 1,
	FP_AVX_VECTOR_MAC = 1,
};
#endif

#endif
