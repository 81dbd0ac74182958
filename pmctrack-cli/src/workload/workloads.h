/* SPDX-License-Identifier: GPL-2.0 */
/* Programs that each use another part of a machine. */
#ifndef PMCTRACK_WORKLOAD_WORKLOADS_H
#define PMCTRACK_WORKLOAD_WORKLOADS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct workload_size - how much a workload does
 * @rounds: how often; a round takes about a hundred thousand instructions
 * @bytes: memory, or size of the file, that it uses
 * @folder: where files are made
 */
struct workload_size {
	unsigned long rounds;
	size_t bytes;
	const char *folder;
};

/* Each returns a result, which depends on all of its work. */
uint64_t work_integer(const struct workload_size *size);
uint64_t work_float(const struct workload_size *size);
uint64_t work_divide(const struct workload_size *size);
uint64_t work_branch(const struct workload_size *size);
uint64_t work_sort(const struct workload_size *size);
uint64_t work_stream(const struct workload_size *size);
uint64_t work_chase(const struct workload_size *size);
uint64_t work_tlb(const struct workload_size *size);
uint64_t work_syscall(const struct workload_size *size);
uint64_t work_fault(const struct workload_size *size);
uint64_t work_disk(const struct workload_size *size);

/* The next of a row of random numbers, which is the same each time (Marsaglia, 2003: xorshift) */
static inline uint64_t work_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* Memory that is not used yet; ends the program if there is none */
void *work_memory(size_t bytes);

#endif
