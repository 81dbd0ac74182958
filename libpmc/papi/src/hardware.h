/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine: what PAPI_get_hardware_info() and the devices say. */
#ifndef PAPI_HARDWARE_H
#define PAPI_HARDWARE_H

#include "core_types.h"
#include "cpuinfo.h"
#include "papi.h"
#include "topology.h"

/**
 * struct hardware - the machine
 * @info: for PAPI_get_hardware_info()
 * @topology: CPUs, cores, sockets and nodes
 * @types: core types
 * @cpus: by core type: its first CPU
 * @names: by core type: the model's name, with the kind of core if others have the same
 * @caches: by core type
 * @node_kib: by NUMA node: its memory in KiB
 */
struct hardware {
	PAPI_hw_info_t info;
	struct topology topology;
	struct core_types types;
	struct cpuinfo cpus[MAX_CORE_TYPES];
	char names[MAX_CORE_TYPES][PAPI_MAX_STR_LEN];
	PAPI_mh_info_t caches[MAX_CORE_TYPES];
	long long *node_kib;
};

/**
 * hardware_read - describe a machine
 * @root: folder that has its /proc, /sys and /dev; "": this machine
 *
 * Return: an object for hardware_free(); NULL without memory.
 */
struct hardware *hardware_read(const char *root);
void hardware_free(struct hardware *hw);

/** hardware_get - this machine, read at the first call; NULL without memory */
const struct hardware *hardware_get(void);

#endif /* PAPI_HARDWARE_H */
