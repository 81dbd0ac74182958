/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The interface between pmctrack.ko and user space: the record a sample is
 * delivered in, the ring buffer it travels through, the page a thread reads its
 * own counters from, and the calls on a session.
 *
 * A session is an open file of /proc/pmc/monitor. It is configured by
 * writing text commands to it (one a line, see docs/protocol.md), started and
 * stopped by ioctl() or by text, and read by read(), poll() or the mapped ring.
 * Closing the file undoes everything that was made through it.
 */
#ifndef PMCTRACK_UAPI_H
#define PMCTRACK_UAPI_H

#include <linux/types.h>
#include <linux/ioctl.h>

#define PMC_UAPI_VERSION	2

/* Counters in one event set: one bit each in a 64-bit mask of slots. */
#define PMC_MAX_SLOTS		64
/* Counters that may be active at once, so counts in one record. */
#define PMC_MAX_COUNTS		32
/* Bytes of a thread's name in a record, with the zeroes behind it: those of the kernel's comm. */
#define PMC_NAME_LEN		16
/* Longest error message a session keeps, with its terminating zero. */
#define PMC_ERROR_LEN		256

/* why a sample was taken: pmc_record.event */
enum pmc_sample_event {
	PMC_SAMPLE_TICK = 0,	/* the sampling period went by (TBS) */
	PMC_SAMPLE_EBS = 1,	/* a counter reached its period (EBS) */
	PMC_SAMPLE_EXIT = 2,	/* the thread ended */
	PMC_SAMPLE_MIGRATION = 3, /* the thread moved to another core type */
	PMC_SAMPLE_SELF = 4,	/* asked for: stop, detach, on demand */
	PMC_SAMPLE_NR
};

/* A virtual counter that has no value (yet) */
#define PMC_NO_VALUE		0xffffffffffffffffULL

/* pmc_record.flags */
#define PMC_REC_THROTTLED	0x0001	/* EBS interrupts were held back in it */
#define PMC_REC_COUNTER_LOST	0x0002	/* a counter was taken away in it */
#define PMC_REC_SYSWIDE		0x0004	/* counts of a CPU, not of a thread */
#define PMC_REC_LAST		0x0008	/* last record of this thread or CPU */
#define PMC_REC_EVICTED		0x0010	/* why it is the last: others come first */
#define PMC_REC_NAME		0x0020	/* the thread's name follows the counts */
#define PMC_REC_ADDRESS		0x0040	/* the address of an EBS sample follows them */
#define PMC_REC_EXEC		0x0080	/* the thread executed another program in it */

/**
 * struct pmc_record - one sample
 * @seq: number of the record in this session, from 1. Written last, with
 *	release order: a slot of the ring holds record N when it reads N + 1
 *	less the slots before it (see struct pmc_ring_info).
 * @time: when it was taken, CLOCK_MONOTONIC, ns
 * @elapsed: time since the thread's previous sample (or its start), ns
 * @running: how much of that time it ran on a CPU, ns
 * @pid: process (thread group) in the pid namespace of the session's owner;
 *	0 in system-wide mode
 * @tid: thread; in system-wide mode 0
 * @cpu: CPU it was taken on
 * @core_type: core type the counts belong to
 * @set: event set of that core type the counts belong to
 * @event: enum pmc_sample_event
 * @nr_counts: how many of @counts are the set's counters, in the order of the
 *	configuration
 * @flags: PMC_REC_*
 * @lost: records of this session that found the ring full since the record
 *	before this one
 * @ebs_slot: counter whose period ended, for PMC_SAMPLE_EBS, as an index
 *	of @counts
 * @nr_virtual: virtual counters, in the order of the configuration: they
 *	follow the @nr_counts others in @counts
 * @counts: events since the previous sample of this thread and set. Never
 *	scaled. Of virtual counters the count since that sample, or the level or
 *	ratio now; PMC_NO_VALUE: not known. With PMC_REC_NAME, PMC_NAME_LEN bytes follow:
 *	the thread's name when this record was written, ended and padded by zeroes. With
 *	PMC_REC_ADDRESS, the instruction in user space at which the overflow was seen follows:
 *	some instructions behind the one that caused it; that of the system call, if it was
 *	seen in the kernel. No record has both
 */
