/* SPDX-License-Identifier: GPL-2.0 */
/* What a scheduler's two halves, in the kernel and outside, tell each other. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <linux/types.h>

#define MAX_CPUS	512

enum { BIG, LITTLE, NR_SIDES };

/**
 * struct settings - what holds from load to unload
 * @slice: a thread's turn on a CPU, ns
 * @margin: two threads change places when their claims differ by more
 * @explore: how long a thread that nothing is known of gets a big core, ns
 * @nr_cpus: big and little ones
 * @cpus: which
 * @side: of each CPU
 */
struct settings {
	__u64 slice;
	__u64 margin;
	__u64 explore;
	__u32 nr_cpus[NR_SIDES];
	__u32 cpus[NR_SIDES][MAX_CPUS];
	__u8 side[MAX_CPUS];
};

/**
 * struct report - what has been done since
 * @exchanged: threads that took another's place on a big core
 * @moved: threads that changed side without an exchange
 * @known: questions for a metric that had an answer
 * @unknown: those that had none
 * @ended: the kernel's code of why it is no more in force; 0: it is
 */
struct report {
	__u64 exchanged;
	__u64 moved;
	__u64 known;
	__u64 unknown;
	__u64 ended;
};

#endif
