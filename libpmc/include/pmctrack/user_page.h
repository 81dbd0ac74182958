/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: the pmctrack developers */
/*
 * The user page: a thread reads its own counters by instruction, without libpmctrack. This
 * header is all that a program needs. It may be copied into other projects under either
 * licence.
 *
 * A thread gets its page in four steps:
 *
 *   1. fd = open("/proc/pmc/monitor", O_RDWR | O_CLOEXEC). The open file is a session.
 *   2. write(fd, "events SPEC\n"), once for each core type. `pmc-events -e SET` prints SPEC
 *      for names of events. Each core type has to have exactly one event set.
 *   3. ioctl(fd, PMC_USER_START). The session counts the calling thread from now on.
 *   4. page = mmap(NULL, page size, PROT_READ, MAP_SHARED, fd, PMC_USER_PAGE_OFFSET)
 *
 * Then pmc_user_read(fd, page, counts) returns the thread's counts. examples/user_page.c is a
 * complete program.
 *
 * The kernel module has to speak the same version: the first line of /proc/pmc/info ends with
 * "uapi" and the module's version, which has to be PMC_USER_PAGE_VERSION.
 *
 * Threads. The page belongs to the thread of step 3: no other thread may read it. A child of
 * fork() has no mapping of the page, and an access to it there is a fault. A signal handler of
 * the thread may call all functions below.
 *
 * Permission. On x86 the page asks for system calls (direct is 0) if the administrator had
 * forbidden RDPMC before step 3, by a 0 in /sys/bus/event_source/devices/cpu/rdpmc (on a hybrid
 * processor cpu_core/rdpmc). If the file becomes 0 later, the next reading by instruction is a
 * fault, as it is with perf's own pages.
 *
 * Hybrid x86 machines. If a count is on a counter that another core type has not, direct is 0:
 * RDPMC of that counter is a fault there, and the thread may move in between.
 *
 * On arm64 a thread looks whether it has the permission, and reads the counters then. If it
 * leaves the CPU in between, and perf or root's sessions take its counters before it runs again,
 * SIGILL kills the program. libpmctrack prevents that by restartable sequences (rseq(2)).
 *
 * Scaling. Counts are never scaled: the session has one event set on each core type, which
 * keeps its counters. A count is the sum over all core types that the thread ran on.
 */
#ifndef PMCTRACK_USER_PAGE_H
#define PMCTRACK_USER_PAGE_H

#include <stdint.h>
#include <sys/ioctl.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMC_USER_PAGE_VERSION	2

/* Counts of one event set, at most */
#define PMC_USER_PAGE_COUNTS	32

/* Offset of the page in mmap() */
#define PMC_USER_PAGE_OFFSET	0x50000000

/* Stands for a counter that no instruction reads. */
#define PMC_USER_PAGE_NO_COUNTER 0xff

/**
 * struct pmc_user_page - what the kernel writes for the thread, which only reads it
 * @seq: another number after each change of the page. Kernel and thread use the page on
 *	the same CPU, one after the other: compiler barriers are enough
 * @direct: 1: the counters may be read by instruction now; 0: a system call is needed
 * @nr_counts: counts of the event set
 * @reserved: not used
 * @core_type: core type that the thread runs on
 * @set: event set that is counted there
 * @type_changes: how often the thread has moved to another core type
 * @mask: the bits that are valid in the difference of two values of a counter
 * @hw: the counter of each count; PMC_USER_PAGE_NO_COUNTER if no instruction reads it.
 *	x86: general counter N is N, fixed counter N is 0x40 + N.
 *	arm64: event counter N is N, the cycle counter is 31
 * @start: the value of that counter when the kernel wrote @total
 * @total: the count up to then, all core types together
 *
 * Count i is total[i] + ((value of counter hw[i] - start[i]) & mask), if @seq was the same
 * before all of this was read and afterwards.
 */
