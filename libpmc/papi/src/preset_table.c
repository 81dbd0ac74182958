// SPDX-License-Identifier: LGPL-2.1-or-later
/* Definitions of presets and user events, by model. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "preset_table.h"

static const struct {
	enum preset_kind kind;
	const char *name;
} kinds[] = {
	{ PRESET_NOT_DERIVED, "NOT_DERIVED" },
	{ PRESET_ADD, "DERIVED_ADD" },
	{ PRESET_PS, "DERIVED_PS" },
	{ PRESET_ADD_PS, "DERIVED_ADD_PS" },
	{ PRESET_CMPD, "DERIVED_CMPD" },
	{ PRESET_SUB, "DERIVED_SUB" },
	{ PRESET_POSTFIX, "DERIVED_POSTFIX" },
	{ PRESET_INFIX, "DERIVED_INFIX" },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *preset_kind_name(enum preset_kind kind)
{
	size_t i;

	for (i = 0; i < NR_KINDS; i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return NULL;
}

int preset_kind_by_name(const char *name, enum preset_kind *kind)
{
	size_t i;

	for (i = 0; i < NR_KINDS; i++) {
		if (!strcasecmp(kinds[i].name, name)) {
			*kind = kinds[i].kind;
			return 0;
		}
	}
	return -1;
}

void preset_def_free(struct preset_def *def)
{
	int i;

	for (i = 0; i < def->nr_terms; i++)
		free(def->terms[i]);
	free(def->terms);
	free(def->name);
	free(def->postfix);
	free(def->note);
	free(def->short_descr);
	free(def->long_descr);
	*def = (struct preset_def){ 0 };
}

static void free_block(struct preset_block *block)
{
	int i;

	for (i = 0; i < block->nr_cpus; i++)
		free(block->cpus[i]);
	for (i = 0; i < block->nr_defs; i++)
		preset_def_free(&block->defs[i]);
	free(block->cpus);
	free(block->defs);
}

void preset_table_clear(struct preset_table *table)
{
	int i;

	for (i = 0; i < table->nr_blocks; i++)
		free_block(&table->blocks[i]);
	free(table->blocks);
	*table = (struct preset_table){ 0 };
}

static int names(const struct preset_block *block, const char *cpu)
{
	int i;

	for (i = 0; i < block->nr_cpus; i++)
		if (!strcasecmp(block->cpus[i], cpu))
			return 1;
	return 0;
}

static int names_one_of(const struct preset_block *block, const char *const *cpus)
{
	for (; *cpus; cpus++)
		if (names(block, *cpus))
			return 1;
	return 0;
}

static int is_known(const struct preset_table *table, const char *const *cpus)
{
	int i;

	for (i = 0; i < table->nr_blocks; i++)
		if (names_one_of(&table->blocks[i], cpus))
			return 1;
	return 0;
}

/* A block without models and definitions is the beginning of a file. */
static int is_for(const struct preset_block *block, const char *const *cpus, int known)
{
	if (!block->nr_cpus)
		return block->nr_defs > 0;
	return names_one_of(block, cpus) || (!known && names(block, "*"));
}

/* The last definition of a name in a block; NULL if there is none. */
static const struct preset_def *find_in(const struct preset_block *block, const char *name)
{
	int i;

	for (i = block->nr_defs - 1; i >= 0; i--)
		if (!strcasecmp(block->defs[i].name, name))
			return &block->defs[i];
	return NULL;
}

const struct preset_def *preset_table_find(const struct preset_table *table,
					   const char *const *cpus, const char *name)
{
	const int known = is_known(table, cpus);
	const struct preset_def *def = NULL;
	int i;

	for (i = table->nr_blocks - 1; i >= 0 && !def; i--)
		if (is_for(&table->blocks[i], cpus, known))
			def = find_in(&table->blocks[i], name);
	return def;
}

/* Is this the first definition of its name? */
static int is_first(const struct preset_table *table, const char *const *cpus, int block, int n)
{
	const char *name = table->blocks[block].defs[n].name;
	const int known = is_known(table, cpus);
	int i;

	for (i = 0; i < block; i++)
		if (is_for(&table->blocks[i], cpus, known) && find_in(&table->blocks[i], name))
			return 0;
	for (i = 0; i < n; i++)
		if (!strcasecmp(table->blocks[block].defs[i].name, name))
			return 0;
	return 1;
}

int preset_table_each(const struct preset_table *table, const char *const *cpus,
		      int (*fn)(void *arg, const struct preset_def *def), void *arg)
{
	const int known = is_known(table, cpus);
	int i, n, rc = 0;

	for (i = 0; i < table->nr_blocks; i++) {
		if (!is_for(&table->blocks[i], cpus, known))
			continue;
		for (n = 0; n < table->blocks[i].nr_defs && !rc; n++)
			if (is_first(table, cpus, i, n))
				rc = fn(arg, preset_table_find(table, cpus, table->blocks[i].defs[n].name));
	}
	return rc;
}
