/* SPDX-License-Identifier: GPL-2.0 */
/* Data shared by the two halves of a scheduler, in the kernel and in user space. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <linux/types.h>

#define MAX_CPUS	512
#define MAX_SIBLINGS	8	/* CPUs of a core */

enum { BIG, LITTLE, NR_CLUSTERS };

/**
 * struct settings - constant while the scheduler is loaded
 * @slice: time slice of a thread, ns
 * @margin: two threads change places when their scores differ by more than this
 * @keep: two threads that changed places keep them for so long, ns
 * @explore: big-core time of a thread without a metric before it gets a little core, ns
 * @patience: a thread that is still not monitored so long after the request is requested
 *	again, ns
 * @asks: the policy asks for a metric, so threads are monitored
 * @nr_cpus: number of CPUs of each cluster
 * @cpus: the CPUs of each cluster
 * @cluster: the cluster of each CPU
 * @sibling: the next CPU of the same core, the first one for the last; so a core's only CPU
 *	is its own sibling
 */
struct settings {
	__u64 slice;
	__u64 margin;
	__u64 keep;
	__u64 explore;
	__u64 patience;
	__u32 asks;
	__u32 nr_cpus[NR_CLUSTERS];
	__u32 cpus[NR_CLUSTERS][MAX_CPUS];
	__u8 cluster[MAX_CPUS];
	__u16 sibling[MAX_CPUS];
};

/**
 * struct queries - what a CPU has asked for; only that CPU writes it
 * @known: queries that returned a metric
 * @unknown: queries that found no metric
 */
struct queries {
	__u64 known;
	__u64 unknown;
} __attribute__((aligned(64)));

/**
 * struct report - statistics of the scheduler, and its end
 * @exchanged: threads that took another thread's place on a big core
 * @moved: threads that changed cluster or core without an exchange
 * @missed: threads that did not get the CPU that was freed for them
 * @repeated: requests to monitor a thread that were made again
 * @ended: the kernel's code for the reason that ended the scheduler; 0: it is in force
 * @code: more of that, as the kernel has it (SCX_ECODE_)
 * @reason: the kernel's words for that reason
 * @message: details of it
 * @queries: by CPU
 */
struct report {
	__u64 exchanged;
	__u64 moved;
	__u64 missed;
	__u64 repeated;
	__u64 ended;
	__u64 code;
	char reason[128];
	char message[256];
	struct queries queries[MAX_CPUS];
};

#endif
