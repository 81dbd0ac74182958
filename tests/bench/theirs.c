// SPDX-License-Identifier: GPL-2.0
/* Counting by perf_event: one group, read whole. */
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

static int open_event(struct perf_event_attr *attr, pid_t pid, int group)
{
	int fd = syscall(SYS_perf_event_open, attr, pid, -1, group, 0);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

void theirs_open(struct theirs *t, pid_t pid, int nr, int inherit)
{
	struct perf_event_attr attr;
	int i;

	t->nr = nr;
	t->buffer = NULL;
	for (i = 0; i < nr; i++) {
		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		attr.type = PERF_TYPE_HARDWARE;
		attr.config = i == 1 ? PERF_COUNT_HW_CPU_CYCLES :
				       PERF_COUNT_HW_INSTRUCTIONS;
		attr.exclude_kernel = 1;
		attr.inherit = inherit;
		if (!inherit)
			attr.read_format = PERF_FORMAT_GROUP;
		t->fd[i] = open_event(&attr, pid, i ? t->fd[0] : -1);
	}
}

#define BUFFER	(513 * 4096)

/* A sample with the contents of pmctrack's: thread, time, and both counters of the group. */
void theirs_open_ebs(struct theirs *t, uint64_t period)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP,
		.wakeup_watermark = 1 << 20,
		.watermark = 1,
		.disabled = 1,
	};

	t->nr = 2;
	t->fd[0] = open_event(&attr, 0, -1);
	attr.sample_period = 0;
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	attr.disabled = 0;
	t->fd[1] = open_event(&attr, 0, t->fd[0]);
	t->buffer = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_SHARED, t->fd[0], 0);
	if (t->buffer == MAP_FAILED)
		die("mmap of perf's buffer");
}

void theirs_enable(struct theirs *t)
{
	if (ioctl(t->fd[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP))
		die("PERF_EVENT_IOC_ENABLE");
}

void theirs_disable(struct theirs *t)
{
	if (ioctl(t->fd[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP))
		die("PERF_EVENT_IOC_DISABLE");
}

void theirs_read(struct theirs *t)
{
	uint64_t values[1 + MAX_EVENTS];

	if (read(t->fd[0], values, sizeof(values)) < 0)
		die("read of a perf group");
}

void theirs_close(struct theirs *t)
{
	int i;

	/* An event stays open as long as it is mapped. */
	if (t->buffer)
		munmap(t->buffer, BUFFER);
	for (i = 0; i < t->nr; i++)
		close(t->fd[i]);
}
