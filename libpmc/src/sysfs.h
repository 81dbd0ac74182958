/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of sysfs and of /proc/sys: one line each. */
#ifndef LIBPMC_SYSFS_H
#define LIBPMC_SYSFS_H

#include <stddef.h>

#include "pmctrack.h"

/* Folder of the kernel's PMUs, in sysfs */
#define EVENT_SOURCES	"bus/event_source/devices"

#define NMI_WATCHDOG	"/proc/sys/kernel/nmi_watchdog"

/* Read the first line of a file; -1 if there is none, or if it does not fit. */
int sysfs_read(char *buf, size_t size, const char *path, ...) PMC_PRINTF(3, 4);

#endif
