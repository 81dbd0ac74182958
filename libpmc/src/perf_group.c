// SPDX-License-Identifier: LGPL-2.1-or-later
/* Open groups of perf_event_open(). */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error.h"
#include "perf_group.h"

static int open_event(const struct perf_event_attr *attr, const struct perf_target *target,
		      int leader)
{
	return syscall(SYS_perf_event_open, attr, target->tid, target->cpu, leader,
		       PERF_FLAG_FD_CLOEXEC);
}

/* Software events that are counted in user mode, too, or wholly there */
static int can_do_without_kernel(const struct perf_event_attr *attr)
{
	if (attr->type != PERF_TYPE_SOFTWARE || attr->exclude_kernel)
		return 0;
	return attr->config != PERF_COUNT_SW_CONTEXT_SWITCHES &&
	       attr->config != PERF_COUNT_SW_CPU_MIGRATIONS;
}

static void mark_partial(struct perf_set *set, int at)
{
	int i;

	/* Time is the same in all modes. */
	if (set->attrs[at].config == PERF_COUNT_SW_TASK_CLOCK)
		return;
	for (i = 0; i < set->nr; i++)
		if (set->at[i] == at)
			set->partial |= 1ULL << i;
}

/* Without the right to count in kernel mode, software events count page faults in user mode. */
static int open_one(struct perf_set *set, int i, const struct perf_target *target, int leader)
{
	struct perf_event_attr attr = set->attrs[i];
	int fd;

	attr.inherit = target->inherit;
	attr.inherit_thread = target->inherit_threads;
	/* The leader decides for the group. */
	attr.disabled = leader < 0;
	attr.pinned = leader < 0 && set->pinned;
	attr.enable_on_exec = leader < 0 && target->on_exec;
	fd = open_event(&attr, target, leader);
	if (fd >= 0 || (errno != EACCES && errno != EPERM) || !can_do_without_kernel(&attr))
		return fd;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	fd = open_event(&attr, target, leader);
	if (fd >= 0)
		mark_partial(set, i);
	return fd;
}

int perf_group_open(struct perf_group *group, struct perf_set *set,
		    const struct perf_target *target)
{
	int i, fd, err;

	group->nr = 0;
	for (i = 0; i < set->nr_attrs; i++) {
		fd = open_one(set, i, target, i ? group->fds[0] : -1);
		if (fd < 0) {
			err = errno;
			perf_group_close(group);
			return perf_explain(err, set, i, target);
		}
		group->fds[group->nr++] = fd;
	}
	return 0;
}

void perf_group_close(struct perf_group *group)
{
	int err = errno;

	while (group->nr)
		close(group->fds[--group->nr]);
	errno = err;
}

int perf_group_enable(const struct perf_group *group, int on)
{
	return group->nr ? ioctl(group->fds[0], on ? PERF_EVENT_IOC_ENABLE :
						     PERF_EVENT_IOC_DISABLE, 0) : 0;
}

int perf_group_read(const struct perf_group *group, const struct perf_set *set,
		    struct perf_values *values)
{
	struct {
		__u64 nr;
		__u64 enabled;
		__u64 running;
		__u64 counts[GROUP_MAX];
	} buf;
	ssize_t size = offsetof(__typeof__(buf), counts) + group->nr * sizeof(buf.counts[0]), n;
	int i;

	memset(values, 0, sizeof(*values));
	if (!group->nr)
		return 0;
	n = read(group->fds[0], &buf, sizeof(buf));
	if (!n)
		return 1;
	if (n != size) {
		if (errno == ECHILD)
			return pmc_fail(EAGAIN, "the process starts threads too fast: try again");
		return pmc_fail(EIO, "cannot read the counts: %m");
	}
	values->enabled = buf.enabled;
	values->running = buf.running;
	for (i = 0; i < set->nr; i++)
		values->counts[i] = buf.counts[set->at[i]];
	return 0;
}
