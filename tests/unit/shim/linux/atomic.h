/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_ATOMIC_H
#define PMC_SHIM_ATOMIC_H

/* The kernel's atomic operations by those of the compiler, with the same memory order. */
#include <linux/compiler.h>
#include <linux/types.h>

#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
/* The thread sanitizer knows no fences; nothing that it watches needs them. */
#ifdef __SANITIZE_THREAD__
#define smp_rmb() __asm__ volatile("" ::: "memory")
#define smp_wmb() __asm__ volatile("" ::: "memory")
#else
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#endif

static inline s64 atomic64_read(const atomic64_t *a)
{
	return __atomic_load_n(&a->counter, __ATOMIC_RELAXED);
}

static inline s64 atomic64_read_acquire(const atomic64_t *a)
{
	return __atomic_load_n(&a->counter, __ATOMIC_ACQUIRE);
}

static inline void atomic64_set(atomic64_t *a, s64 value)
{
	__atomic_store_n(&a->counter, value, __ATOMIC_RELAXED);
}

static inline void atomic64_set_release(atomic64_t *a, s64 value)
{
	__atomic_store_n(&a->counter, value, __ATOMIC_RELEASE);
}

static inline void atomic64_add(s64 value, atomic64_t *a)
{
	__atomic_fetch_add(&a->counter, value, __ATOMIC_RELAXED);
}

static inline void atomic64_inc(atomic64_t *a)
{
	atomic64_add(1, a);
}

static inline bool atomic64_try_cmpxchg(atomic64_t *a, s64 *old, s64 new)
{
	return __atomic_compare_exchange_n(&a->counter, old, new, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static inline bool atomic64_try_cmpxchg_relaxed(atomic64_t *a, s64 *old,
						s64 new)
{
	return __atomic_compare_exchange_n(&a->counter, old, new, false,
					   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#endif /* PMC_SHIM_ATOMIC_H */
