// SPDX-License-Identifier: LGPL-2.1-or-later
/* Readings of calipers by system call, which work on every machine. */
#include <string.h>
#include <sys/ioctl.h>

#include "caliper.h"
#include "thread_session.h"

/* The session may have counted before the caliper was opened. Levels are as they are now. */
static void subtract(const pmc_caliper_t *caliper, uint64_t *counts, unsigned int nr_counts,
		     uint64_t *values)
{
	unsigned int i;

	for (i = 0; i < nr_counts; i++)
		counts[i] -= caliper->before[i];
	for (i = 0; i < (unsigned int)caliper->nr_virtual; i++)
		if (caliper->virtual_grows[i])
			values[i] -= caliper->before[nr_counts + i];
}

int caliper_read_all(pmc_caliper_t *caliper, uint64_t *counts, uint64_t *values)
{
	struct pmc_read arg = { .core_type = PMC_ALL_CORE_TYPES };

	if (ioctl(pmc_session_fd(caliper->ts->session), PMC_IOC_READ, &arg))
		return -1;
	memcpy(counts, arg.counts, arg.nr_counts * sizeof(*counts));
	memcpy(values, arg.counts + arg.nr_counts, caliper->nr_virtual * sizeof(*values));
	subtract(caliper, counts, arg.nr_counts, values);
	return arg.nr_counts;
}

int caliper_read_by_call(pmc_caliper_t *caliper, uint64_t *counts)
{
	uint64_t values[PMC_MAX_VIRTUALS];

	return caliper_read_all(caliper, counts, values);
}

int pmc_caliper_read_virtual(pmc_caliper_t *caliper, uint64_t *values)
{
	uint64_t counts[PMC_MAX_COUNTS];

	return caliper_read_all(caliper, counts, values) < 0 ? -1 : caliper->nr_virtual;
}
