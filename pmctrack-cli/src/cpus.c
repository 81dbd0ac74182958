// SPDX-License-Identifier: GPL-2.0
/* Parse sets of CPUs. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "options.h"

static int parse_mask(const char *text, cpu_set_t *set)
{
	unsigned long long mask;
	char *end;
	int cpu;

	errno = 0;
	mask = strtoull(text, &end, 16);
	if (errno || *end || !mask)
		return -1;
	for (cpu = 0; cpu < 64; cpu++)
		if (mask & 1ULL << cpu)
			CPU_SET(cpu, set);
	return 0;
}

static int parse_cpu(const char **text)
{
	char *end;
	long cpu;

	if (!isdigit((unsigned char)**text))
		return -1;
	cpu = strtol(*text, &end, 10);
	*text = end;
	return cpu < CPU_SETSIZE ? (int)cpu : -1;
}

int cpus_parse(const char *text, cpu_set_t *set)
{
	int first, last;

	CPU_ZERO(set);
	if (text[0] == '0' && (text[1] | 0x20) == 'x')
		return parse_mask(text, set);
	for (;;) {
		first = last = parse_cpu(&text);
		if (*text == '-') {
			text++;
			last = parse_cpu(&text);
		}
		if (first < 0 || last < first)
			return -1;
		for (; first <= last; first++)
			CPU_SET(first, set);
		if (!*text)
			return 0;
		if (*text++ != ',')
			return -1;
	}
}
