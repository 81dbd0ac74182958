// SPDX-License-Identifier: GPL-2.0
/* Caches in the report of pmc-hwinfo: of each core type, and the hierarchy of the machine. */
#include <limits.h>
#include <stdio.h>

#include "hwinfo_caches.h"

struct cache {
	long long size;
	long long line_size;
	long long lines;
	long long ways;
};

/* "48 KiB" or "2 MiB" */
static int print_size(char *buf, size_t size, long long bytes)
{
	int is_mib = bytes >= 1 << 20 && bytes % (1 << 20) == 0;

	return snprintf(buf, size, "%lld %s", bytes >> (is_mib ? 20 : 10), is_mib ? "MiB" : "KiB");
}

static int print_ways(char *buf, size_t size, long long ways)
{
	if (ways == SHRT_MAX)
		return snprintf(buf, size, ", fully associative");
	return ways > 0 ? snprintf(buf, size, ", %lld way%s", ways, ways == 1 ? "" : "s") : 0;
}

/* "48 KiB, 12 ways, 64-byte lines": what is known of it */
static void describe(const struct cache *c, char *buf, size_t size)
{
	int len = print_size(buf, size, c->size);

	len += print_ways(buf + len, size - len, c->ways);
	if (c->line_size > 0)
		snprintf(buf + len, size - len, ", %lld-byte lines", c->line_size);
}

/* JSON and CSV have a member for each number, people a line. */
static void show_cache(struct section_report *r, const char *member, const char *label,
		       const struct cache *c)
{
	char text[80], name[32];

	if (c->size <= 0)
		return;
	if (r->format == FORM_TABLE) {
		describe(c, text, sizeof(text));
		section_report_text(r, member, label, text);
		return;
	}
	snprintf(name, sizeof(name), "%s_size", member);
	section_report_number(r, name, "", c->size, "bytes");
	snprintf(name, sizeof(name), "%s_line_size", member);
	section_report_number(r, name, "", c->line_size > 0 ? c->line_size : -1, "bytes");
	snprintf(name, sizeof(name), "%s_lines", member);
	section_report_number(r, name, "", c->lines > 0 ? c->lines : -1, "");
	snprintf(name, sizeof(name), "%s_ways", member);
	section_report_number(r, name, "", c->ways > 0 ? c->ways : -1, "");
}

#define ATTRIBUTES(cache) \
	PAPI_DEV_ATTR__CPU_UINT_##cache##_CACHE_SIZE, \
	PAPI_DEV_ATTR__CPU_UINT_##cache##_CACHE_LINE_SIZE, \
	PAPI_DEV_ATTR__CPU_UINT_##cache##_CACHE_LINE_COUNT, \
	PAPI_DEV_ATTR__CPU_UINT_##cache##_CACHE_ASSOC

static const struct {
	const char *member;
	const char *label;
	PAPI_dev_attr_e size, line_size, lines, ways;
} attributes[] = {
	{ "l1i", "L1 instruction cache", ATTRIBUTES(L1I) },
	{ "l1d", "L1 data cache", ATTRIBUTES(L1D) },
	{ "l2", "L2 cache", ATTRIBUTES(L2U) },
	{ "l3", "L3 cache", ATTRIBUTES(L3U) },
};

void hwinfo_caches_device(struct section_report *r, const struct device *device)
{
	struct cache c;
	size_t i;

	for (i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		c.size = device_number(device, attributes[i].size);
		c.line_size = device_number(device, attributes[i].line_size);
		c.lines = device_number(device, attributes[i].lines);
		c.ways = device_number(device, attributes[i].ways);
		show_cache(r, attributes[i].member, attributes[i].label, &c);
	}
}

/* The kind of a cache: "i", "d" or "", as part of a name, and as a word */
static const char *kind_letter(int type)
{
	type = PAPI_MH_CACHE_TYPE(type) & PAPI_MH_TYPE_UNIFIED;
	return type == PAPI_MH_TYPE_INST ? "i" : type == PAPI_MH_TYPE_DATA ? "d" : "";
}

static const char *kind_word(int type)
{
	type = PAPI_MH_CACHE_TYPE(type) & PAPI_MH_TYPE_UNIFIED;
	if (type == PAPI_MH_TYPE_UNIFIED)
		return "";
	return type == PAPI_MH_TYPE_INST ? "instruction " : "data ";
}

static void show_level_cache(struct section_report *r, int level, const PAPI_mh_cache_info_t *info)
{
	struct cache c = { info->size, info->line_size, info->num_lines, info->associativity };
	char member[16], label[32];

	snprintf(member, sizeof(member), "l%d%s", level, kind_letter(info->type));
	snprintf(label, sizeof(label), "L%d %scache", level, kind_word(info->type));
	show_cache(r, member, label, &c);
}

static void show_tlb(struct section_report *r, int level, const PAPI_mh_tlb_info_t *info)
{
	char member[32], label[32], text[80];
	int len;

	if (info->num_entries <= 0)
		return;
	snprintf(member, sizeof(member), "tlb%d%s_%dk", level, kind_letter(info->type),
		 info->page_size >> 10);
	snprintf(label, sizeof(label), "L%d %sTLB", level, kind_word(info->type));
	if (r->format != FORM_TABLE) {
		section_report_number(r, member, "", info->num_entries, "entries");
		return;
	}
	len = snprintf(text, sizeof(text), "%d entries", info->num_entries);
	if (info->page_size > 0) {
		len += snprintf(text + len, sizeof(text) - len, " for pages of ");
		len += print_size(text + len, sizeof(text) - len, info->page_size);
	}
	print_ways(text + len, sizeof(text) - len, info->associativity);
	section_report_text(r, member, label, text);
}

void hwinfo_caches_hierarchy(struct section_report *r, const PAPI_mh_info_t *hierarchy)
{
	int level, i, levels = hierarchy->levels;

	if (levels <= 0)
		return;
	if (levels > PAPI_MAX_MEM_HIERARCHY_LEVELS)
		levels = PAPI_MAX_MEM_HIERARCHY_LEVELS;
	section_report_section(r, "memory_hierarchy", "Memory hierarchy");
	for (level = 0; level < levels; level++) {
		for (i = 0; i < PAPI_MH_MAX_LEVELS; i++)
			show_level_cache(r, level + 1, &hierarchy->level[level].cache[i]);
		for (i = 0; i < PAPI_MH_MAX_LEVELS; i++)
			show_tlb(r, level + 1, &hierarchy->level[level].tlb[i]);
	}
	section_report_section_end(r);
}
