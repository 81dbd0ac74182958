// SPDX-License-Identifier: GPL-2.0
/*
 * Records of the kernel on each CPU, in the order of time. A sample has the counts of its CPU
 * since the start. Each context switch and each probe takes one, so what was counted from one
 * sample of a CPU to the next one belongs to the thread of the latter.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "common.h"
#include "probe_open.h"
#include "probe_rings.h"

#define RECORD_MAX 65536	/* size of a record has 16 bits */
#define WAIT_MS 100

/**
 * struct probe_cpu - a CPU
 * @last: the counts of its latest sample
 * @exit_pid: a process and its thread that ends on this CPU with the next sample, in which it may
 *	have no number any more
 * @queue: records that were not taken yet, from @first on
 */
struct probe_cpu {
	int cpu;
	int core_type;
	struct probe_group group;
	uint64_t last[PMC_MAX_COUNTS];
	pid_t exit_pid;
	pid_t exit_tid;
	size_t first;
	size_t nr;
	size_t room;
	struct probe_record *queue;
};

/* The end of a record that is no sample (PERF_SAMPLE_TID, _TIME, _IDENTIFIER) */
struct record_end {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint64_t id;
};

/* PERF_RECORD_FORK and PERF_RECORD_EXIT */
struct record_task {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t parent;
	uint32_t tid;
	uint32_t parent_tid;
	uint64_t time;
};

/* PERF_RECORD_LOST */
struct record_lost {
	struct perf_event_header header;
	uint64_t id;
	uint64_t lost;
};

/* PERF_RECORD_SAMPLE with PROBE_SAMPLE; the registers follow @counts. */
struct record_sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint64_t nr;
	uint64_t counts[];	/* of the leader first */
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static struct probe_record *append(struct probe_cpu *cpu)
{
	if (cpu->first == cpu->nr)
		cpu->first = cpu->nr = 0;
	if (cpu->nr == cpu->room) {
		cpu->room = cpu->room ? 2 * cpu->room : 256;
		cpu->queue = must_have(realloc(cpu->queue, cpu->room * sizeof(*cpu->queue)));
	}
	memset(&cpu->queue[cpu->nr], 0, sizeof(*cpu->queue));
	cpu->queue[cpu->nr].core_type = cpu->core_type;
	return &cpu->queue[cpu->nr++];
}

static void add_sample(struct probe_rings *rings, struct probe_cpu *cpu, const struct record_sample *s)
{
	const struct probe_id *probe = probe_group_find(&cpu->group, s->id);
	struct probe_record *r = append(cpu);
	int i;

	r->time = s->time;
	r->pid = s->pid;
	r->tid = s->tid;
	r->what = PROBE_SWITCH;
	if (r->tid < 0 || r->tid == cpu->exit_tid) {
		r->what = PROBE_EXIT;
		r->pid = cpu->exit_pid;
		r->tid = cpu->exit_tid;
	}
	cpu->exit_tid = 0;
	for (i = 0; i < rings->events->core_types[cpu->core_type].nr; i++) {
		r->counts[i] = s->counts[1 + i] - cpu->last[i];
		cpu->last[i] = s->counts[1 + i];
	}
	if (!probe || rings->functions->all[probe->function].refused)
		return;
	r->what = probe->is_return ? PROBE_RETURN : PROBE_ENTRY;
	r->function = probe->function;
	/* The ABI of the registers, then the one that was asked for */
	r->sp = s->counts[s->nr + 1];
}

static void add_fork(struct probe_cpu *cpu, const struct record_task *fork)
{
	struct probe_record *r = append(cpu);

	r->time = fork->time;
	r->what = PROBE_FORK;
	r->pid = fork->pid;
	r->tid = fork->tid;
	r->parent = fork->parent;
}

static void add_exit(struct probe_cpu *cpu, const struct record_task *task)
{
	cpu->exit_pid = task->pid;
	cpu->exit_tid = task->tid;
}

static void add_exec(struct probe_cpu *cpu, const struct perf_event_header *header)
{
	const struct record_end *end = (const void *)((const char *)header + header->size - sizeof(*end));
	struct probe_record *r = append(cpu);

	r->time = end->time;
	r->what = PROBE_EXEC;
	r->pid = end->pid;
	r->tid = end->tid;
}

static void add(struct probe_rings *rings, struct probe_cpu *cpu, const struct perf_event_header *header)
{
	if (header->type == PERF_RECORD_SAMPLE)
		add_sample(rings, cpu, (const void *)header);
	else if (header->type == PERF_RECORD_FORK)
		add_fork(cpu, (const void *)header);
	else if (header->type == PERF_RECORD_EXIT)
		add_exit(cpu, (const void *)header);
	else if (header->type == PERF_RECORD_COMM && header->misc & PERF_RECORD_MISC_COMM_EXEC)
		add_exec(cpu, header);
	else if (header->type == PERF_RECORD_LOST)
		rings->lost += ((const struct record_lost *)header)->lost;
}

