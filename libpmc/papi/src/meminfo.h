/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory of the machine, of its nodes, and of the process. @root is the folder that has /proc
 * and /sys, as in kernel_file.h. The calls return what those of pmcpapi.h do.
 */
#ifndef PAPI_MEMINFO_H
#define PAPI_MEMINFO_H

#include "pmcpapi.h"

int memory_of_node(struct pmcpapi_node_memory *memory, const char *root, int node);
int memory_of_machine(struct pmcpapi_machine_memory *memory, const char *root);

/** memory_high_water - @stack: an address in the thread's stack */
int memory_high_water(struct pmcpapi_high_water *most, const char *root, uintptr_t stack);

int memory_swapping(struct pmcpapi_swapping *swapping, const char *root);

/* numa_memory.c */
int memory_locality(long long *kib, int nr_nodes, const char *root);

/**
 * struct memory_object - an object in memory
 * @address, @size: where
 * @page_size: of the system
 */
struct memory_object {
	uintptr_t address;
	size_t size;
	size_t page_size;
};

/** memory_location - @root: other than "": only the file of page maps is asked */
int memory_location(const struct memory_object *object, long long *kib, int nr_nodes,
		    long long *absent, const char *root);

#endif
