/* SPDX-License-Identifier: GPL-2.0 */
/* What schedulers/bpf_kfuncs.c asks by the BPF program of ask.bpf.c. */
#ifndef VM_ASK_H
#define VM_ASK_H

/**
 * struct question - of a metric
 * @pid: whose
 * @metric: which
 * @answers: how often that thread was met
 * @result: what bpf_pmcs_get_metric() returned
 * @value: what it found
 * @time: and when that was, CLOCK_MONOTONIC ns
 */
struct question {
	int pid;
	int metric;
	int answers;
	int result;
	unsigned long long value;
	unsigned long long time;
};

#endif
