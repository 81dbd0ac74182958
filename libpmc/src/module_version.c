// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The version of the interface that the kernel module has: the first line of /proc/pmc/info
 * names it. Structures of another version would be read as something else.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "../../kmod/uapi/pmctrack.h"
#include "error.h"
#include "module_version.h"
#include "proc.h"

/* The beginning of /proc/pmc/info is enough. */
static int read_beginning(char *text, size_t size)
{
	char path[256];
	ssize_t n;
	int fd;

	proc_path(path, sizeof(path), "info");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, size - 1);
	if (n < 0)
		pmc_fail(errno, "cannot read %s: %m", path);
	else
		text[n] = '\0';
	if (fd >= 0)
		close(fd);
	return n < 0 ? -1 : 0;
}

int module_version_check(void)
{
	char text[128], release[32] = "";
	unsigned int version = 0;

	if (read_beginning(text, sizeof(text)))
		return -1;
	sscanf(text, "pmctrack %31s uapi %u", release, &version);
	if (version == PMC_UAPI_VERSION)
		return 0;
	return pmc_fail(EPROTO, "the kernel module (pmctrack %s) has interface version %u, this library version %u: install both from one release, then load the module anew: modprobe -r pmctrack && modprobe pmctrack",
			*release ? release : "of unknown release", version, PMC_UAPI_VERSION);
}
