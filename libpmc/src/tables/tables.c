// SPDX-License-Identifier: LGPL-2.1-or-later
/* The choice of a core type's table, and what is in a table */
#include <string.h>

#include "../event_line.h"
#include "tables.h"

#define TABLE_ADDRESS(name) &table_##name,
static const struct event_table *const tables[] = { MODEL_TABLES(TABLE_ADDRESS) };
#undef TABLE_ADDRESS

/*
 * CPUID leaf 1 EAX: Intel SDM volume 2A, "CPUID", figure "Version Information
 * Returned by CPUID in EAX"; AMD APM volume 3, appendix E.3.2.
 */
void table_decode_cpuid(uint64_t cpuid, unsigned int *family, unsigned int *model)
{
	*family = cpuid >> 8 & 0xf;
	*model = cpuid >> 4 & 0xf;
	if (*family == 0x6 || *family == 0xf)
		*model |= cpuid >> 12 & 0xf0;
	if (*family == 0xf)
		*family += cpuid >> 20 & 0xff;
}

static int is_for(const struct event_table *table, unsigned int family,
		  unsigned int model, unsigned int native)
{
	const struct table_model *m;

	for (m = table->models; m && m->family; m++)
		if (m->family == family && model >= m->first && model <= m->last &&
		    (!m->native || m->native == native))
			return 1;
	return 0;
}

const struct event_table *table_choose(enum family family, uint64_t cpuid,
				       unsigned int native)
{
	unsigned int cpu_family, model;
	size_t i;

	if (family == FAMILY_ARM)
		return &table_armv8;
	if (family == FAMILY_NONE)
		return NULL;
	table_decode_cpuid(cpuid, &cpu_family, &model);
	/* A hybrid machine with its small cores off reports no native type. */
	if (!native)
		native = NATIVE_CORE;
	for (i = 0; i < TABLE_SIZE(tables); i++)
		if (tables[i]->family == family &&
		    is_for(tables[i], cpu_family, model, native))
			return tables[i];
	return family == FAMILY_INTEL ? &table_intel_arch : &table_amd_zen;
}

int table_is_of_model(const struct event_table *table)
{
	return table && table->pfm;
}

const struct table_event *table_find(const struct event_table *table, const char *name)
{
	size_t i;

	for (i = 0; table && i < table->nr_events; i++)
		if (same_event_name(table->events[i].name, name))
			return &table->events[i];
	return NULL;
}

void table_read(const struct table_event *t, struct event *row)
{
	event_init(row);
	row->has_code = 1;
	row->code = t->code;
	row->umask = t->umask;
	if (t->cmask)
		row->cmask = t->cmask;
	if (t->flags & TABLE_EDGE)
		row->edge = 1;
	if (t->flags & TABLE_INV)
		row->inv = 1;
	row->extra = t->extra;
}

const char *table_generic(const struct event_table *table, const char *name)
{
	const struct table_generic *p;

	for (p = table ? table->generic : NULL; p && p->name; p++)
		if (!strcmp(p->name, name))
			return p->meaning;
	return NULL;
}
