/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The CPU's counter of time, for PAPI_read_ts(): one instruction, in line */
#ifndef PAPI_TIMERS_H
#define PAPI_TIMERS_H

#include <stdint.h>
#include <time.h>

#include "papi.h"

static inline long long papi_clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/*
 * The counter has a constant rate and is the same on all CPUs. Reading is not ordered with
 * the instructions around: waiting for them would cost more than the reading itself.
 */
static inline long long papi_real_cyc(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return (long long)__builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ __volatile__("mrs %0, cntvct_el0" : "=r" (ticks));
	return (long long)ticks;
#else
	/* 32-bit Arm may forbid user space to read the counter: its clock has 1 GHz then. */
	return papi_clock_ns(CLOCK_MONOTONIC);
#endif
}

/**
 * papi_real_hz - the rate of papi_real_cyc()
 *
 * The first call takes up to 20 ms where neither the kernel nor the CPU says it.
 */
double papi_real_hz(void);

#endif /* PAPI_TIMERS_H */
