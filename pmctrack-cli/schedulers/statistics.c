// SPDX-License-Identifier: GPL-2.0
/* Statistics of a scheduler: read from the BPF program, which has them by CPU, and printed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "scheduler.h"
#include "statistics.h"

#define STAT_ROW(constant, group, name) [constant] = { group, name },
static const struct {
	const char *group;
	const char *name;
} table[NR_STATISTICS] = { STATISTICS(STAT_ROW) };
#undef STAT_ROW

int read_statistics(int map, __u64 counts[NR_STATISTICS])
{
	int nr_cpus = libbpf_num_possible_cpus(), ret = 0, cpu;
	__u64 *of_cpu;
	__u32 key;

	if (nr_cpus < 0)
		return nr_cpus;
	of_cpu = calloc(nr_cpus, sizeof(*of_cpu));
	if (!of_cpu)
		return -ENOMEM;
	memset(counts, 0, NR_STATISTICS * sizeof(*counts));
	for (key = 0; key < NR_STATISTICS && !ret; key++) {
		if (bpf_map_lookup_elem(map, &key, of_cpu))
			ret = -errno;
		for (cpu = 0; cpu < nr_cpus && !ret; cpu++)
			counts[key] += of_cpu[cpu];
	}
	free(of_cpu);
	return ret;
}

void print_statistics(const __u64 now[NR_STATISTICS], const __u64 before[NR_STATISTICS])
{
	int nr = scheduler.asks ? NR_STATISTICS : FIRST_METRIC_STATISTIC, i;
	const char *group = "";

	for (i = 0; i < nr; i++) {
		if (strcmp(table[i].group, group))
			fprintf(stderr, "%s%s: %s:", i ? "\n" : "", scheduler.name,
				table[i].group);
		else
			fputc(',', stderr);
		group = table[i].group;
		fprintf(stderr, " %llu %s", now[i] - before[i], table[i].name);
	}
	fputc('\n', stderr);
}
