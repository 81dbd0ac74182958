// SPDX-License-Identifier: GPL-2.0
/*
 * The events of a CPU: a group with counters and probes (perf_event_open(2)). The leader is a
 * software event that takes a sample at each context switch; each probe takes one when a
 * function is entered or left. Each sample has the counts of the whole group.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common.h"
#include "probe_open.h"

#define RETURN_BIT 1	/* config:0, see /sys/bus/event_source/devices/uprobe/format */

#ifdef __aarch64__
#define SP_REGISTER 31	/* PERF_REG_ARM64_SP */
#else
#define SP_REGISTER 7	/* PERF_REG_X86_SP */
#endif

/* The kernel's own errno for what it cannot do; not in <errno.h> */
#define ENOTSUPP 524

static int uprobe_type(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
	int type = -1;

	if (!f || fscanf(f, "%d", &type) != 1)
		bad("probe: this kernel has no probes in user programs: it needs CONFIG_UPROBE_EVENTS");
	fclose(f);
	return type;
}

static int open_event(struct probe_group *group, struct perf_event_attr *attr, int cpu)
{
	int fd;

	attr->size = sizeof(*attr);
	attr->read_format = PERF_FORMAT_GROUP;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	fd = syscall(SYS_perf_event_open, attr, -1, cpu, group->nr ? group->fds[0] : -1,
		     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -1;
	group->fds = must_have(realloc(group->fds, (group->nr + 1) * sizeof(*group->fds)));
	group->fds[group->nr++] = fd;
	return fd;
}

static void check_rights(void)
{
	if (errno == EACCES || errno == EPERM)
		bad("probe: probes need the right to count on all CPUs: become root");
}

/* Records of new threads and programs come with the leader's samples. */
static void open_leader(struct probe_group *group, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.sample_period = 1, .sample_type = PROBE_SAMPLE, .sample_id_all = 1,
		.disabled = 1, .pinned = 1, .task = 1, .comm = 1, .comm_exec = 1,
		.watermark = 1, .wakeup_watermark = PROBE_RING_SIZE / 4,
	};

	if (open_event(group, &attr, cpu) >= 0)
		return;
	check_rights();
	bad("probe: cannot count on CPU %d: %s", cpu, strerror(errno));
}

static void map_ring(struct probe_group *group)
{
	group->ring = mmap(NULL, sysconf(_SC_PAGESIZE) + PROBE_RING_SIZE, PROT_READ | PROT_WRITE,
			   MAP_SHARED, group->fds[0], 0);
	if (group->ring == MAP_FAILED)
		bad("probe: no memory for the kernel's records: %s", strerror(errno));
}

static void open_counters(struct probe_group *group, int cpu, const struct probe_core_type *ct)
{
	struct perf_event_attr attr;
	int i;

	for (i = 0; i < ct->nr; i++) {
		attr = ct->attrs[i];
		if (open_event(group, &attr, cpu) >= 0)
			continue;
		if (errno == EINVAL || errno == ENOSPC)
			bad("probe: core type %s cannot count all %d events at once: ask for fewer",
			    ct->info->name, ct->nr);
		bad("probe: cannot count event %d on CPU %d: %s", i + 1, cpu, strerror(errno));
	}
}

static void add_id(struct probe_group *group, int fd, int function, int is_return)
{
	struct probe_id *id;

	group->ids = must_have(realloc(group->ids, (group->nr_ids + 1) * sizeof(*group->ids)));
	id = &group->ids[group->nr_ids++];
	*id = (struct probe_id){ .function = function, .is_return = is_return };
	if (ioctl(fd, PERF_EVENT_IOC_ID, &id->id) ||
	    ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, group->fds[0]))
		bad("probe: cannot record probes: %s", strerror(errno));
}

static int is_refusal(int err)
{
	return err == EINVAL || err == EIO || err == ENOTSUPP || err == EOPNOTSUPP || err == ENOEXEC;
}

/* Return: 0, or -1 if the kernel refuses the function. */
static int open_probe(struct probe_group *group, int cpu, int type, const struct probe_functions *all,
		      int n, int is_return)
{
	const struct probe_function *function = &all->all[n];
	struct perf_event_attr attr = {
		.type = type, .config = is_return ? RETURN_BIT : 0,
		.config1 = (uintptr_t)function->path, .config2 = function->offset,
		.sample_period = 1, .sample_type = PROBE_SAMPLE | PERF_SAMPLE_REGS_USER,
		.sample_regs_user = 1ULL << SP_REGISTER,
		.watermark = 1, .wakeup_watermark = PROBE_RING_SIZE / 4,
	};
	int fd = open_event(group, &attr, cpu);

	if (fd >= 0) {
		add_id(group, fd, n, is_return);
		return 0;
	}
	if (is_refusal(errno))
		return -1;
	check_rights();
	if (errno == ENOSPC || errno == E2BIG)
		bad("probe: %d functions are too many: a sample has no room for more", all->nr);
	bad("probe: cannot set a probe at %s: %s", function->name, strerror(errno));
}

static void open_probes(struct probe_group *group, int cpu, struct probe_functions *functions)
{
	int type = uprobe_type(), i;

	for (i = 0; i < functions->nr; i++)
		if (!functions->all[i].refused &&
		    (open_probe(group, cpu, type, functions, i, 0) ||
		     (!functions->all[i].entry_only && open_probe(group, cpu, type, functions, i, 1))))
			functions->all[i].refused = 1;
}

static int by_id(const void *a, const void *b)
{
	const struct probe_id *one = a, *other = b;

	return (one->id > other->id) - (one->id < other->id);
}

static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

void probe_group_open(struct probe_group *group, int cpu, const struct probe_core_type *ct,
		      struct probe_functions *functions)
{
	memset(group, 0, sizeof(*group));
	allow_files();
	open_leader(group, cpu);
	map_ring(group);
	open_counters(group, cpu, ct);
	open_probes(group, cpu, functions);
	qsort(group->ids, group->nr_ids, sizeof(*group->ids), by_id);
}

void probe_group_close(struct probe_group *group)
{
	munmap(group->ring, sysconf(_SC_PAGESIZE) + PROBE_RING_SIZE);
	while (group->nr)
		close(group->fds[--group->nr]);
	free(group->fds);
	free(group->ids);
}

const struct probe_id *probe_group_find(const struct probe_group *group, uint64_t id)
{
	const struct probe_id wanted = { .id = id };

	return bsearch(&wanted, group->ids, group->nr_ids, sizeof(wanted), by_id);
}
