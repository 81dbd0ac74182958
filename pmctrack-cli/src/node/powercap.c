// SPDX-License-Identifier: GPL-2.0
/*
 * Zones of powercap (Linux, Documentation/power/powercap/powercap.rst). A zone TYPE:N is a
 * package or the platform, TYPE:N:M a domain in it. Zones of intel-rapl-mmio are the packages
 * once more, by other registers.
 */
#include <stdio.h>
#include <string.h>

#include "node/powercap.h"
#include "node/sysfs_text.h"

void powercap_each(struct sources *s, void (*add)(struct sources *s, const char *path))
{
	sysfs_each(s, add, "%s/class/powercap/intel-rapl:*", s->sys);
}

int powercap_name(char *name, size_t size, const char *path)
{
	const char *last = strrchr(path, ':');
	const char *file = strrchr(path, '/');
	char own[64], parent[64];

	if (sysfs_text(own, sizeof(own), "%s/name", path))
		return -1;
	if (strchr(file, ':') == last) {
		snprintf(name, size, "%s", own);
		return 0;
	}
	if (sysfs_text(parent, sizeof(parent), "%.*s/name", (int)(last - path), path))
		return -1;
	snprintf(name, size, "%s/%s", parent, own);
	return 0;
}