struct pmc_record {
	__u64 seq;
	__u64 time;
	__u64 elapsed;
	__u64 running;
	__u32 pid;
	__u32 tid;
	__u32 cpu;
	__u16 core_type;
	__u16 set;
	__u8 event;
	__u8 nr_counts;
	__u16 flags;
	__u32 lost;
	__u32 ebs_slot;
	__u32 nr_virtual;
	__u64 counts[];
};

/**
 * struct pmc_ring_info - first page of the mapped ring, read-only
 * @head: records reserved since the session began; record N (from 0) lies
 *	in slot N & (nr_slots - 1) and is complete when its seq is N + 1
 * @lost: records that found no room, in all
 * @nr_slots: slots in the ring, a power of two
 * @slot_size: bytes from one slot to the next
 * @data_offset: where slot 0 is, in bytes from the start of the mapping
 * @threads_missed: threads that could not be followed: no memory was at hand, or
 *	16 sessions count them, or another one has the counters count other things
 * @throttled: EBS interrupts held back, in all
 * @losses: how often counts became too small, because a counter was not on the PMU
 *	(PMC_REC_COUNTER_LOST) or a thread or CPU was ended for others (PMC_REC_EVICTED); also where
 *	the record that says so found no room
 *
 * Map data_offset + nr_slots * slot_size bytes from offset 0 read-only, and
 * the page at PMC_MMAP_CONSUMER read-write: it holds struct pmc_ring_user.
 */
struct pmc_ring_info {
	__u64 head;
	__u64 lost;
	__u32 nr_slots;
	__u32 slot_size;
	__u32 data_offset;
	__u32 threads_missed;
	__u64 throttled;
	__u64 losses;
};

/**
 * struct pmc_ring_user - the page the reader writes
 * @tail: records consumed; the kernel reuses a slot once tail has passed it.
 *	A wrong value loses the reader's own records and nothing else.
 */
struct pmc_ring_user {
	__u64 tail;
};

/* mmap() offsets on a session, in bytes */
#define PMC_MMAP_RING		0x00000000ULL
#define PMC_MMAP_CONSUMER	0x40000000ULL
#define PMC_MMAP_CALIPER	0x50000000ULL

/**
 * struct pmc_caliper_page - a thread's own counters, mapped read-only
 * @seq: changes whenever the kernel changed anything below. Kernel and
 *	reader run on one CPU (the page belongs to one thread), so compiler
 *	barriers are all that a reader needs.
 * @direct: the counters may be read by instruction now; else PMC_IOC_READ has
 *	to be called
 * @nr_counts: counters in the current event set
 * @losses: how often a counter of the thread was found missing from the PMU, modulo 2^16:
 *	counts in which this has changed are too small. A loss is found at the latest when the
 *	thread is switched out, or reads by PMC_IOC_READ
 * @core_type: core type the thread runs on
 * @set: event set in force there
 * @type_changes: how often the thread has changed core type
 * @mask: the bits that count of a difference between two values of a
 *	physical counter
 * @hw: physical counter of each count, 0xff: not readable by instruction.
 *	armv8: event counter N, or 31, the cycle counter; x86: general
 *	counter N, or 0x40 | N for fixed counter N
 * @start: the physical counter when @total was written
 * @total: the thread's count up to then: the sum of count i of all core types.
 *	Entries from @nr_counts on have no meaning
 *
 * count i = total[i] + ((physical counter hw[i] - start[i]) & mask).
 * The thread maps it by mmap() of one page at PMC_MMAP_CALIPER and must be
 * counting (PMC_IOC_START). The session has one event set on each core type. If the
 * sets list different events, the sums mean something only together with the counts
 * of the other core types, which PMC_IOC_READ returns and which do not grow until
 * @type_changes does.
 */
