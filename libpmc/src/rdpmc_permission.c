// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Permission for RDPMC in user mode on x86. The kernel's PMU driver has a file for it; 0 in
 * that file forbids RDPMC to all processes, so that it faults (Linux,
 * arch/x86/events/core.c, set_attr_rdpmc()).
 */
#include <stdio.h>

#include "machine.h"

int rdpmc_forbidden(const char *devices)
{
	static const char *const pmus[] = { "cpu", "cpu_core", "cpu_atom" };
	char path[256];
	size_t i;

	for (i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		int setting = -1, found;
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s/rdpmc", devices, pmus[i]);
		f = fopen(path, "re");
		if (!f)
			continue;
		found = fscanf(f, "%d", &setting);
		fclose(f);
		if (found == 1 && !setting)
			return 1;
	}
	return 0;
}
