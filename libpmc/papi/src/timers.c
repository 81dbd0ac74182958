// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Real and virtual time. Real time is the CPU's counter, or CLOCK_MONOTONIC, which the vDSO
 * reads without a system call. Virtual time is the kernel's clock of the calling thread, one
 * system call. Virtual cycles are that time in the unit of real cycles, so that the two can
 * be compared: the counter does not know which thread runs.
 */
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "timers.h"

#define SECOND_NS	1000000000LL
#define MEASURE_NS	(SECOND_NS / 50)

long long PAPI_get_real_cyc(void)
{
	return papi_real_cyc();
}

long long PAPI_get_real_nsec(void)
{
	return papi_clock_ns(CLOCK_MONOTONIC);
}

long long PAPI_get_real_usec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

long long PAPI_get_virt_nsec(void)
{
	return papi_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

long long PAPI_get_virt_usec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

long long PAPI_get_virt_cyc(void)
{
	return (long long)((double)papi_clock_ns(CLOCK_THREAD_CPUTIME_ID) * papi_real_hz() /
			   SECOND_NS);
}

#if defined(__x86_64__) || defined(__i386__)
/* The kernel's own calibration, in the page of any event that perf counts: ns of a cycle */
static double hz_of_page(const volatile struct perf_event_mmap_page *page)
{
	if (!page->cap_user_time || !page->time_mult)
		return 0;
	return (double)(1ULL << page->time_shift) / page->time_mult * SECOND_NS;
}

static double hz_of_kernel(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	long size = sysconf(_SC_PAGESIZE);
	double hz = 0;
	void *page;
	int fd;

	fd = syscall(__NR_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return 0;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED) {
		hz = hz_of_page(page);
		munmap(page, size);
	}
	close(fd);
	return hz;
}

/* CPUID leaf 0x15: the rate of the crystal, and what it is multiplied with */
static double hz_of_cpu(void)
{
	unsigned int divisor, factor, crystal, unused;

	if (!__get_cpuid(0x15, &divisor, &factor, &crystal, &unused) || !divisor)
		return 0;
	return (double)crystal * factor / divisor;
}

static double measured_hz(void)
{
	const struct timespec pause = { .tv_nsec = MEASURE_NS };
	long long ns, cycles;

	ns = PAPI_get_real_nsec();
	cycles = papi_real_cyc();
	nanosleep(&pause, NULL);
	ns = PAPI_get_real_nsec() - ns;
	cycles = papi_real_cyc() - cycles;
	return (double)cycles / ns * SECOND_NS;
}

static double find_hz(void)
{
	double hz = hz_of_kernel();

	if (!hz)
		hz = hz_of_cpu();
	return hz ? hz : measured_hz();
}
#elif defined(__aarch64__)
static double find_hz(void)
{
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r" (hz));
	return (double)hz;
}
#else
static double find_hz(void)
{
	return SECOND_NS;
}
#endif

double papi_real_hz(void)
{
	/* Threads that come at the same time agree, as the first value stays. */
	static double rate;
	double hz, none = 0;

	__atomic_load(&rate, &hz, __ATOMIC_RELAXED);
	if (hz)
		return hz;
	hz = find_hz();
	if (__atomic_compare_exchange(&rate, &none, &hz, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return hz;
	return none;
}
