// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists of CPUs, as the kernel writes them: 0-3,8 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_list.h"

int cpu_list_has(const struct cpu_list *list, int cpu)
{
	return cpu >= 0 && cpu < CPU_LIST_MAX && list->has[cpu / 8] >> cpu % 8 & 1;
}

/* One range from *@text on, which is moved behind it */
static int parse_range(struct cpu_list *list, const char **text)
{
	unsigned long first, last;
	char *end;

	if (!isdigit((unsigned char)**text))
		return -1;
	first = last = strtoul(*text, &end, 10);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return -1;
		last = strtoul(end + 1, &end, 10);
	}
	if (first > last || last >= CPU_LIST_MAX)
		return -1;
	for (; first <= last; first++)
		list->has[first / 8] |= 1 << first % 8;
	*text = end;
	return 0;
}

int cpu_list_parse(struct cpu_list *list, const char *text)
{
	memset(list, 0, sizeof(*list));
	while (!parse_range(list, &text)) {
		if (!*text)
			return 0;
		if (*text++ != ',')
			break;
	}
	return -1;
}
