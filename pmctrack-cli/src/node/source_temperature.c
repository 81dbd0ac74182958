// SPDX-License-Identifier: GPL-2.0
/* Temperatures: thermal zones, and the processor's own sensors in hwmon, one for each core */
#include <stdio.h>
#include <string.h>

#include "node/sources.h"
#include "node/sysfs_text.h"

/* Both have thousandths of a degree. */
#define SCALE 1e-3

/* Drivers of sensors inside processors */
static const char *const processors[] = { "coretemp", "k10temp", "zenpower", "cpu_thermal" };

static void add_zone(struct sources *s, const char *path)
{
	char type[64], where[96], name[96];

	if (sysfs_text(type, sizeof(type), "%s/type", path))
		return;
	snprintf(where, sizeof(where), "%s", type);
	snprintf(name, sizeof(name), "temperature/%s[degC]", type);
	/* Several zones may have the same type. */
	if (record_find(s->record, name) >= 0)
		snprintf(where, sizeof(where), "%s-%s", type, strrchr(path, '/') + 1);
	gauge_add(&s->gauges, s->record, "temperature", where, SCALE, "%s/temp", path);
}

static int is_processor(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(processors) / sizeof(processors[0]); i++)
		if (!strcmp(name, processors[i]))
			return 1;
	return 0;
}

/* A file tempN_input: its sensor has a label beside it, as "Core 4", or none. */
static void add_sensor(struct sources *s, const char *path)
{
	int len = strlen(path) - strlen("_input");
	const char *file = strrchr(path, '/') + 1;
	char driver[32], label[96];

	if (sysfs_text(driver, sizeof(driver), "%.*s/name", (int)(file - 1 - path), path) ||
	    !is_processor(driver))
		return;
	if (sysfs_text(label, sizeof(label), "%.*s_label", len, path))
		snprintf(label, sizeof(label), "%s-%.16s", driver, file);
	gauge_add(&s->gauges, s->record, "temperature", label, SCALE, "%s", path);
}

void source_temperature(struct sources *s)
{
	sysfs_each(s, add_zone, "%s/class/thermal/thermal_zone*", s->sys);
	sysfs_each(s, add_sensor, "%s/class/hwmon/hwmon*/temp*_input", s->sys);
}
