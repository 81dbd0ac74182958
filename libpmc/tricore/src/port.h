/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * All code that depends on the compiler or the chip. To port ePAPI, add a branch to this
 * file.
 *
 * Compilers: GCC (tricore-elf-gcc 4.9 and 9.4 were tried), TASKING, and, with
 * EPAPI_PORT_INTRINSICS, HighTec's with its intrinsics. With EPAPI_PORT_SIMULATED the
 * registers are simulated on the host (tests/unit/tricore_sim.c).
 *
 * Chip, to be set when the library is built:
 *	EPAPI_TC3XX	a TC3xx, not a TC2xx; GCC defines it (-mtc162)
 *	EPAPI_CPU_MAX_HZ the highest clock rate of a core, default 300 MHz: decides
 *			whether a second overflow is possible
 *	EPAPI_CPU_HZ	the clock rate of the cores while they count, default
 *			EPAPI_CPU_MAX_HZ: ptime of ePAPI_ipc and ePAPI_epc is the
 *			cycles divided by it
 *	EPAPI_STM_HZ	the clock rate of the system timers, default 100 MHz; they
 *			must be on, as they are after a reset
 */
#ifndef EPAPI_PORT_H
#define EPAPI_PORT_H

#include "tricore.h"

#if defined(__TC162__) && !defined(EPAPI_TC3XX)
#define EPAPI_TC3XX
#endif
#ifndef EPAPI_CPU_MAX_HZ
#define EPAPI_CPU_MAX_HZ 300000000
#endif
#ifndef EPAPI_CPU_HZ
#define EPAPI_CPU_HZ	EPAPI_CPU_MAX_HZ
#endif
#if EPAPI_CPU_HZ > EPAPI_CPU_MAX_HZ
#error "EPAPI_CPU_HZ is more than EPAPI_CPU_MAX_HZ"
#endif
#ifndef EPAPI_STM_HZ
#define EPAPI_STM_HZ	100000000
#endif

/* User's Manuals TC29x and TC3xx, chapter "System Timer", "STM Registers". */
#ifdef EPAPI_TC3XX
#define STM(i)		(0xf0001000u + 0x100u * (i))
#else
#define STM(i)		(0xf0000000u + 0x100u * (i))
#endif
#define STM_TIM0	0x10u	/* bits 0 to 31 */
#define STM_TIM4	0x20u	/* bits 16 to 47 */
#define STM_TIM6	0x28u	/* bits 32 to 63 */

/*
 * port_mfcr(csfr) and port_mtcr(csfr, value): access a core special function register by
 * its address, which must be a constant. A new value has taken effect after port_isync().
 * The compiler does not move memory accesses across any of them.
 *
 * PORT_LOCAL(name): the object is in section .epapi.name (see epapi.ld), in the first
 * 16 KiB of the core's own scratchpad, which one instruction can address.
 *
 * port_results_area: the first object in that section. Where the linker can define a symbol
 * for it, the symbol is used: linking without epapi.ld then fails. Otherwise the section
 * would silently be placed in memory that the cores share.
 *
 * PORT_COLD: the function is called rarely. PORT_INLINE: it has to be inlined.
 */
#if defined(EPAPI_PORT_SIMULATED)

u32 epapi_sim_mfcr(unsigned int csfr);
void epapi_sim_mtcr(unsigned int csfr, u32 value);
void epapi_sim_isync(void);
u32 epapi_sim_load(u32 address);
void epapi_sim_store(u32 address, u32 value);

#define port_mfcr(csfr)		epapi_sim_mfcr(csfr)
#define port_mtcr(csfr, value)	epapi_sim_mtcr(csfr, value)
#define port_isync()		epapi_sim_isync()
#define port_load(address)	epapi_sim_load(address)
#define port_store(address, v)	epapi_sim_store(address, v)
#define PORT_LOCAL(name)	_Thread_local
#define PORT_COLD		__attribute__((noinline, cold))
#define PORT_INLINE		inline __attribute__((always_inline))
#define port_unlikely(x)	__builtin_expect(!!(x), 0)

#elif defined(__TASKING__)