struct pmc_user_page {
	uint32_t seq;
	uint8_t direct;
	uint8_t nr_counts;
	uint16_t reserved;
	uint16_t core_type;
	uint16_t set;
	uint32_t type_changes;
	uint64_t mask;
	uint8_t hw[PMC_USER_PAGE_COUNTS];
	uint64_t start[PMC_USER_PAGE_COUNTS];
	uint64_t total[PMC_USER_PAGE_COUNTS];
};

/**
 * struct pmc_user_counts - argument of PMC_USER_READ
 * @core_type: the core type asked for, or PMC_USER_ALL_CORE_TYPES for the sum
 * @set: the event set asked for: 0
 * @nr_counts: out: counts
 * @nr_virtual: out: virtual counters, which follow the counts in @counts
 * @running: out: ns that the thread ran with these counters loaded
 * @counts: out: the calling thread's counts since PMC_USER_START
 */
struct pmc_user_counts {
	uint16_t core_type;
	uint16_t set;
	uint16_t nr_counts;
	uint16_t nr_virtual;
	uint64_t running;
	uint64_t counts[PMC_USER_PAGE_COUNTS];
};

#define PMC_USER_ALL_CORE_TYPES	0xffff

/* ioctl() on a session: count the calling thread; end that; read its counts. */
#define PMC_USER_START	_IO('p', 0xe1)
#define PMC_USER_STOP	_IO('p', 0xe2)
#define PMC_USER_READ	_IOWR('p', 0xe3, struct pmc_user_counts)

/*
 * pmc_user_page_allowed - may the thread use the instruction?
 * pmc_user_page_counter - the value of counter @hw
 *
 * A program that simulates counters defines PMC_USER_PAGE_COUNTER(hw) before it includes this
 * header.
 */
#if defined(PMC_USER_PAGE_COUNTER)

static inline int pmc_user_page_allowed(void)
{
	return 1;
}

static inline uint64_t pmc_user_page_counter(uint8_t hw)
{
	return PMC_USER_PAGE_COUNTER(hw);
}

#elif defined(__x86_64__)

/* The kernel permits RDPMC as long as the page is mapped and its @direct is 1. */
static inline int pmc_user_page_allowed(void)
{
	return 1;
}

/* RDPMC has fixed counters from 1 << 30 on (Intel SDM, volume 2, RDPMC). */
static inline uint64_t pmc_user_page_counter(uint8_t hw)
{
	uint32_t low, high, index = (hw & 0x3fU) | (hw & 0x40U) << 24;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index) : "memory");
	return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

/*
 * PMUSERENR_EL0: ER (bit 3) permits event counters, CR (bit 2) the cycle counter (Arm ARM
 * DDI 0487, D19.5). The kernel takes the permission away in a system call of the thread, or when
 * the thread leaves the CPU: without it the instruction is an illegal one.
 */
static inline int pmc_user_page_allowed(void)
{
	uint64_t enabled;

	__asm__ volatile("mrs %0, pmuserenr_el0" : "=r"(enabled) : : "memory");
	return (enabled & 0xc) == 0xc;
}

