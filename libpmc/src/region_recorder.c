// SPDX-License-Identifier: LGPL-2.1-or-later
/* Recording regions in a file that pmctrack reads; region_file.h describes it. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "region_file.h"
#include "region_recorder.h"

/**
 * struct region_recorder - where a caliper's regions are recorded
 * @block: its block; NULL: it has none yet
 * @used: as in the block. The file is not trusted
 * @full: there are no more blocks
 */
struct region_recorder {
	struct region_block *block;
	size_t used;
	int full;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char *path;
static struct stat made;
static struct region_file *file;

/* A page of memory may be larger than a block. */
static void *map_block(int fd, uint32_t block)
{
	off_t at = (off_t)block * REGION_BLOCK_BYTES, before = at % sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, before + REGION_BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
			    fd, at - before);

	return memory == MAP_FAILED ? NULL : memory + before;
}

static void unmap_block(void *block)
{
	size_t before = (uintptr_t)block % sysconf(_SC_PAGESIZE);

	munmap((char *)block - before, before + REGION_BLOCK_BYTES);
}

/* When pmctrack has ended, the file is gone, and another user may have made one of that name. */
static int open_file(struct stat *found)
{
	int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (!fstat(fd, found) && S_ISREG(found->st_mode) && found->st_uid == geteuid() &&
	    found->st_size == (off_t)REGION_BLOCKS * REGION_BLOCK_BYTES)
		return fd;
	close(fd);
	return -1;
}

static void open_once(void)
{
	const char *name = secure_getenv(REGION_FILE_VARIABLE);
	int fd;

	path = name ? strdup(name) : NULL;
	fd = path ? open_file(&made) : -1;
	if (fd < 0)
		return;
	file = map_block(fd, 0);
	close(fd);
	if (!file || file->magic == REGION_FILE_MAGIC)
		return;
	unmap_block(file);
	file = NULL;
}

/*
 * The file is opened again for each block, as programs close file descriptors that they do not
 * know. Disk space is taken before the block is written, or a full disk would be a SIGBUS.
 */
static struct region_block *open_block(uint32_t block)
{
	struct region_block *memory = NULL;
	struct stat found;
	int err, fd = open_file(&found);

	if (fd < 0)
		return NULL;
	if (found.st_dev == made.st_dev && found.st_ino == made.st_ino) {
		do
			err = posix_fallocate(fd, (off_t)block * REGION_BLOCK_BYTES,
					      REGION_BLOCK_BYTES);
		while (err == EINTR);
		memory = err ? NULL : map_block(fd, block);
	}
	close(fd);
	return memory;
}

static void close_block(struct region_recorder *recorder)
{
	if (recorder->block)
		unmap_block(recorder->block);
	recorder->block = NULL;
}

static void take_block(struct region_recorder *recorder)
{
	uint32_t block = REGION_BLOCKS;

	close_block(recorder);
	if (__atomic_load_n(&file->next, __ATOMIC_RELAXED) < REGION_BLOCKS)
		block = __atomic_fetch_add(&file->next, 1, __ATOMIC_RELAXED);
	if (block && block < REGION_BLOCKS)
		recorder->block = open_block(block);
	recorder->full = !recorder->block;
	if (recorder->full)
		return;
	recorder->used = 0;
	recorder->block->pid = getpid();
	recorder->block->tid = gettid();
}

/* A character of UTF-8 is whole, or left out. */
static size_t name_bytes(const char *name)
{
	size_t len = strnlen(name, REGION_NAME_BYTES + 1);

	if (len <= REGION_NAME_BYTES)
		return len;
	for (len = REGION_NAME_BYTES; len && (name[len] & 0xc0) == 0x80; len--)
		;
	return len;
}

struct region_recorder *region_recorder_new(void)
{
	pthread_once(&once, open_once);
	return file ? calloc(1, sizeof(struct region_recorder)) : NULL;
}

void region_recorder_add(struct region_recorder *recorder, const char *name, uint64_t begin,
			 uint64_t end)
{
	size_t len = name_bytes(name), size = REGION_RECORD_BYTES(len);
	struct region_record *record;

	if (!recorder->full && (!recorder->block ||
				sizeof(recorder->block->records) - recorder->used < size))
		take_block(recorder);
	if (recorder->full) {
		__atomic_fetch_add(&file->left_out, 1, __ATOMIC_RELAXED);
		return;
	}
	record = (void *)(recorder->block->records + recorder->used);
	record->begin = begin;
	record->end = end;
	record->len = len;
	memcpy(record->name, name, len);
	recorder->used += size;
	/* A process that is killed leaves whole records. */
	__atomic_store_n(&recorder->block->used, recorder->used, __ATOMIC_RELEASE);
}

void region_recorder_free(struct region_recorder *recorder)
{
	if (!recorder)
		return;
	close_block(recorder);
	free(recorder);
}
