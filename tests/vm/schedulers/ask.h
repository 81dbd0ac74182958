/* SPDX-License-Identifier: GPL-2.0 */
/* The query of schedulers/bpf_kfuncs.c, answered by the BPF program in ask.bpf.c. */
#ifndef VM_ASK_H
#define VM_ASK_H

/**
 * struct question - a query of a metric
 * @pid: the thread
 * @metric: the metric
 * @answers: how many times the thread was found
 * @result: return value of bpf_pmcs_get_metric()
 * @value: value of the metric
 * @time: time of the value, CLOCK_MONOTONIC ns
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
