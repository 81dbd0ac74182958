// SPDX-License-Identifier: LGPL-2.1-or-later
/* Caches. sysfs has a folder for each; some machines say level and type but not the size. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "caches.h"
#include "kernel_file.h"

#define CACHE_FOLDER	"/sys/devices/system/cpu/cpu%d/cache/index%d"
#define MAX_CACHES	(PAPI_MAX_MEM_HIERARCHY_LEVELS * PAPI_MH_MAX_LEVELS)

struct word {
	const char *name;
	int type;
};

static const struct word words[] = {
	{ "Data", PAPI_MH_TYPE_DATA },
	{ "Instruction", PAPI_MH_TYPE_INST },
	{ "Unified", PAPI_MH_TYPE_UNIFIED },
	{ "WriteBack", PAPI_MH_TYPE_WB },
	{ "WriteThrough", PAPI_MH_TYPE_WT },
	{ "ReadAllocate", PAPI_MH_TYPE_RD_ALLOC },
	{ "WriteAllocate", PAPI_MH_TYPE_WR_ALLOC },
	{ "ReadWriteAllocate", PAPI_MH_TYPE_RW_ALLOC },
};

static int read_word(const char *root, int cpu, int index, const char *file)
{
	char line[32];
	size_t i;

	if (kernel_file_line(line, sizeof(line), root, CACHE_FOLDER "/%s", cpu, index, file))
		return 0;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(line, words[i].name))
			return words[i].type;
	return 0;
}

static int read_number(const char *root, int cpu, int index, const char *file)
{
	return kernel_file_number(0, root, CACHE_FOLDER "/%s", cpu, index, file);
}

/* "32K" or "12M" */
static int read_size(const char *root, int cpu, int index)
{
	char line[32], *unit;
	long size;

	if (kernel_file_line(line, sizeof(line), root, CACHE_FOLDER "/size", cpu, index))
		return 0;
	size = strtol(line, &unit, 10);
	if (*unit == 'K')
		size <<= 10;
	else if (*unit == 'M')
		size <<= 20;
	return size > INT_MAX ? INT_MAX : size;
}

static void read_cache(PAPI_mh_cache_info_t *cache, const char *root, int cpu, int index)
{
	int sets = read_number(root, cpu, index, "number_of_sets");

	cache->type = read_word(root, cpu, index, "type") |
		      read_word(root, cpu, index, "write_policy") |
		      read_word(root, cpu, index, "allocation_policy");
	cache->size = read_size(root, cpu, index);
	cache->line_size = read_number(root, cpu, index, "coherency_line_size");
	cache->associativity = read_number(root, cpu, index, "ways_of_associativity");
	if (cache->line_size > 0)
		cache->num_lines = cache->size / cache->line_size;
	/* Any line may be anywhere. */
	if (sets == 1)
		cache->associativity = SHRT_MAX;
}

static PAPI_mh_cache_info_t *free_place(PAPI_mh_info_t *info, int level)
{
	PAPI_mh_cache_info_t *cache;

	for (cache = info->level[level - 1].cache;
	     cache < info->level[level - 1].cache + PAPI_MH_MAX_LEVELS; cache++)
		if (cache->type == PAPI_MH_TYPE_EMPTY)
			return cache;
	return NULL;
}

void caches_read(PAPI_mh_info_t *info, const char *root, int cpu)
{
	PAPI_mh_cache_info_t *cache;
	int index, level;

	memset(info, 0, sizeof(*info));
	for (index = 0; index < MAX_CACHES; index++) {
		level = read_number(root, cpu, index, "level");
		if (level < 1)
			break;
		if (level > PAPI_MAX_MEM_HIERARCHY_LEVELS)
			continue;
		cache = free_place(info, level);
		if (!cache)
			continue;
		read_cache(cache, root, cpu, index);
		if (level > info->levels)
			info->levels = level;
	}
}

const PAPI_mh_cache_info_t *cache_find(const PAPI_mh_info_t *info, int level, int type)
{
	static const PAPI_mh_cache_info_t none;
	const PAPI_mh_cache_info_t *cache = info->level[level - 1].cache;
	int i;

	for (i = 0; i < PAPI_MH_MAX_LEVELS; i++)
		if ((cache[i].type & type) == type)
			return &cache[i];
	return &none;
}
