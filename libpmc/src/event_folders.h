/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which files have the tables of a core type: search path, index, names of processors. */
#ifndef LIBPMC_EVENT_FOLDERS_H
#define LIBPMC_EVENT_FOLDERS_H

#include "machine.h"

/* More folders of the search path are left out. */
#define MAX_EVENT_FOLDERS 16

/*
 * Paths of the files for a core type, the most important first: at most one of each folder,
 * MAX_EVENT_FOLDERS in all. Return: how many; each is for free().
 */
int event_folders_find(const struct core_type *ct, char *paths[MAX_EVENT_FOLDERS]);

/*
 * The name of a core type's processor in an index: VENDOR-FAMILY-MODEL-STEPPING, or MIDR_EL1
 * without variant and revision. "" if it has none.
 */
void event_folders_processor(char *buf, size_t size, const struct core_type *ct);

#endif
