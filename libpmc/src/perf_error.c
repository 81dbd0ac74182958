// SPDX-License-Identifier: LGPL-2.1-or-later
/* Why perf_event_open() refused, and what to do about it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "perf_group.h"
#include "sysfs.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* From this value on, Debian's kernels and others allow unprivileged users nothing. */
#define PARANOID_ALL	3

static int paranoid(void)
{
	char text[16];

	return sysfs_read(text, sizeof(text), PARANOID) ? 2 : atoi(text);
}

/* Has the process a filter of system calls, as in a container? */
static int has_seccomp(void)
{
	char line[256];
	FILE *f = fopen("/proc/self/status", "re");
	int mode = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Seccomp: %d", &mode) == 1)
			break;
	if (f)
		fclose(f);
	return mode == 2;
}

static int counts_kernel(const struct perf_event_attr *attr)
{
	return !attr->exclude_kernel;
}

static int no_permission(int err, const struct perf_set *set, int i,
			 const struct perf_target *target)
{
	int level = paranoid();

	/* A filter says EPERM; the kernel says EACCES where perf_event_paranoid forbids it. */
	if (err == EPERM && has_seccomp())
		return pmc_fail(err, "perf_event_open() is forbidden here: in a container, allow it in the seccomp profile (docker run --cap-add PERFMON)");
	if (err == EPERM && !geteuid())
		return pmc_fail(err, "perf_event_open() is forbidden here, by a security module or by lost capabilities: run with CAP_PERFMON");
	if (level >= PARANOID_ALL)
		return pmc_fail(err, "kernel.perf_event_paranoid is %d, which allows unprivileged users no counters: as root, write sysctl kernel.perf_event_paranoid=2 (user mode) or 1, or load the kernel module (modprobe pmctrack)",
				level);
	if (target->tid < 0)
		return pmc_fail(err, "counting CPUs needs CAP_PERFMON, or kernel.perf_event_paranoid below 1; it is %d: as root, write sysctl kernel.perf_event_paranoid=0",
				level);
	if (level >= 2 && counts_kernel(&set->attrs[i]))
		return pmc_fail(err, "'%s' counts in kernel mode, which needs CAP_PERFMON, or kernel.perf_event_paranoid below 2; it is %d: as root, write sysctl kernel.perf_event_paranoid=1",
				set->names[i], level);
	return pmc_fail(err, "no permission to count thread %d: it belongs to another user or is protected",
			target->tid);
}

static int refused(int err, const struct perf_set *set, int i)
{
	if (i)
		return pmc_fail(err, "'%s' does not fit into a set of core type %d beside the events before it: split the set into several",
				set->names[i], set->core_type);
	return pmc_fail(err, "the kernel refuses '%s' on core type %d: the processor has no such event, or no such modifier",
			set->names[i], set->core_type);
}

int perf_explain(int err, const struct perf_set *set, int i, const struct perf_target *target)
{
	switch (err) {
	case EACCES:
	case EPERM:
		return no_permission(err, set, i, target);
	case ENOENT:
	case ENXIO:
	case EOPNOTSUPP:
		return pmc_fail(err, "the kernel cannot count '%s' on core type %d: the PMU lacks it; a virtual machine may lack the whole PMU",
				set->names[i], set->core_type);
	case EINVAL:
	case ENOSPC:
		return refused(err, set, i);
	case EBUSY:
		return pmc_fail(err, "'%s': another user has the counters for itself alone",
				set->names[i]);
	case ESRCH:
		return pmc_fail(err, "there is no process or thread %d", target->tid);
	case ENODEV:
		return pmc_fail(err, "CPU %d is offline, or has no counters", target->cpu);
	case EMFILE:
	case ENFILE:
		return pmc_fail(err, "too many open files: each thread takes one for each event of each core type; allow more (ulimit -n)");
	case ENOSYS:
		return pmc_fail(err, "this kernel has no perf_event_open(): load the kernel module (modprobe pmctrack)");
	}
	errno = err;
	return pmc_fail(err, "cannot count '%s': %m", set->names[i]);
}
