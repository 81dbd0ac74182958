// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Memory of the process: the kernel's numbers in /proc/self/status, in KiB. They cost no
 * walk through the page tables, as those of smaps do, and may be some pages old on machines
 * with many CPUs.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dmem.h"
#include "errors.h"
#include "kernel_file.h"

struct status_line {
	const char *name;
	size_t member;
};

static const struct status_line lines[] = {
	{ "VmPeak", offsetof(PAPI_dmem_info_t, peak) },
	{ "VmSize", offsetof(PAPI_dmem_info_t, size) },
	{ "VmLck", offsetof(PAPI_dmem_info_t, locked) },
	{ "VmHWM", offsetof(PAPI_dmem_info_t, high_water_mark) },
	{ "VmRSS", offsetof(PAPI_dmem_info_t, resident) },
	{ "VmData", offsetof(PAPI_dmem_info_t, heap) },
	{ "VmStk", offsetof(PAPI_dmem_info_t, stack) },
	{ "VmExe", offsetof(PAPI_dmem_info_t, text) },
	{ "VmLib", offsetof(PAPI_dmem_info_t, library) },
	{ "VmPTE", offsetof(PAPI_dmem_info_t, pte) },
};

/* "VmPeak:	    2860 kB" */
static void read_line(PAPI_dmem_info_t *info, char *line)
{
	char *value = strchr(line, ':');
	size_t i;

	if (!value)
		return;
	*value++ = '\0';
	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (!strcmp(line, lines[i].name))
			*(long long *)((char *)info + lines[i].member) = strtoll(value, NULL, 10);
}

static int read_status(PAPI_dmem_info_t *info, const char *root)
{
	FILE *f = kernel_file_open(root, "/proc/self/status");
	char line[256];

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		read_line(info, line);
	fclose(f);
	return 0;
}

/* The third number of statm: resident pages of files and of memory that others may map */
static int read_shared(PAPI_dmem_info_t *info, const char *root)
{
	char line[256];
	long long pages;

	if (kernel_file_line(line, sizeof(line), root, "/proc/self/statm") ||
	    sscanf(line, "%*d %*d %lld", &pages) != 1)
		return -1;
	info->shared = pages * info->pagesize / 1024;
	return 0;
}

int memory_read(PAPI_dmem_info_t *info, const char *root)
{
	memset(info, 0, sizeof(*info));
	info->pagesize = sysconf(_SC_PAGESIZE);
	errno = EIO;
	return read_status(info, root) || read_shared(info, root) ? -1 : 0;
}

int PAPI_get_dmem_info(PAPI_dmem_info_t *dest)
{
	if (!PAPI_is_initialized())
		return papi_fail(PAPI_ENOINIT);
	if (!dest)
		return papi_fail(PAPI_EINVAL);
	/* Whatever the cause, there is one code for it. */
	return memory_read(dest, "") ? papi_fail(PAPI_ESYS) : PAPI_OK;
}
