/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes that are counted by virtual counters and work on request. A worker runs on one
 * CPU and loads memory that no other process loads, so the lines that it brings into a
 * cache are known.
 */
#ifndef VM_WORKER_H
#define VM_WORKER_H

#include <stdint.h>
#include <sys/types.h>

/* Size of the machine's last-level cache; see machine/cache.c. */
#define LINE		64
#define KIB		1024l
#define CACHE		(1024 * KIB)
/* Lines of other processes, which run as well. */
#define SLACK		(CACHE / 10)

#define WORKER_VALUES	4

struct worker {
	pid_t pid;
	int to, from;
};

/* Memory of all workers: so many bytes, in pages that follow one another. */
void worker_memory(long size);
/* A process on a CPU. Its session begins with these virtual counters; NULL: none. */
struct worker worker_start(int cpu, const char *virtuals);
/* Loads each line of some of the memory. */
void worker_load(const struct worker *p, long from, long size);
/* Stores to each line of as much memory of its own, several times. */
void worker_store(const struct worker *p, long size, int times);
/* Runs a loop of so many ns, while the caller goes on. */
void worker_spin(const struct worker *p, long ns);
/* Wait for the end of the loop, and return the virtual counters right after it. */
void worker_spun(const struct worker *p, uint64_t values[WORKER_VALUES]);
/* Its virtual counters now */
void worker_read(const struct worker *p, uint64_t values[WORKER_VALUES]);
/* The same, the first one. */
uint64_t worker_value(const struct worker *p);
/* The virtual counters of the caller's own session, which counts the caller */
void worker_read_here(int session, uint64_t values[WORKER_VALUES]);
void worker_end(struct worker *p);
/* End it at once, whatever it does. */
void worker_kill(struct worker *p);

/* The same loads by the caller. */
void load_memory(long from, long size);

#endif
