/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file to which programs record their regions for the trace of pmctrack, which makes the
 * file, names it in the environment, and reads it at the end.
 *
 * All processes of the program map the file, so nothing has to be written at the end of a
 * thread, at exec or when a process is killed. The file has blocks of one size. The first one
 * begins with struct region_file; each caliper takes others, one after the other, and nobody
 * else writes there. The file has its full size from the beginning, but no memory for blocks
 * that are not taken.
 */
#ifndef LIBPMC_REGION_FILE_H
#define LIBPMC_REGION_FILE_H

#include <stddef.h>
#include <stdint.h>

#define REGION_FILE_VARIABLE	"PMCTRACK_REGIONS"
#define REGION_FILE_MAGIC	0x31736e6f69676572ULL

#define REGION_BLOCK_BYTES	16384u
/* A viewer keeps all slices in memory: these are for more than a million regions. */
#define REGION_BLOCKS		4096u

/**
 * struct region_file - the beginning of the file
 * @left_out: regions that are not recorded because there was no block for them
 * @next: number of the next block to take, from 1
 */
struct region_file {
	uint64_t magic;
	uint64_t left_out;
	uint32_t next;
	uint32_t zero;
};

/**
 * struct region_block - regions of a thread
 * @used: bytes of @records that are complete
 */
struct region_block {
	uint32_t pid;
	uint32_t tid;
	uint32_t used;
	uint32_t zero;
	char records[REGION_BLOCK_BYTES - 16];
};

/**
 * struct region_record - a region that was left
 * @begin: when it was entered; ns by CLOCK_MONOTONIC, as samples have them
 * @end: when it was left
 * @len: bytes of @name, which has no 0 at its end
 */
struct region_record {
	uint64_t begin;
	uint64_t end;
	uint32_t len;
	char name[];
};

/* Longer names are shortened. */
#define REGION_NAME_BYTES	127

/* Bytes of a record with a name of @len bytes: the next one is aligned again. */
#define REGION_RECORD_BYTES(len) ((offsetof(struct region_record, name) + (len) + 7) & ~(size_t)7)

#endif
