/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_OVERFLOW_H
#define PMC_SHIM_OVERFLOW_H

#define check_add_overflow(a, b, d) __builtin_add_overflow(a, b, d)
#define check_mul_overflow(a, b, d) __builtin_mul_overflow(a, b, d)
#define struct_size(p, member, count) \
	(sizeof(*(p)) + (count) * sizeof((p)->member[0]))

#endif /* PMC_SHIM_OVERFLOW_H */
