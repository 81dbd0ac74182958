// SPDX-License-Identifier: GPL-2.0
/* Workloads of the kernel: system calls, page faults, files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common.h"
#include "workload/workloads.h"

#define CALLS 200
#define FAULTS 40
#define PAGE 4096
#define BLOCK 16384

uint64_t work_syscall(const struct workload_size *size)
{
	uint64_t sum = 0, n;

	for (n = size->rounds * CALLS; n; n--)
		sum += syscall(SYS_getppid);
	return sum;
}

/* Each round maps memory, uses each of its pages, and unmaps it. */
uint64_t work_fault(const struct workload_size *size)
{
	uint64_t sum = 0;
	unsigned long n;
	char *pages;
	int i;

	for (n = size->rounds; n; n--) {
		pages = mmap(NULL, FAULTS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (pages == MAP_FAILED)
			bad("cannot map memory: %s", strerror(errno));
		for (i = 0; i < FAULTS; i++)
			sum += ++pages[i * PAGE];
		munmap(pages, FAULTS * PAGE);
	}
	return sum;
}

static int make_file(const char *folder)
{
	char *name;
	int fd;

	if (asprintf(&name, "%s/pmc-workload-XXXXXX", folder) < 0)
		bad("out of memory");
	fd = mkstemp(name);
	if (fd < 0)
		bad("cannot make a file in %s: %s", folder, strerror(errno));
	unlink(name);
	free(name);
	return fd;
}

/* Write a block in each round, and read it; each file of the size is written to its disk. */
uint64_t work_disk(const struct workload_size *size)
{
	off_t blocks = size->bytes / BLOCK, at;
	int fd = make_file(size->folder);
	uint64_t block[BLOCK / sizeof(uint64_t)] = { 1 }, sum = 0;
	unsigned long n;

	for (n = 0; n < size->rounds; n++) {
		at = n % blocks;
		block[0] += n;
		if (pwrite(fd, block, BLOCK, at * BLOCK) != BLOCK || pread(fd, block, BLOCK, at * BLOCK) != BLOCK)
			bad("cannot use a file of %zu bytes in %s: %s", size->bytes, size->folder, strerror(errno));
		sum += block[0];
		if (at == blocks - 1 && fdatasync(fd))
			bad("cannot write to the disk of %s: %s", size->folder, strerror(errno));
	}
	close(fd);
	return sum;
}
