// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How much memory there is, and how much of it is used. The kernel's files have a number in KiB
 * in each line; a reader of a file is a table of names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "kernel_file.h"
#include "meminfo.h"

/* A line that is wanted, and its number */
struct wanted {
	const char *name;
	long long *number;
};

#define NR(table) (sizeof(table) / sizeof((table)[0]))

/* "MemTotal:  1024 kB", or in files of nodes "Node 0 MemTotal:  1024 kB" */
static void take_line(char *line, const struct wanted *wanted, size_t nr)
{
	char *colon = strchr(line, ':'), *name;
	size_t i;

	if (!colon)
		return;
	*colon = '\0';
	name = strrchr(line, ' ');
	name = name ? name + 1 : line;
	for (i = 0; i < nr; i++)
		if (!strcmp(name, wanted[i].name))
			*wanted[i].number = strtoll(colon + 1, NULL, 10);
}

/* Read a file to its end. Numbers that it does not have stay as they are. */
static int take_file(FILE *f, const struct wanted *wanted, size_t nr)
{
	char line[256];

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		take_line(line, wanted, nr);
	fclose(f);
	return 0;
}

int memory_of_node(struct pmcpapi_node_memory *memory, const char *root, int node)
{
	const struct wanted wanted[] = {
		{ "MemTotal", &memory->total },
		{ "MemFree", &memory->free },
	};
	FILE *f = kernel_file_open(root, "/sys/devices/system/node/node%d/meminfo", node);

	memset(memory, 0, sizeof(*memory));
	/* A kernel without NUMA has no nodes: all memory is that of the first. */
	if (!f && node == 0)
		f = kernel_file_open(root, "/proc/meminfo");
	if (take_file(f, wanted, NR(wanted)))
		return PAPI_EINVAL;
	memory->used = memory->total - memory->free;
	return PAPI_OK;
}

int memory_of_machine(struct pmcpapi_machine_memory *memory, const char *root)
{
	long long swap_free = 0;
	const struct wanted wanted[] = {
		{ "MemTotal", &memory->total },
		{ "MemAvailable", &memory->available },
		{ "SwapTotal", &memory->swap_total },
		{ "SwapFree", &swap_free },
	};

	memset(memory, 0, sizeof(*memory));
	if (take_file(kernel_file_open(root, "/proc/meminfo"), wanted, NR(wanted)))
		return PAPI_ESYS;
	memory->used = memory->total - memory->available;
	memory->swap_used = memory->swap_total - swap_free;
	return PAPI_OK;
}

/* "7ffc1000-7ffc3000 rw-p ...": does the mapping that begins with this line have the address? */
static int has_address(const char *line, uintptr_t address, int *is_head)
{
	unsigned long long from, to;

	*is_head = sscanf(line, "%llx-%llx ", &from, &to) == 2;
	return *is_head && address >= from && address < to;
}

/*
 * Return the used part of the mapping with an address, in memory or swapped out. Stacks never
 * give memory back, so this is the most that was used.
 */
static long long used_of_mapping(const char *root, uintptr_t address)
{
	FILE *f = kernel_file_open(root, "/proc/self/smaps");
	long long resident = 0, swapped = 0;
	const struct wanted wanted[] = { { "Rss", &resident }, { "Swap", &swapped } };
	int inside = 0, is_head;
	char *line = NULL;
	size_t size = 0;

	while (f && getline(&line, &size, f) > 0) {
		int begins = has_address(line, address, &is_head);

		if (inside && is_head)
			break;
		inside |= begins;
		if (inside && !is_head)
			take_line(line, wanted, NR(wanted));
	}
	free(line);
	if (f)
		fclose(f);
	return resident + swapped;
}

int memory_high_water(struct pmcpapi_high_water *most, const char *root, uintptr_t stack)
{
	const struct wanted wanted[] = {
		{ "VmHWM", &most->resident },
		{ "VmPeak", &most->virtual_size },
	};

	memset(most, 0, sizeof(*most));
	if (take_file(kernel_file_open(root, "/proc/self/status"), wanted, NR(wanted)))
		return PAPI_ESYS;
	most->thread_stack = used_of_mapping(root, stack);
	return PAPI_OK;
}

/* The tenth number after the program's name, which is in parentheses and may have any bytes */
static int read_major_faults(long long *faults, const char *root, const char *path)
{
	char line[1024], *end;

	if (kernel_file_line(line, sizeof(line), root, "%s", path))
		return -1;
	end = strrchr(line, ')');
	return end && sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %lld", faults) == 1 ?
	       0 : -1;
}

int memory_swapping(struct pmcpapi_swapping *swapping, const char *root)
{
	const struct wanted wanted[] = { { "VmSwap", &swapping->swapped } };

	memset(swapping, 0, sizeof(*swapping));
	if (take_file(kernel_file_open(root, "/proc/self/status"), wanted, NR(wanted)) ||
	    read_major_faults(&swapping->major_faults, root, "/proc/self/stat") ||
	    read_major_faults(&swapping->thread_major_faults, root, "/proc/thread-self/stat"))
		return PAPI_ESYS;
	return PAPI_OK;
}

/* ---- the calls ---- */

static int check(const void *out)
{
	return !PAPI_is_initialized() ? PAPI_ENOINIT : out ? PAPI_OK : PAPI_EINVAL;
}

int pmcpapi_memory_of_node(int node, struct pmcpapi_node_memory *memory)
{
	int rc = check(memory);

	return papi_fail(rc == PAPI_OK ? memory_of_node(memory, "", node) : rc);
}

int pmcpapi_memory_of_machine(struct pmcpapi_machine_memory *memory)
{
	int rc = check(memory);

	return papi_fail(rc == PAPI_OK ? memory_of_machine(memory, "") : rc);
}

int pmcpapi_memory_high_water(struct pmcpapi_high_water *most)
{
	int rc = check(most);

	return papi_fail(rc == PAPI_OK ? memory_high_water(most, "", (uintptr_t)&rc) : rc);
}

int pmcpapi_memory_swapping(struct pmcpapi_swapping *swapping)
{
	int rc = check(swapping);

	return papi_fail(rc == PAPI_OK ? memory_swapping(swapping, "") : rc);
}

int pmcpapi_memory_locality(long long *kib, int nr_nodes)
{
	int rc = check(kib);

	if (rc == PAPI_OK)
		rc = nr_nodes > 0 ? memory_locality(kib, nr_nodes, "") : PAPI_EINVAL;
	return rc < 0 ? papi_fail(rc) : rc;
}

int pmcpapi_memory_location(const void *object, size_t size, long long *kib, int nr_nodes,
			    long long *absent)
{
	struct memory_object o = { (uintptr_t)object, size, sysconf(_SC_PAGESIZE) };
	int rc = check(kib);

	if (rc == PAPI_OK)
		rc = size && nr_nodes > 0 ? memory_location(&o, kib, nr_nodes, absent, "") :
		     PAPI_EINVAL;
	return rc < 0 ? papi_fail(rc) : rc;
}