/* The number of an event counter is part of the instruction. */
static inline uint64_t pmc_user_page_counter(uint8_t hw)
{
	uint64_t value = 0;

#define PMC_USER_PAGE_MRS(n) \
	case n: \
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value) : : "memory"); \
		break;
	switch (hw) {
	PMC_USER_PAGE_MRS(0) PMC_USER_PAGE_MRS(1) PMC_USER_PAGE_MRS(2) PMC_USER_PAGE_MRS(3)
	PMC_USER_PAGE_MRS(4) PMC_USER_PAGE_MRS(5) PMC_USER_PAGE_MRS(6) PMC_USER_PAGE_MRS(7)
	PMC_USER_PAGE_MRS(8) PMC_USER_PAGE_MRS(9) PMC_USER_PAGE_MRS(10) PMC_USER_PAGE_MRS(11)
	PMC_USER_PAGE_MRS(12) PMC_USER_PAGE_MRS(13) PMC_USER_PAGE_MRS(14) PMC_USER_PAGE_MRS(15)
	PMC_USER_PAGE_MRS(16) PMC_USER_PAGE_MRS(17) PMC_USER_PAGE_MRS(18) PMC_USER_PAGE_MRS(19)
	PMC_USER_PAGE_MRS(20) PMC_USER_PAGE_MRS(21) PMC_USER_PAGE_MRS(22) PMC_USER_PAGE_MRS(23)
	PMC_USER_PAGE_MRS(24) PMC_USER_PAGE_MRS(25) PMC_USER_PAGE_MRS(26) PMC_USER_PAGE_MRS(27)
	PMC_USER_PAGE_MRS(28) PMC_USER_PAGE_MRS(29) PMC_USER_PAGE_MRS(30)
	default:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value) : : "memory");
	}
#undef PMC_USER_PAGE_MRS
	return value;
}

#else

/* User space cannot read counters: each reading is a system call. */
static inline int pmc_user_page_allowed(void)
{
	return 0;
}

static inline uint64_t pmc_user_page_counter(uint8_t hw)
{
	(void)hw;
	return 0;
}

#endif

/* Read before anything else of the page, and after it */
static inline uint32_t pmc_user_page_seq(const struct pmc_user_page *page)
{
	uint32_t seq;

	__asm__ volatile("" : : : "memory");
	seq = *(const volatile uint32_t *)&page->seq;
	__asm__ volatile("" : : : "memory");
	return seq;
}

/* The counts, whether or not the page changes meanwhile; -1: a system call is needed. */
static inline int pmc_user_page_try(const struct pmc_user_page *page, uint64_t *counts)
{
	unsigned int i, nr = page->nr_counts;

	if (!page->direct || nr > PMC_USER_PAGE_COUNTS || !pmc_user_page_allowed())
		return -1;
	for (i = 0; i < nr; i++) {
		if (page->hw[i] == PMC_USER_PAGE_NO_COUNTER)
			return -1;
		counts[i] = page->total[i] +
			    ((pmc_user_page_counter(page->hw[i]) - page->start[i]) & page->mask);
	}
	return (int)nr;
}

/**
 * pmc_user_page_read - the thread's counts, without a system call
 * @counts: out: PMC_USER_PAGE_COUNTS values at most, in the order of the event set
 *
 * The page changes only if the kernel interrupts the thread. After three changes in a row
 * the reading is given up.
 *
 * Return: number of counts; -1: a system call is needed (PMC_USER_READ).
 */
static inline int pmc_user_page_read(const struct pmc_user_page *page, uint64_t *counts)
{
	int nr, tries;
	uint32_t seq;

	for (tries = 0; tries < 3; tries++) {
		seq = pmc_user_page_seq(page);
		nr = pmc_user_page_try(page, counts);
		if (nr < 0 || seq == pmc_user_page_seq(page))
			return nr;
	}
	return -1;
}

/**
 * pmc_user_read - the thread's counts, by a system call if there is no other way
 * @fd: the session
 * @page: its page; NULL if it is not mapped
 * @counts: out: as of pmc_user_page_read()
 *
 * Return: number of counts; -1 with errno set, as of ioctl().
 */
static inline int pmc_user_read(int fd, const struct pmc_user_page *page, uint64_t *counts)
{
	struct pmc_user_counts call;
	int i, nr = page ? pmc_user_page_read(page, counts) : -1;

	if (nr >= 0)
		return nr;
	call.core_type = PMC_USER_ALL_CORE_TYPES;
	call.set = 0;
	if (ioctl(fd, PMC_USER_READ, &call))
		return -1;
	for (i = 0; i < call.nr_counts && i < PMC_USER_PAGE_COUNTS; i++)
		counts[i] = call.counts[i];
	return i;
}

#ifdef __cplusplus
}
#endif

#endif
