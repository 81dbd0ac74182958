// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which files have the tables of a core type. Each folder of the search path has a file
 * `index`; a line of it is: pattern of processors, kind of core or -, name of a file. The
 * first line that fits counts.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_folders.h"
#include "tables/tables.h"

#ifndef PMC_EVENTS_DIR
#define PMC_EVENTS_DIR "/usr/local/share/pmctrack/events"
#endif

/* Patterns have no reason to be longer; the time that fnmatch() takes grows with them. */
#define MAX_PATTERN 64

/* Variant and revision of a MIDR */
#define MIDR_STEPPING 0xf0000fULL

/* MIDR_EL1 of the first of the core type's CPUs, if the kernel module has not reported it */
static uint64_t read_midr(const char *cpus)
{
	unsigned long long midr = 0;
	char path[96];
	FILE *f;

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1",
		 (unsigned int)strtoul(cpus, NULL, 10));
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%llx", &midr) != 1)
		midr = 0;
	fclose(f);
	return midr;
}

void event_folders_processor(char *buf, size_t size, const struct core_type *ct)
{
	uint64_t id = ct->info.cpuid;
	unsigned int family, model;

	*buf = '\0';
	if (ct->family == FAMILY_ARM) {
		if (!id)
			id = read_midr(ct->info.cpus);
		if (id)
			snprintf(buf, size, "0x%016llx", (unsigned long long)(id & ~MIDR_STEPPING));
	} else if (ct->family != FAMILY_NONE && id) {
		table_decode_cpuid(id, &family, &model);
		snprintf(buf, size, "%s-%u-%X-%X",
			 ct->family == FAMILY_INTEL ? "GenuineIntel" : "AuthenticAMD",
			 family, model, (unsigned int)id & 0xf);
	}
}

/* With or without the stepping; a MIDR in any way to write a number. */
static int fits(const char *pattern, const char *processor)
{
	char without[64], *dash;
	size_t len = strlen(pattern);

	if (len > MAX_PATTERN)
		return 0;
	if (!strncmp(pattern, "0x", 2) && pattern[2 + strspn(pattern + 2, "0123456789abcdefABCDEF")] == '\0')
		return strtoull(pattern, NULL, 16) == strtoull(processor, NULL, 16);
	if (!fnmatch(pattern, processor, 0))
		return 1;
	snprintf(without, sizeof(without), "%s", processor);
	dash = strrchr(without, '-');
	if (!dash)
		return 0;
	*dash = '\0';
	return !fnmatch(pattern, without, 0);
}

/* The kind of core by its native type. A hybrid machine with its small cores off has none. */
static const char *native_kind(const struct core_type *ct)
{
	if (ct->family != FAMILY_INTEL)
		return "-";
	return ct->native_type == NATIVE_ATOM ? "cpu_atom" : "cpu_core";
}

/*
 * The name of the file for a kind of core in @folder, for free(); NULL if there is none. The
 * line's kind may be -.
 */
static char *look_up(const char *folder, const char *processor, const char *of_kind)
{
	char line[1024], *path = NULL, *pattern, *kind, *file, *save;
	FILE *f;

	if (snprintf(line, sizeof(line), "%s/index", folder) >= (int)sizeof(line))
		return NULL;
	f = fopen(line, "re");
	if (!f)
		return NULL;
	while (!path && fgets(line, sizeof(line), f)) {
		pattern = strtok_r(line, " \t\r\n", &save);
		kind = pattern && *pattern != '#' ? strtok_r(NULL, " \t\r\n", &save) : NULL;
		file = kind ? strtok_r(NULL, " \t\r\n", &save) : NULL;
		if (file && fits(pattern, processor) &&
		    (!strcmp(kind, "-") || !strcmp(kind, of_kind)) &&
		    asprintf(&path, "%s/%s", folder, file) < 0)
			path = NULL;
	}
	fclose(f);
	return path;
}

struct search {
	const char *kind;	/* the kernel's name of the PMU */
	const char *native_kind;
	char processor[64];
	int nr;
	char **paths;
};

static void search(struct search *s, const char *folder)
{
	char *path;

	if (s->nr == MAX_EVENT_FOLDERS)
		return;
	path = look_up(folder, s->processor, s->kind);
	if (!path)
		path = look_up(folder, s->processor, s->native_kind);
	if (path)
		s->paths[s->nr++] = path;
}

/* Return: 1 if an empty folder has ended the search. */
static int search_list(struct search *s, const char *list)
{
	char *copy = strdup(list), *next = copy, *folder;
	int ended = 0;

	while (!ended && (folder = strsep(&next, ":"))) {
		if (*folder)
			search(s, folder);
		else
			ended = 1;
	}
	free(copy);
	return ended;
}

int event_folders_find(const struct core_type *ct, char *paths[MAX_EVENT_FOLDERS])
{
	const char *list = secure_getenv("PMCTRACK_EVENTS");
	const char *config = secure_getenv("XDG_CONFIG_HOME");
	const char *home = secure_getenv("HOME");
	struct search s = {
		.kind = ct->info.pmu,
		.native_kind = native_kind(ct),
		.paths = paths,
	};
	char folder[512];

	event_folders_processor(s.processor, sizeof(s.processor), ct);
	if (list && search_list(&s, list))
		return s.nr;
	if (config && *config)
		snprintf(folder, sizeof(folder), "%s/pmctrack/events", config);
	else
		snprintf(folder, sizeof(folder), "%s/.config/pmctrack/events", home ? home : "");
	search(&s, folder);
	search(&s, "/etc/pmctrack/events");
	search(&s, PMC_EVENTS_DIR);
	return s.nr;
}
