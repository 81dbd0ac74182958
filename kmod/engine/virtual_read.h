/* SPDX-License-Identifier: GPL-2.0 */
/* Reading the virtual counters of a session. */
#ifndef PMC_VIRTUAL_READ_H
#define PMC_VIRTUAL_READ_H

#include <linux/types.h>

struct monitoring_module;
struct pmc_module;
struct pmc_thread;

/**
 * struct pmc_virtual_use - a virtual counter that a session wants
 * @module: its module
 * @mm: the module's own description
 * @nr: its number there
 * @slot: the module's
 * @of_threads: the module reports values of threads, else of CPUs
 * @count: it grows: samples have the growth
 */
struct pmc_virtual_use {
	struct pmc_module *module;
	const struct monitoring_module *mm;
	unsigned int nr;
	u8 slot;
	bool of_threads;
	bool count;
};

void pmc_virtual_begin(struct pmc_thread *t);
void pmc_virtual_unknown(struct pmc_thread *t);
void pmc_virtual_save(struct pmc_thread *t);
void pmc_virtual_save_counts(struct pmc_thread *t);
void pmc_virtual_close(struct pmc_thread *t, u64 *total, u64 *values);
void pmc_virtual_peek(struct pmc_thread *t, const u64 *total, u64 *values);

#endif /* PMC_VIRTUAL_READ_H */
