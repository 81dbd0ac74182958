// SPDX-License-Identifier: LGPL-2.1-or-later
/* Literals of expressions: #smt_on and other facts about the machine, as perf names them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "metric_defs.h"

/* The first number of a file; -1 if there is none. */
static int read_number(const char *sys, const char *file, long *value)
{
	char path[512];
	FILE *f;
	int n;

	snprintf(path, sizeof(path), "%s/%s", sys, file);
	f = fopen(path, "re");
	if (!f)
		return -1;
	n = fscanf(f, "%li", value);
	fclose(f);
	return n == 1 ? 0 : -1;
}

/* Length of the list in a file, as 4 for "0-2,8"; -1 without such a file. */
static int count_list(const char *sys, const char *file)
{
	int first, last, n = 0, got;
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", sys, file);
	f = fopen(path, "re");
	if (!f)
		return -1;
	while ((got = fscanf(f, "%d-%d", &first, &last)) > 0) {
		n += got == 2 ? last - first + 1 : 1;
		if (fgetc(f) != ',')
			break;
	}
	fclose(f);
	return n;
}

/* Number of different CPUs that come first in their list in a file, as one of each core does */
static int count_groups(const char *sys, const char *list)
{
	char file[128];
	long first;
	int cpu, n = 0, nr = count_list(sys, "devices/system/cpu/present");

	for (cpu = 0; cpu < nr; cpu++) {
		snprintf(file, sizeof(file), "devices/system/cpu/cpu%d/topology/%s", cpu, list);
		if (!read_number(sys, file, &first) && first == cpu)
			n++;
	}
	return n ? n : -1;
}

/* Without such a file the kernel knows of no such threads. */
static double smt_is_on(const char *sys)
{
	long on;

	return !read_number(sys, "devices/system/cpu/smt/active", &on) && on;
}

int literal_value(const char *sys, const struct core_type *ct, const char *name, double *value)
{
	char file[128];
	long slots;

	*value = -1;
	if (!strcasecmp(name, "smt_on")) {
		*value = smt_is_on(sys);
	} else if (!strcasecmp(name, "core_wide")) {
		/* Threads are counted, and not cores. */
		*value = !smt_is_on(sys);
	} else if (!strcasecmp(name, "num_cpus")) {
		*value = count_list(sys, "devices/system/cpu/present");
	} else if (!strcasecmp(name, "num_cpus_online")) {
		*value = count_list(sys, "devices/system/cpu/online");
	} else if (!strcasecmp(name, "num_cores")) {
		*value = count_groups(sys, "thread_siblings_list");
	} else if (!strcasecmp(name, "num_dies")) {
		*value = count_groups(sys, "die_cpus_list");
	} else if (!strcasecmp(name, "num_packages")) {
		*value = count_groups(sys, "package_cpus_list");
	} else if (!strcasecmp(name, "slots")) {
		snprintf(file, sizeof(file), "bus/event_source/devices/%.64s/caps/slots",
			 ct->info.pmu);
		if (!read_number(sys, file, &slots) && slots)
			*value = slots;
	} else {
		return pmc_fail(EINVAL, "#%s is not known here", name);
	}
	if (*value < 0)
		return pmc_fail(ENOENT, "#%s is not known: %s does not have it", name, sys);
	return 0;
}
