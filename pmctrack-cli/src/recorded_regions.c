// SPDX-License-Identifier: GPL-2.0
/*
 * Regions of the program, which the library records in a file (region_file.h). The program may
 * write anything to the file, at any time: the file is copied, and then checked.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../libpmc/src/region_file.h"
#include "recorded_regions.h"

static char *path;
static int fd = -1;

static void remove_file(void)
{
	if (!path)
		return;
	unlink(path);
	close(fd);
	free(path);
	path = NULL;
}

static char *file_name(void)
{
	const char *parent = getenv("TMPDIR");
	char *name = NULL, *folder = realpath(parent && *parent ? parent : "/tmp", NULL);

	if (folder && asprintf(&name, "%s/pmctrack-regions.XXXXXX", folder) < 0)
		name = NULL;
	free(folder);
	return name;
}

/* A file that grows beyond the limit of files' sizes would end pmctrack. */
static int is_too_large(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur >= REGION_BLOCKS * REGION_BLOCK_BYTES)
		return 0;
	errno = EFBIG;
	return 1;
}

static int fill_file(void)
{
	const struct region_file begin = { .magic = REGION_FILE_MAGIC, .next = 1 };
	int err = posix_fallocate(fd, 0, REGION_BLOCK_BYTES);

	if (err) {
		errno = err;
		return -1;
	}
	if (ftruncate(fd, REGION_BLOCKS * REGION_BLOCK_BYTES))
		return -1;
	return pwrite(fd, &begin, sizeof(begin), 0) == sizeof(begin) ? 0 : -1;
}

int recorded_regions_start(void)
{
	char *name = is_too_large() ? NULL : file_name();
	int err;

	fd = name ? mkostemp(name, O_CLOEXEC) : -1;
	if (fd < 0) {
		err = errno;
		free(name);
		errno = err;
		return -1;
	}
	path = name;
	atexit(remove_file);
	if (!fill_file() && !setenv(REGION_FILE_VARIABLE, path, 1))
		return 0;
	err = errno;
	remove_file();
	errno = err;
	return -1;
}

/* Copy the blocks that have been taken. Return: their number, the first one included; or -1. */
static int copy_blocks(struct regions *regions)
{
	struct region_file begin;
	size_t size, done;
	ssize_t n;

	if (pread(fd, &begin, sizeof(begin), 0) != sizeof(begin) ||
	    begin.magic != REGION_FILE_MAGIC) {
		regions->are_damaged = 1;
		return 0;
	}
	regions->left_out = begin.left_out;
	size = (begin.next < REGION_BLOCKS ? begin.next : REGION_BLOCKS) * REGION_BLOCK_BYTES;
	regions->memory = calloc(1, size);
	for (done = 0; regions->memory && done < size; done += n) {
		n = pread(fd, (char *)regions->memory + done, size - done, done);
		if (n < 0)
			return -1;
		if (!n)
			break;
	}
	return regions->memory ? (int)(size / REGION_BLOCK_BYTES) : -1;
}

/* The region whose record is at @at, and where the next one is; 0: there is no record. */
static size_t take_region(struct region *region, const struct region_block *block, size_t at)
{
	const struct region_record *record = (const void *)(block->records + at);
	size_t left = block->used - at;

	if (left < offsetof(struct region_record, name) || record->len > REGION_NAME_BYTES ||
	    REGION_RECORD_BYTES(record->len) > left || record->begin > record->end ||
	    record->end > INT64_MAX)
		return 0;
	*region = (struct region){
		.begin = record->begin, .end = record->end, .pid = block->pid, .tid = block->tid,
		.name = record->name, .len = record->len,
	};
	return at + REGION_RECORD_BYTES(record->len);
}

static int add_region(struct regions *regions, const struct region *region)
{
	size_t room = regions->room ? regions->room * 2 : 64;
	struct region *all = regions->all;

	if (regions->nr == regions->room) {
		all = realloc(all, room * sizeof(*all));
		if (!all)
			return -1;
		regions->all = all;
		regions->room = room;
	}
	all[regions->nr++] = *region;
	return 0;
}

static int take_block(struct regions *regions, const struct region_block *block)
{
	struct region region;
	size_t at = 0;

	if (block->used > sizeof(block->records) || block->pid - 1 >= INT32_MAX ||
	    block->tid - 1 >= INT32_MAX) {
		/* A process may have been killed between taking the block and using it. */
		regions->are_damaged |= !!block->used;
		return 0;
	}
	while (at < block->used) {
		at = take_region(&region, block, at);
		if (!at) {
			regions->are_damaged = 1;
			return 0;
		}
		if (add_region(regions, &region))
			return -1;
	}
	return 0;
}

int recorded_regions_read(struct regions *regions)
{
	int i, nr;

	memset(regions, 0, sizeof(*regions));
	if (!path)
		return 0;
	nr = copy_blocks(regions);
	for (i = 1; i < nr; i++)
		if (take_block(regions, (struct region_block *)regions->memory + i)) {
			nr = -1;
			errno = ENOMEM;
		}
	i = errno;
	remove_file();
	errno = i;
	if (nr >= 0)
		return 1;
	recorded_regions_free(regions);
	return -1;
}

void recorded_regions_free(struct regions *regions)
{
	free(regions->all);
	free(regions->memory);
	memset(regions, 0, sizeof(*regions));
}
