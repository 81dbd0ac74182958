// SPDX-License-Identifier: GPL-2.0
/* Power limits of each zone of powercap: long_term, short_term and others */
#include <stdio.h>

#include "node/powercap.h"
#include "node/sources.h"
#include "node/sysfs_text.h"

/* The kernel has at most ten constraints in a zone. */
#define CONSTRAINTS 10

static void add_zone(struct sources *s, const char *path)
{
	char name[128], constraint[64], where[200];
	int i;

	if (powercap_name(name, sizeof(name), path))
		return;
	for (i = 0; i < CONSTRAINTS; i++) {
		if (sysfs_text(constraint, sizeof(constraint), "%s/constraint_%d_name", path, i))
			return;
		snprintf(where, sizeof(where), "%s/%s", name, constraint);
		gauge_add(&s->gauges, s->record, "limit", where, 1e-6,
			  "%s/constraint_%d_power_limit_uw", path, i);
	}
}

void source_limits(struct sources *s)
{
	powercap_each(s, add_zone);
}