static void copy(void *to, const unsigned char *data, uint64_t at, size_t size)
{
	size_t start = at & (PROBE_RING_SIZE - 1), first = PROBE_RING_SIZE - start;

	if (first > size)
		first = size;
	memcpy(to, data + start, first);
	memcpy((char *)to + first, data, size - first);
}

static void read_ring(struct probe_rings *rings, struct probe_cpu *cpu)
{
	static uint64_t record[RECORD_MAX / sizeof(uint64_t)];
	struct perf_event_mmap_page *ring = cpu->group.ring;
	const unsigned char *data = (unsigned char *)ring + sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE), tail = ring->data_tail;
	struct perf_event_header header;

	while (tail < head) {
		copy(&header, data, tail, sizeof(header));
		copy(record, data, tail, header.size);
		add(rings, cpu, (void *)record);
		tail += header.size;
	}
	__atomic_store_n(&ring->data_tail, tail, __ATOMIC_RELEASE);
}

/* The CPU with the earliest record before @limit, or NULL */
static struct probe_cpu *earliest(struct probe_rings *rings, uint64_t limit)
{
	struct probe_cpu *cpu, *found = NULL;
	int i;

	for (i = 0; i < rings->nr; i++) {
		cpu = &rings->cpus[i];
		if (cpu->first < cpu->nr && cpu->queue[cpu->first].time < limit) {
			limit = cpu->queue[cpu->first].time;
			found = cpu;
		}
	}
	return found;
}

/*
 * A record is written some time after the time that it has. Those from before the previous
 * reading are complete.
 */
void probe_rings_read(struct probe_rings *rings, int all,
		      void (*take)(void *arg, const struct probe_record *record), void *arg)
{
	uint64_t start = now();
	struct probe_cpu *cpu;
	int i;

	for (i = 0; i < rings->nr; i++)
		read_ring(rings, &rings->cpus[i]);
	while ((cpu = earliest(rings, all ? UINT64_MAX : rings->limit)))
		take(arg, &cpu->queue[cpu->first++]);
	rings->limit = start;
}

static void add_cpu(struct probe_rings *rings, int number, int core_type)
{
	struct probe_cpu *cpu;

	rings->cpus = must_have(realloc(rings->cpus, (rings->nr + 1) * sizeof(*rings->cpus)));
	cpu = &rings->cpus[rings->nr++];
	*cpu = (struct probe_cpu){ .cpu = number, .core_type = core_type };
	probe_group_open(&cpu->group, number, &rings->events->core_types[core_type], rings->functions);
}

void probe_rings_open(struct probe_rings *rings, const struct probe_events *events,
		      struct probe_functions *functions)
{
	int id, cpu, i;

	memset(rings, 0, sizeof(*rings));
	rings->events = events;
	rings->functions = functions;
	for (id = 0; id < events->nr_core_types; id++)
		for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET(cpu, &events->core_types[id].cpus))
				add_cpu(rings, cpu, id);
	for (i = 0; i < rings->nr; i++)
		if (ioctl(rings->cpus[i].group.fds[0], PERF_EVENT_IOC_ENABLE, 0))
			bad("probe: cannot count on CPU %d: %s", rings->cpus[i].cpu, strerror(errno));
}

int probe_rings_wait(const struct probe_rings *rings, int fd)
{
	struct pollfd *fds = new_array(rings->nr + 1, sizeof(*fds));
	int i, ready;

	for (i = 0; i < rings->nr; i++)
		fds[i] = (struct pollfd){ .fd = rings->cpus[i].group.fds[0], .events = POLLIN };
	fds[rings->nr] = (struct pollfd){ .fd = fd, .events = POLLIN };
	ready = poll(fds, rings->nr + 1, WAIT_MS) > 0 && fds[rings->nr].revents;
	free(fds);
	return ready;
}

/* A pinned group that got no counters says end of file. */
static void check(const struct probe_cpu *cpu)
{
	size_t size = (cpu->group.nr + 1) * sizeof(uint64_t);
	void *values = new_array(1, size);
	ssize_t got = read(cpu->group.fds[0], values, size);

	free(values);
	if (!got)
		bad("probe: another program has counters of CPU %d: ask for fewer events, or end it",
		    cpu->cpu);
}

void probe_rings_close(struct probe_rings *rings)
{
	int i;

	for (i = 0; i < rings->nr; i++) {
		check(&rings->cpus[i]);
		probe_group_close(&rings->cpus[i].group);
		free(rings->cpus[i].queue);
	}
	free(rings->cpus);
}
