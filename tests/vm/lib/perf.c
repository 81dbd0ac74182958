// SPDX-License-Identifier: GPL-2.0
/* The kernel's own perf_event, for tests beside it. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

int perf_try(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	attr->size = sizeof(*attr);
	return syscall(SYS_perf_event_open, attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);
}

int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	int fd = perf_try(attr, pid, cpu, group);

	if (fd < 0)
		die("perf_event_open: %s", strerror(errno));
	return fd;
}

bool perf_read(int fd, struct value *v)
{
	ssize_t len = read(fd, v, sizeof(*v));

	if (len && len != sizeof(*v))
		die("read of a perf event: %zd, %s", len, strerror(errno));
	return len;
}

int pmu_number(const char *pmu, const char *file, bool last)
{
	char path[200], text[100] = "", *end;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%s", pmu, file);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (!fgets(text, sizeof(text), f))
		die("%s: empty", path);
	fclose(f);
	end = strpbrk(text, "-,");
	return atoi(last && end ? end + 1 : text);
}

int pmu_cpu(const char *pmu, bool last)
{
	int cpu = pmu_number(pmu, "cpus", last);

	if (cpu >= 0)
		return cpu;
	return last ? sysconf(_SC_NPROCESSORS_ONLN) - 1 : 0;
}

int perf_type(int core_type)
{
	const char *pmu = core_types[core_type].pmu;
	int type = pmu_number(pmu, "type", false);

	if (type < 0)
		die("%s: no such PMU", pmu);
	return type;
}

int perf_own(int config, bool pinned, int group)
{
	struct perf_event_attr attr = {
		.type = perf_type(core_type_of(sched_getcpu())),
		.config = config,
		.exclude_kernel = 1,
		.disabled = group < 0,
		.pinned = pinned,
		.read_format = PERF_TIMES,
	};

	return perf_open(&attr, 0, -1, group);
}

int perf_sampled(int type, uint64_t config, int period)
{
	struct perf_event_attr attr = {
		.type = type,
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1,
		.sample_period = period,
		.sample_type = period ? PERF_SAMPLE_READ : 0,
	};

	return perf_open(&attr, 0, -1, -1);
}

long long perf_count(int fd)
{
	long long value = -1;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		die("read of a perf event: no value");
	return value;
}
