// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs that call functions of pmctrack.ko, permitted and not permitted;
 * schedulers/bpf_kfuncs.c loads them. The types have the members that are used here; the
 * kernel's members are found by name.
 */
#include <linux/bpf.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>

#include "ask.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct task_struct {
	int pid;
};

struct bpf_iter__task {
	struct task_struct *task;
};

#pragma clang attribute pop

struct pmc_metric_value {
	__u64 value;
	__u64 time;
};

int bpf_pmcs_get_metric(struct task_struct *p, int metric,
			struct pmc_metric_value *value) __ksym;
int bpf_pmcs_monitor_task(struct task_struct *p, bool on) __ksym;

struct question question SEC(".data.question");

/* A program of type tracing: query the metric of one of all threads. */
SEC("iter/task")
int ask(struct bpf_iter__task *ctx)
{
	struct pmc_metric_value v = {};
	struct task_struct *p = ctx->task;

	if (!p || p->pid != question.pid)
		return 0;
	question.result = bpf_pmcs_get_metric(p, question.metric, &v);
	question.value = v.value;
	question.time = v.time;
	question.answers++;
	return 0;
}

/* The same type; it may run in an NMI, so it must not enable monitoring. */
SEC("iter/task")
int enable(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;

	if (p)
		bpf_pmcs_monitor_task(p, true);
	return 0;
}

/* A program of a type that does not need CAP_PERFMON */
SEC("syscall")
int ask_by_call(void *ctx)
{
	struct pmc_metric_value v = {};

	return bpf_pmcs_get_metric(bpf_get_current_task_btf(), 0, &v);
}

SEC("syscall")
int enable_by_call(void *ctx)
{
	return bpf_pmcs_monitor_task(bpf_get_current_task_btf(), true);
}

char _license[] SEC("license") = "GPL";
