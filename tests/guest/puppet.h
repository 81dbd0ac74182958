/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes that are counted by virtual counters and do as they are told: on
 * one CPU, loads of memory that no other process loads, so that what they
 * bring into a cache is known.
 */
#ifndef GUEST_PUPPET_H
#define GUEST_PUPPET_H

#include <stdint.h>
#include <sys/types.h>

/* Of the machine's last-level cache; see t_machine_cache.c. */
#define LINE		64
#define KIB		1024l
#define CACHE		(1024 * KIB)
/* Whatever else runs brings in lines, too. */
#define SLACK		(CACHE / 10)

#define PUPPET_VALUES	4

struct puppet {
	pid_t pid;
	int to, from;
};

/* Memory of all puppets: so many bytes, in pages that follow one another. */
void puppet_memory(long size);
/* A process on a CPU. Its session begins with these virtual counters; NULL: none. */
struct puppet puppet_start(int cpu, const char *virtuals);
/* Loads each line of some of the memory. */
void puppet_load(const struct puppet *p, long from, long size);
/* Stores to each line of as much memory of its own, several times. */
void puppet_store(const struct puppet *p, long size, int times);
/* Runs a loop of so many ns, while the caller goes on. */
void puppet_spin(const struct puppet *p, long ns);
/* Waits for its end, and tells the virtual counters right after it. */
void puppet_spun(const struct puppet *p, uint64_t values[PUPPET_VALUES]);
/* Its virtual counters now */
void puppet_read(const struct puppet *p, uint64_t values[PUPPET_VALUES]);
/* The same, the first one. */
uint64_t puppet_value(const struct puppet *p);
void puppet_end(struct puppet *p);

/* The same loads by the caller. */
void load_memory(long from, long size);

#endif
