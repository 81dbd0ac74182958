// SPDX-License-Identifier: GPL-2.0
/* Model-specific registers of x86 CPUs, and the kernel's drivers for them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"

void load_driver(const char *name)
{
	char path[100];
	int fd;

	snprintf(path, sizeof(path), "/lib/machine/%s.ko", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST))
		die("%s: %s", path, strerror(errno));
	close(fd);
}

static int open_msr(int cpu)
{
	char path[40];
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT) {
		load_driver("msr");
		fd = open(path, O_RDWR | O_CLOEXEC);
	}
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	return fd;
}

/* The file stays open, so that an access takes less than a thousand instructions. */
static bool try_read_msr(int cpu, uint32_t number, uint64_t *value)
{
	static int fds[64];

	if (!fds[cpu])
		fds[cpu] = open_msr(cpu);
	return pread(fds[cpu], value, sizeof(*value), number) == sizeof(*value);
}

bool msr_is_there(int cpu, uint32_t number)
{
	uint64_t value;

	return try_read_msr(cpu, number, &value);
}

uint64_t read_msr(int cpu, uint32_t number)
{
	uint64_t value;

	if (!try_read_msr(cpu, number, &value))
		die("MSR %x of CPU %d cannot be read: %s", number, cpu, strerror(errno));
	return value;
}

int try_write_msr(int cpu, uint32_t number, uint64_t value)
{
	int fd = open_msr(cpu), ret = 0;

	if (pwrite(fd, &value, sizeof(value), number) != sizeof(value))
		ret = -errno;
	close(fd);
	return ret;
}

void write_msr(int cpu, uint32_t number, uint64_t value)
{
	int ret = try_write_msr(cpu, number, value);

	if (ret)
		die("MSR %x of CPU %d: %llx: %s", number, cpu, (long long)value, strerror(-ret));
}

void msr_refuses(int cpu, uint32_t number, uint64_t value)
{
	same(try_write_msr(cpu, number, value), -EIO, "writing %llx to MSR %x",
	     (long long)value, number);
}

long long file_number(const char *path)
{
	FILE *f = fopen(path, "r");
	long long n;

	if (!f || fscanf(f, "%lli", &n) != 1)
		die("%s: no number: %s", path, strerror(errno));
	fclose(f);
	return n;
}