#define port_mfcr(csfr)		((u32)__mfcr(csfr))
#define port_mtcr(csfr, value)	__mtcr((csfr), (int)(value))
#define port_isync()		__isync()
#define PORT_LOCAL(name)	__near __attribute__((section(".epapi." #name)))
#define PORT_COLD		__noinline
#define PORT_INLINE		inline
#define port_unlikely(x)	(x)

#elif defined(EPAPI_PORT_INTRINSICS)

#include <machine/intrinsics.h>

#define port_mfcr(csfr)		((u32)__MFCR(csfr))
#define port_mtcr(csfr, value)	__MTCR(csfr, value)
#define port_isync()		_isync()
#define PORT_LOCAL(name) \
	__attribute__((absdata, aligned(8), section(".epapi." #name)))
#define PORT_COLD		__attribute__((noinline, cold))
#define PORT_INLINE		inline __attribute__((always_inline))
#define port_unlikely(x)	__builtin_expect(!!(x), 0)

#else

/* The assembler does not know the counters' names, so numbers are used. */
#define port_mfcr(csfr) __extension__ ({ \
	u32 mfcr_; \
	__asm__ volatile("mfcr %0, %1" : "=d" (mfcr_) : "i" (csfr) : "memory"); \
	mfcr_; })
#define port_mtcr(csfr, value) \
	__asm__ volatile("mtcr %0, %1" : : "i" (csfr), "d" (value) : "memory")
#define port_isync() \
	__asm__ volatile("isync" : : : "memory")
#define PORT_LOCAL(name) \
	__attribute__((absdata, aligned(8), section(".epapi." #name)))
#define PORT_COLD		__attribute__((noinline, cold))
#define PORT_INLINE		inline __attribute__((always_inline))
#define port_unlikely(x)	__builtin_expect(!!(x), 0)

extern struct epapi_results epapi_memory_begin __attribute__((absdata));
#define port_results_area	(&epapi_memory_begin)

/* One multiply-and-add instruction of 64 bits adds faster than two additions. */
static inline u64 port_add(u64 sum, u32 value)
{
	__asm__("madd.u %A0, %A0, %1, 1" : "+d" (sum) : "d" (value));
	return sum;
}
#define port_add port_add

/* A register that contains 0; the compiler must not use several. */
static inline u32 port_zero(void)
{
	u32 zero;

	__asm__ volatile("mov %0, 0" : "=d" (zero));
	return zero;
}
#define port_zero port_zero

#endif

#ifndef port_results_area
#define port_results_area	(&epapi_results)
#endif

#ifndef port_zero
#define port_zero()		0u
#endif

#ifndef port_add
#define port_add(sum, value)	((sum) + (value))
#endif

#ifndef port_load
#define port_load(address)	(*(volatile u32 *)(address))
#define port_store(address, v)	(*(volatile u32 *)(address) = (v))
#endif

static inline u32 port_core_id(void)
{
	return port_mfcr(PMC_TRICORE_CORE_ID) & PMC_TRICORE_CORE_ID_MASK;
}

/*
 * The core's own system timer. Reading another core's timer would change its register CAP,
 * and so the time that a program on that core reads from TIM0 and CAP. There is no core 5:
 * the TC39x's sixth core has number 6, and timer 5.
 */
static inline u32 port_stm(void)
{
	u32 id = port_core_id();

	return STM(id > 5u ? id - 1u : id);
}

/* The system timer in units of 2^16 of its ticks; restarts after 2^32. */
static inline u32 port_coarse_time(void)
{
	return port_load(port_stm() + STM_TIM4);
}

/* Cycles of the fastest clock in one unit */
#define PORT_COARSE_CYCLES \
	((u32)((0x10000ull * EPAPI_CPU_MAX_HZ + EPAPI_STM_HZ - 1) / EPAPI_STM_HZ))

static inline u64 port_time(void)
{
	u32 stm = port_stm();
	u32 high, low;

	/* Read again until both halves belong to the same time. */
	do {
		high = port_load(stm + STM_TIM6);
		low = port_load(stm + STM_TIM0);
	} while (high != port_load(stm + STM_TIM6));

	return (u64)high << 32 | low;
}

#endif /* EPAPI_PORT_H */
