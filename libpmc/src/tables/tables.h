/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event names of the library's own, for core types libpfm4 has no table of
 * (or where it is too old to have it).
 */
#ifndef LIBPMC_TABLES_H
#define LIBPMC_TABLES_H

#include <stddef.h>

struct table_event {
	const char *name;
	int code;
	int umask;		/* or -1 */
	const char *desc;
};

struct event_table {
	const char *name;
	const struct table_event *events;
	size_t nr_events;
};

extern const struct event_table table_armv8;	/* PMUv3's common events */
extern const struct event_table table_intel_arch; /* CPUID leaf 0xA */
extern const struct event_table table_amd_zen;

const struct table_event *table_find(const struct event_table *table, const char *name);

#endif
