/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which CPUs are threads of one core, and where the cores are. Cores may differ in all of it. */
#ifndef PAPI_TOPOLOGY_H
#define PAPI_TOPOLOGY_H

#include "cpu_set.h"

/**
 * struct place - where a CPU is
 * @core: the lowest CPU of its core, which may be offline
 * @socket: number of its socket, from 0
 * @node: number of its NUMA node, from 0; -1: it has none
 */
struct place {
	int core;
	int socket;
	int node;
};

/**
 * struct topology - the CPUs that are online
 * @online: they
 * @places: by CPU
 * @nr_sockets: number of sockets
 * @nr_nodes: number of NUMA nodes, those without CPUs included; at least 1
 * @nodes: what the kernel calls them, in rising order
 */
struct topology {
	struct cpus online;
	struct place *places;
	int nr_sockets;
	int nr_nodes;
	struct cpus nodes;
};

/** topology_read - read the topology. Return: 0; -1 with errno set */
int topology_read(struct topology *t, const char *root);
void topology_free(struct topology *t);

/** topology_cores - the cores that CPUs are of, each by its lowest CPU */
void topology_cores(const struct topology *t, const struct cpus *cpus, struct cpus *cores);

/** topology_threads - the largest number of these CPUs in one core */
int topology_threads(const struct topology *t, const struct cpus *cpus);

/** topology_per_socket - the largest number of these CPUs in one socket */
int topology_per_socket(const struct topology *t, const struct cpus *cpus);

/** topology_sockets - number of sockets that have one of these CPUs */
int topology_sockets(const struct topology *t, const struct cpus *cpus);

/** topology_per_node - number of CPUs of a NUMA node; -1: the largest of all nodes */
int topology_per_node(const struct topology *t, int node);

#endif /* PAPI_TOPOLOGY_H */
