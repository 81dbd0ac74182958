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
 * @margin: two threads swap places when their scores differ by more than this
 * @keep: two threads that swapped places keep them for so long, ns
 * @explore: big-core time of a thread without a metric before it gets a little core, ns
 * @patience: a thread that is still not monitored so long after the request is requested
 *	again, ns
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
	__u32 nr_cpus[NR_CLUSTERS];
	__u32 cpus[NR_CLUSTERS][MAX_CPUS];
	__u8 cluster[MAX_CPUS];
	__u16 sibling[MAX_CPUS];
};

/**
 * struct report - the end of the scheduler
 * @ended: the kernel's code for the reason that ended the scheduler; 0: it is in force
 * @code: more of that, as the kernel has it (SCX_ECODE_)
 * @reason: the kernel's words for that reason
 * @message: details of it
 */
struct report {
	__u64 ended;
	__u64 code;
	char reason[128];
	char message[256];
};

#endif
