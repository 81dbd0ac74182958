/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_MATH64_H
#define PMC_SHIM_MATH64_H

#include <assert.h>
#include <linux/types.h>

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64_rem(u64 dividend, u64 divisor, u64 *remainder)
{
	*remainder = dividend % divisor;
	return dividend / divisor;
}

static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	return (unsigned __int128)a * b >> shift;
}

/* On x86-64 this is MUL and DIV, which faults where the quotient has more than 64 bits. */
static inline u64 mul_u64_u32_div(u64 a, u32 mul, u32 div)
{
	unsigned __int128 quotient = (unsigned __int128)a * mul / div;

	assert(quotient <= ~0ULL);
	return quotient;
}

#endif /* PMC_SHIM_MATH64_H */
