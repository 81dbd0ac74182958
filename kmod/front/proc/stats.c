// SPDX-License-Identifier: GPL-2.0
/* /proc/pmc/stats: numbers of events since the module was loaded. */
#include <linux/cpumask.h>
#include <linux/seq_file.h>
#include "base/stats.h"
#include "front/hotplug.h"
#include "front/proc/stats.h"

static const char *const names[PMC_STAT_NR] = {
	[PMC_STAT_SAMPLES] = "samples",
	[PMC_STAT_LOST] = "lost",
	[PMC_STAT_THROTTLED] = "throttled",
	[PMC_STAT_COUNTERS_LOST] = "counters_lost",
	[PMC_STAT_POOL_MISSES] = "pool_misses",
	[PMC_STAT_UNMONITORED] = "unmonitored",
};

int pmc_stats_show(struct seq_file *m, void *unused)
{
	unsigned int cpu, i;
	u64 sum;

	seq_printf(m, "sessions %d\n", atomic_read(&pmc_nr_sessions));
	seq_printf(m, "threads %d\n", atomic_read(&pmc_nr_threads));
	seq_printf(m, "cpus_left_out %u\n", pmc_nr_unavailable_cpus());
	for (i = 0; i < PMC_STAT_NR; i++) {
		sum = 0;
		for_each_possible_cpu(cpu)
			sum += per_cpu(pmc_stats, cpu)[i];
		seq_printf(m, "%s %llu\n", names[i], sum);
	}
	return 0;
}
