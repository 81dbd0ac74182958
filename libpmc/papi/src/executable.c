// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where the program and its libraries are in memory: the dynamic linker's list, with their
 * program headers. Code is what can be executed, data what can be written: its first part
 * is from the file, the rest is bss.
 */
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"

/* Libraries as they are found */
struct list {
	PAPI_address_map_t *map;
	int count;
	int failed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Make a range larger, which is empty at first. */
static void extend(vptr_t *start, vptr_t *end, uintptr_t first, uintptr_t last)
{
	if (first == last)
		return;
	if (!*end || first < (uintptr_t)*start)
		*start = (vptr_t)first;
	if (last > (uintptr_t)*end)
		*end = (vptr_t)last;
}

static void add_segment(PAPI_address_map_t *map, uintptr_t base, const ElfW(Phdr) *segment)
{
	uintptr_t start = base + segment->p_vaddr;
	uintptr_t file_end = start + segment->p_filesz;

	if (segment->p_type != PT_LOAD)
		return;
	if (segment->p_flags & PF_X)
		extend(&map->text_start, &map->text_end, start, start + segment->p_memsz);
	if (segment->p_flags & PF_W) {
		extend(&map->data_start, &map->data_end, start, file_end);
		extend(&map->bss_start, &map->bss_end, file_end, start + segment->p_memsz);
	}
}

static void add_segments(PAPI_address_map_t *map, const struct dl_phdr_info *object)
{
	int i;

	for (i = 0; i < object->dlpi_phnum; i++)
		add_segment(map, object->dlpi_addr, &object->dlpi_phdr[i]);
}

/* The program is the first of the list, and has no name there. */
static int read_program(struct dl_phdr_info *object, size_t size, void *map)
{
	(void)size;
	add_segments(map, object);
	return 1;
}

/* Libraries have a path; the kernel's page of code (vDSO) has none that is a file. */
static int read_library(struct dl_phdr_info *object, size_t size, void *arg)
{
	struct list *list = arg;
	PAPI_address_map_t *map;

	(void)size;
	if (!object->dlpi_name || !strchr(object->dlpi_name, '/'))
		return 0;
	map = realloc(list->map, (list->count + 1) * sizeof(*map));
	if (!map) {
		list->failed = 1;
		return 1;
	}
	list->map = map;
	map += list->count++;
	memset(map, 0, sizeof(*map));
	snprintf(map->name, sizeof(map->name), "%s", object->dlpi_name);
	add_segments(map, object);
	return 0;
}

static int read_executable(PAPI_exe_info_t *info)
{
	ssize_t length = readlink("/proc/self/exe", info->fullname, sizeof(info->fullname) - 1);
	const char *name;

	if (length < 0)
		return -1;
	info->fullname[length] = '\0';
	name = strrchr(info->fullname, '/');
	snprintf(info->address_info.name, sizeof(info->address_info.name), "%s",
		 name ? name + 1 : info->fullname);
	dl_iterate_phdr(read_program, &info->address_info);
	return 0;
}

const PAPI_exe_info_t *PAPI_get_executable_info(void)
{
	static PAPI_exe_info_t info;
	int rc = 0;

	if (!PAPI_is_initialized()) {
		papi_fail(PAPI_ENOINIT);
		return NULL;
	}
	pthread_mutex_lock(&lock);
	if (!*info.fullname)
		rc = read_executable(&info);
	pthread_mutex_unlock(&lock);
	if (rc) {
		papi_fail_errno(errno, "/proc/self/exe");
		return NULL;
	}
	return &info;
}

/* Libraries come and go, so each call reads the list anew. */
const PAPI_shlib_info_t *PAPI_get_shared_lib_info(void)
{
	static PAPI_shlib_info_t info;
	struct list list = { NULL, 0, 0 };

	if (!PAPI_is_initialized()) {
		papi_fail(PAPI_ENOINIT);
		return NULL;
	}
	dl_iterate_phdr(read_library, &list);
	if (list.failed) {
		free(list.map);
		papi_fail(PAPI_ENOMEM);
		return NULL;
	}
	pthread_mutex_lock(&lock);
	free(info.map);
	info.map = list.map;
	info.count = list.count;
	pthread_mutex_unlock(&lock);
	return &info;
}
