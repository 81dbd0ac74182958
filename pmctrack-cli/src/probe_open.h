/* SPDX-License-Identifier: GPL-2.0 */
/* The events of a CPU: a group with counters and probes. */
#ifndef PMCTRACK_PROBE_OPEN_H
#define PMCTRACK_PROBE_OPEN_H

#include <linux/perf_event.h>

#include "probe.h"

/* Bytes of the ring of a CPU; a power of two */
#define PROBE_RING_SIZE (4 << 20)

/* The fields of a sample of the group */
#define PROBE_SAMPLE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_READ)

/* The kernel's number of a probe: of the entry, or of the return, of a function */
struct probe_id {
	uint64_t id;
	int function;
	int is_return;
};

/**
 * struct probe_group - the events of a CPU; the first of @fds is the leader
 * @ring: a page that describes the ring, and PROBE_RING_SIZE bytes
 * @ids: the probes, by number
 */
struct probe_group {
	int nr;
	int *fds;
	struct perf_event_mmap_page *ring;
	int nr_ids;
	struct probe_id *ids;
};

/* Open all events, which do not count yet. bad() if that fails */
void probe_group_open(struct probe_group *group, int cpu, const struct probe_core_type *ct,
		      struct probe_functions *functions);
void probe_group_close(struct probe_group *group);

/* The probe with this number, or NULL */
const struct probe_id *probe_group_find(const struct probe_group *group, uint64_t id);

#endif
