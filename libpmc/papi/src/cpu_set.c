// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets of CPUs, and the lists that the kernel writes them as. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_set.h"
#include "kernel_file.h"

#define LONGEST_LIST (MAX_CPUS * 5)

int cpus_count(const struct cpus *set)
{
	int i, n = 0;

	for (i = 0; i < MAX_CPUS / 64; i++)
		n += __builtin_popcountll(set->words[i]);
	return n;
}

int cpus_next(const struct cpus *set, int cpu)
{
	uint64_t word;
	int i;

	if (++cpu >= MAX_CPUS)
		return -1;
	i = cpu / 64;
	word = set->words[i] & ~0ULL << cpu % 64;
	while (!word && ++i < MAX_CPUS / 64)
		word = set->words[i];
	return word ? i * 64 + __builtin_ctzll(word) : -1;
}

/* A number at *@text, which is moved behind it; -1: there is none, or no such CPU */
static int parse_cpu(const char **text)
{
	char *end;
	long cpu;

	if (!isdigit((unsigned char)**text))
		return -1;
	cpu = strtol(*text, &end, 10);
	*text = end;
	return cpu < MAX_CPUS ? (int)cpu : -1;
}

int cpus_parse(struct cpus *set, const char *list)
{
	int cpu, last;

	memset(set, 0, sizeof(*set));
	while (*list) {
		cpu = last = parse_cpu(&list);
		if (cpu >= 0 && *list == '-') {
			list++;
			last = parse_cpu(&list);
		}
		if (cpu < 0 || last < cpu)
			return -1;
		for (; cpu <= last; cpu++)
			cpus_add(set, cpu);
		if (*list == ',')
			list++;
		else if (*list)
			return -1;
	}
	return 0;
}

int cpus_read(struct cpus *set, const char *root, const char *path)
{
	char *list = malloc(LONGEST_LIST);
	int rc = -1;

	if (list && !kernel_file_line(list, LONGEST_LIST, root, "%s", path))
		rc = cpus_parse(set, list);
	free(list);
	return rc;
}