struct pmc_caliper_page {
	__u32 seq;
	__u8 direct;
	__u8 nr_counts;
	__u16 losses;
	__u16 core_type;
	__u16 set;
	__u32 type_changes;
	__u64 mask;
	__u8 hw[PMC_MAX_COUNTS];
	__u64 start[PMC_MAX_COUNTS];
	__u64 total[PMC_MAX_COUNTS];
};

/**
 * struct pmc_read - argument of PMC_IOC_READ
 * @core_type: core type wanted, or PMC_ALL_CORE_TYPES for the sum
 * @set: event set wanted
 * @nr_counts: out: counters of the set, in @counts
 * @nr_virtual: out: virtual counters, behind them
 * @running: out: time the thread ran with these counters loaded, ns
 * @counts: out: the calling thread's counts since its first start; virtual
 *	levels and ratios as they are now
 */
struct pmc_read {
	__u16 core_type;
	__u16 set;
	__u16 nr_counts;
	__u16 nr_virtual;
	__u64 running;
	__u64 counts[PMC_MAX_COUNTS];
};

#define PMC_ALL_CORE_TYPES	0xffff

/**
 * struct pmc_totals - argument of PMC_IOC_TOTALS
 *
 * The same for the whole session: sums over all threads, whether or not
 * their records found room. Threads that are still counted are in it up to
 * their last sample: complete after "stop". Sums never fall as threads end.
 * @nr_counts: out: counters of the set, in @counts
 * @nr_virtual: out: virtual counters, behind them: sums of those that are counts,
 *	PMC_NO_VALUE for levels and ratios
 * @nr_threads: out: threads (or CPUs) that were ever counted
 * @running: out: CPU time these counts took, ns
 */
struct pmc_totals {
	__u16 core_type;
	__u16 set;
	__u16 nr_counts;
	__u16 nr_virtual;
	__u64 nr_threads;
	__u64 running;
	__u64 counts[PMC_MAX_COUNTS];
};

/**
 * struct pmc_placement - argument of PMC_IOC_PLACEMENT
 * @core_type: core type asked for
 * @set: event set asked for
 * @nr_sets: out: event sets this core type has
 * @nr_counts: out: counters in the set, 0 when there is no such set
 * @slot: out: the N of pmcN for each count of the set, in order; counters that
 *	CPUs share have no number and get those behind the software counters'
 */
struct pmc_placement {
	__u16 core_type;
	__u16 set;
	__u16 nr_sets;
	__u16 nr_counts;
	__u8 slot[PMC_MAX_COUNTS];
};

#define PMC_IOC_MAGIC	'p'
/* The session's last error message, one line, no newline. */
#define PMC_IOC_ERROR	_IOR(PMC_IOC_MAGIC, 0xe0, char[PMC_ERROR_LEN])
/* Count the calling thread from now on (attaches it the first time). */
#define PMC_IOC_START	_IO(PMC_IOC_MAGIC, 0xe1)
/* Stop counting the calling thread and take a sample of it. */
#define PMC_IOC_STOP	_IO(PMC_IOC_MAGIC, 0xe2)
/* The calling thread's counts. */
#define PMC_IOC_READ	_IOWR(PMC_IOC_MAGIC, 0xe3, struct pmc_read)
/* The session's counts. */
#define PMC_IOC_TOTALS	_IOWR(PMC_IOC_MAGIC, 0xe4, struct pmc_totals)
/* Which counter each event of a set was placed on. */
#define PMC_IOC_PLACEMENT _IOWR(PMC_IOC_MAGIC, 0xe5, struct pmc_placement)

#endif /* PMCTRACK_UAPI_H */
