/* SPDX-License-Identifier: GPL-2.0 */
/* Zones of powercap: packages, and domains inside them. */
#ifndef PMCTRACK_NODE_POWERCAP_H
#define PMCTRACK_NODE_POWERCAP_H

#include <stddef.h>

#include "node/sources.h"

/* Call @add for each zone. */
void powercap_each(struct sources *s, void (*add)(struct sources *s, const char *path));

/* The name of a zone: package-0, package-0/core; -1 if it has none. */
int powercap_name(char *name, size_t size, const char *path);

#endif
