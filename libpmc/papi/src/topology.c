// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Cores, sockets and NUMA nodes, from sysfs. Numbers are counted, never multiplied: cores of
 * one machine may have one thread or two, and sockets and nodes may differ, too.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_file.h"
#include "topology.h"

#define CPU_FOLDER "/sys/devices/system/cpu"
#define NODE_FOLDER "/sys/devices/system/node"

/* Without these files the kernel has been built for one CPU. */
static void read_online(struct cpus *online, const char *root)
{
	if ((cpus_read(online, root, CPU_FOLDER "/online") &&
	     cpus_read(online, root, CPU_FOLDER "/present")) || !cpus_count(online)) {
		memset(online, 0, sizeof(*online));
		cpus_add(online, 0);
	}
}

static int read_core(const char *root, int cpu)
{
	/* The first name is that of newer kernels, where both exist. */
	static const char *const names[] = { "core_cpus_list", "thread_siblings_list" };
	struct cpus siblings;
	char path[128];
	int first;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), CPU_FOLDER "/cpu%d/topology/%s", cpu, names[i]);
		if (cpus_read(&siblings, root, path))
			continue;
		first = cpus_next(&siblings, -1);
		return first >= 0 && first < cpu ? first : cpu;
	}
	return cpu;
}

/* Firmware numbers sockets as it likes; -1 is a socket whose number is not known. */
static int read_sockets(struct topology *t, const char *root)
{
	long long *names = calloc(cpus_count(&t->online), sizeof(*names));
	long long name;
	int cpu, i;

	if (!names)
		return -1;
	for_each_cpu(cpu, &t->online) {
		name = kernel_file_number(-1, root,
					  CPU_FOLDER "/cpu%d/topology/physical_package_id", cpu);
		for (i = 0; i < t->nr_sockets && names[i] != name; i++)
			;
		if (i == t->nr_sockets)
			names[t->nr_sockets++] = name;
		t->places[cpu].socket = i;
	}
	free(names);
	return 0;
}

/* A kernel without NUMA has no folder of nodes: everything is in one. */
static void read_nodes(struct topology *t, const char *root)
{
	int cpu, name, node = 0;
	struct cpus cpus;
	char path[128];

	if (cpus_read(&t->nodes, root, NODE_FOLDER "/online") || !cpus_count(&t->nodes)) {
		memset(&t->nodes, 0, sizeof(t->nodes));
		cpus_add(&t->nodes, 0);
	}
	t->nr_nodes = cpus_count(&t->nodes);
	for_each_cpu(cpu, &t->online)
		t->places[cpu].node = t->nr_nodes > 1 ? -1 : 0;
	for_each_cpu(name, &t->nodes) {
		snprintf(path, sizeof(path), NODE_FOLDER "/node%d/cpulist", name);
		if (!cpus_read(&cpus, root, path))
			for_each_cpu(cpu, &cpus)
				if (cpus_has(&t->online, cpu))
					t->places[cpu].node = node;
		node++;
	}
}

int topology_read(struct topology *t, const char *root)
{
	int cpu;

	memset(t, 0, sizeof(*t));
	read_online(&t->online, root);
	t->places = calloc(MAX_CPUS, sizeof(*t->places));
	if (!t->places || read_sockets(t, root)) {
		topology_free(t);
		errno = ENOMEM;
		return -1;
	}
	for_each_cpu(cpu, &t->online)
		t->places[cpu].core = read_core(root, cpu);
	read_nodes(t, root);
	return 0;
}

void topology_free(struct topology *t)
{
	free(t->places);
	t->places = NULL;
}

void topology_cores(const struct topology *t, const struct cpus *cpus, struct cpus *cores)
{
	int cpu;

	memset(cores, 0, sizeof(*cores));
	for_each_cpu(cpu, cpus)
		cpus_add(cores, t->places[cpu].core);
}

int topology_threads(const struct topology *t, const struct cpus *cpus)
{
	int cpu, core, n, most = 0;
	struct cpus cores;

	topology_cores(t, cpus, &cores);
	for_each_cpu(core, &cores) {
		n = 0;
		/* Siblings are far apart on many machines, but never below the core's name. */
		for (cpu = core; cpu >= 0; cpu = cpus_next(cpus, cpu))
			n += cpus_has(cpus, cpu) && t->places[cpu].core == core;
		if (n > most)
			most = n;
	}
	return most;
}

static int count_in_socket(const struct topology *t, const struct cpus *cpus, int socket)
{
	int cpu, n = 0;

	for_each_cpu(cpu, cpus)
		n += t->places[cpu].socket == socket;
	return n;
}

int topology_per_socket(const struct topology *t, const struct cpus *cpus)
{
	int socket, n, most = 0;

	for (socket = 0; socket < t->nr_sockets; socket++) {
		n = count_in_socket(t, cpus, socket);
		if (n > most)
			most = n;
	}
	return most;
}

int topology_sockets(const struct topology *t, const struct cpus *cpus)
{
	int socket, n = 0;

	for (socket = 0; socket < t->nr_sockets; socket++)
		n += count_in_socket(t, cpus, socket) > 0;
	return n;
}

int topology_per_node(const struct topology *t, int node)
{
	int i, cpu, n, most = 0;

	for (i = 0; i < t->nr_nodes; i++) {
		n = 0;
		for_each_cpu(cpu, &t->online)
			n += t->places[cpu].node == i;
		if (i == node)
			return n;
		if (n > most)
			most = n;
	}
	return most;
}
