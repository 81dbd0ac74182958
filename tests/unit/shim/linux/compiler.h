/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_COMPILER_H
#define PMC_SHIM_COMPILER_H

#define __user
#undef noinline
#define noinline __attribute__((__noinline__))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define __printf(a, b) __attribute__((__format__(printf, a, b)))

#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELAXED)

#endif /* PMC_SHIM_COMPILER_H */
