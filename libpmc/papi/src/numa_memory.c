// SPDX-License-Identifier: LGPL-2.1-or-later
/* On which NUMA nodes memory is: that of the process, and that of an object in it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpu_set.h"
#include "kernel_file.h"
#include "meminfo.h"

/* Pages that are asked for at a time */
#define CHUNK 256
/* In the file of page maps: the page is in memory */
#define IS_PRESENT (1ULL << 63)

/* The largest number of a node, plus 1; 1 without NUMA */
static int count_nodes(const char *root)
{
	struct cpus nodes;
	int node, nr = 1;

	if (cpus_read(&nodes, root, "/sys/devices/system/node/online"))
		return 1;
	for_each_cpu(node, &nodes)
		nr = node + 1;
	return nr;
}

static void add(long long *kib, int nr_nodes, int node, long long more)
{
	if (node >= 0 && node < nr_nodes)
		kib[node] += more;
}

/* ---- the process ---- */

/*
 * "7f5a4000 default file=/lib/a.so mapped=3 N0=2 N1=1 kernelpagesize_kB=4": pages by node, with
 * the size of a page at the end. A blank in the name of a file is written as \040.
 */
static void add_mapping(long long *kib, int nr_nodes, char *line)
{
	long long pages, size = 0;
	char *word, *rest, *at;
	int pass, node;

	at = strstr(line, " kernelpagesize_kB=");
	if (!at || sscanf(at, " kernelpagesize_kB=%lld", &size) != 1)
		return;
	for (pass = 0, word = strtok_r(line, " \n", &rest); word;
	     word = strtok_r(NULL, " \n", &rest), pass++)
		if (pass > 1 && sscanf(word, "N%d=%lld", &node, &pages) == 2)
			add(kib, nr_nodes, node, pages * size);
}

/* Without NUMA all memory is at one place. */
static int read_resident(long long *kib, const char *root)
{
	FILE *f = kernel_file_open(root, "/proc/self/status");
	char line[256];
	int found = 0;

	if (!f)
		return PAPI_ESYS;
	while (!found && fgets(line, sizeof(line), f))
		found = sscanf(line, "VmRSS: %lld", kib) == 1;
	fclose(f);
	return found ? 1 : PAPI_ESYS;
}

int memory_locality(long long *kib, int nr_nodes, const char *root)
{
	FILE *f = kernel_file_open(root, "/proc/self/numa_maps");
	int nr = count_nodes(root);
	char *line = NULL;
	size_t size = 0;

	memset(kib, 0, nr_nodes * sizeof(*kib));
	if (!f)
		return nr == 1 ? read_resident(kib, root) : PAPI_ENOSUPP;
	while (getline(&line, &size, f) > 0)
		add_mapping(kib, nr_nodes, line);
	free(line);
	fclose(f);
	return nr;
}

/* ---- an object ---- */

/* Nodes of @nr pages from @address on; below 0: in no memory. -1: the kernel does not say. */
typedef int (*find_pages_fn)(int *nodes, uintptr_t address, size_t page_size, int nr, FILE *f);

static int ask_kernel(int *nodes, uintptr_t address, size_t page_size, int nr, FILE *f)
{
	void *pages[CHUNK];
	int i;

	(void)f;
	for (i = 0; i < nr; i++)
		pages[i] = (void *)(address + i * page_size);
	/* Without nodes to move to, the call only reports where the pages are. */
	return syscall(SYS_move_pages, 0, (unsigned long)nr, pages, NULL, nodes, 0) < 0 ? -1 : 0;
}

static int read_page_maps(int *nodes, uintptr_t address, size_t page_size, int nr, FILE *f)
{
	uint64_t maps[CHUNK];
	int i;

	if (!f || fseeko(f, (off_t)(address / page_size * sizeof(*maps)), SEEK_SET) ||
	    fread(maps, sizeof(*maps), nr, f) != (size_t)nr)
		return -1;
	for (i = 0; i < nr; i++)
		nodes[i] = maps[i] & IS_PRESENT ? 0 : -ENOENT;
	return 0;
}

/* Add the pages of an object. -1: the kernel does not say where they are. */
static int add_object(const struct memory_object *o, long long *kib, int nr_nodes,
		      long long *absent, find_pages_fn find, FILE *f)
{
	uintptr_t at = o->address & ~(uintptr_t)(o->page_size - 1);
	size_t left = (o->address + o->size - at + o->page_size - 1) / o->page_size;
	int nodes[CHUNK], nr, i;

	memset(kib, 0, nr_nodes * sizeof(*kib));
	*absent = 0;
	for (; left; left -= nr, at += nr * o->page_size) {
		nr = left < CHUNK ? left : CHUNK;
		if (find(nodes, at, o->page_size, nr, f))
			return -1;
		for (i = 0; i < nr; i++) {
			if (nodes[i] < 0)
				*absent += o->page_size / 1024;
			else
				add(kib, nr_nodes, nodes[i], o->page_size / 1024);
		}
	}
	return 0;
}

/* A kernel without NUMA, or a sandbox, may lack the call; with one node, page maps say enough. */
int memory_location(const struct memory_object *object, long long *kib, int nr_nodes,
		    long long *absent, const char *root)
{
	int nr = count_nodes(root), rc = -1;
	long long unused;
	FILE *f;

	if (!absent)
		absent = &unused;
	if (!*root)
		rc = add_object(object, kib, nr_nodes, absent, ask_kernel, NULL);
	if (!rc)
		return nr;
	if (nr > 1)
		return PAPI_ENOSUPP;
	f = kernel_file_open(root, "/proc/self/pagemap");
	rc = add_object(object, kib, nr_nodes, absent, read_page_maps, f);
	if (f)
		fclose(f);
	return rc ? PAPI_ENOSUPP : 1;
}
