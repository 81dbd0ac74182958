/* SPDX-License-Identifier: GPL-2.0 */
/* A file of regions, for tests of those that write it and that read it. */
#ifndef PMC_TESTS_REGION_TEST_H
#define PMC_TESTS_REGION_TEST_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib.h"
#include "region_file.h"

/* Make an empty file, and name it in the environment. Return: it is open. */
static inline int make_region_file(char *path)
{
	const struct region_file begin = { .magic = REGION_FILE_MAGIC, .next = 1 };
	int fd = mkostemp(path, O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)REGION_BLOCKS * REGION_BLOCK_BYTES), 0);
	assert_int_equal(pwrite(fd, &begin, sizeof(begin), 0), sizeof(begin));
	setenv(REGION_FILE_VARIABLE, path, 1);
	return fd;
}

static inline struct region_file *read_region_file(int fd)
{
	static struct region_file file;

	assert_int_equal(pread(fd, &file, sizeof(file), 0), sizeof(file));
	return &file;
}

static inline struct region_block *read_region_block(int fd, unsigned int nr)
{
	static struct region_block block;

	assert_int_equal(pread(fd, &block, sizeof(block), (off_t)nr * sizeof(block)),
			 sizeof(block));
	return &block;
}

/* Add a record to a block. Return: it is there. */
static inline struct region_record *put_region(struct region_block *block, const char *name,
					       uint64_t begin, uint64_t end)
{
	struct region_record *record = (void *)(block->records + block->used);

	record->begin = begin;
	record->end = end;
	record->len = strlen(name);
	memcpy(record->name, name, record->len);
	block->used += REGION_RECORD_BYTES(record->len);
	return record;
}

#endif
