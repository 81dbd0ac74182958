/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's own perf_event, for tests beside it. */
#ifndef VM_PERF_H
#define VM_PERF_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Contents of an event that was opened with PERF_TIMES. */
struct value {
	uint64_t count;
	uint64_t enabled;
	uint64_t running;
};

#define PERF_TIMES	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/* perf_event_open(); the size is filled in. Return: a file, or -1 and errno. */
int perf_try(struct perf_event_attr *attr, pid_t pid, int cpu, int group);
/* The same; the call has to succeed. */
int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group);
/* Return: false when the event is in its error state: read() says end of file. */
bool perf_read(int fd, struct value *v);
/* The type of perf's PMU for a core type */
int perf_type(int core_type);
/* The number at the beginning of a PMU's file, or a list's last number; -1: no such file */
int pmu_number(const char *pmu, const char *file, bool last);
/* The first or the last CPU of a PMU; that of all CPUs is called cpu. */
int pmu_cpu(const char *pmu, bool last);
/* An event of the calling thread, in user mode; disabled, unless it is a member of a group. */
int perf_own(int config, bool pinned, int group);
/* Such an event of this PMU, with a count in each sample if there is a period (0: none) */
int perf_sampled(int type, uint64_t config, int period);
/* What an event without PERF_TIMES has counted */
long long perf_count(int fd);

#endif
