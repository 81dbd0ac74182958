// SPDX-License-Identifier: LGPL-2.1-or-later
/* CPUID, by the kernel's driver or by the instruction. */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "cpu_set.h"
#include "x86_cpuid.h"

#define FEATURES	1
#define HYPERVISOR_BIT	(1u << 31)	/* of ecx */
#define HYPERVISOR	0x40000000
#define MORE_FEATURES	7
#define HYBRID_BIT	(1u << 15)	/* of edx */

/* The driver's file has a leaf at the offset of its number. */
static int read_driver(unsigned int regs[4], const char *root, int cpu, unsigned int leaf)
{
	size_t size = 4 * sizeof(*regs);
	char path[4096];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/dev/cpu/%d/cpuid", root, cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = pread(fd, regs, size, leaf);
	close(fd);
	return n == (ssize_t)size ? 0 : -1;
}

#if defined(__x86_64__) || defined(__i386__)
/* Only machines with core types have reasons to move a thread. */
static int is_hybrid(void)
{
	unsigned int regs[4];

	return __get_cpuid_count(MORE_FEATURES, 0, &regs[0], &regs[1], &regs[2], &regs[3]) &&
	       regs[3] & HYBRID_BIT;
}

static int execute_on(unsigned int regs[4], int cpu, unsigned int leaf)
{
	struct cpus before = { { 0 } }, one = { { 0 } };
	int rc = -1;

	if (!is_hybrid() || sched_getaffinity(0, sizeof(before), (cpu_set_t *)&before) < 0)
		return -1;
	cpus_add(&one, cpu);
	if (sched_setaffinity(0, sizeof(one), (cpu_set_t *)&one))
		return -1;
	if (__get_cpuid_count(leaf, 0, &regs[0], &regs[1], &regs[2], &regs[3]))
		rc = 0;
	sched_setaffinity(0, sizeof(before), (cpu_set_t *)&before);
	return rc;
}

void cpuid_hypervisor(char *name, size_t size)
{
	unsigned int eax, regs[3];
	char text[sizeof(regs) + 1];

	*name = '\0';
	if (!__get_cpuid(FEATURES, &eax, &regs[0], &regs[1], &regs[2]) ||
	    !(regs[1] & HYPERVISOR_BIT))
		return;
	__cpuid(HYPERVISOR, eax, regs[0], regs[1], regs[2]);
	memcpy(text, regs, sizeof(regs));
	text[sizeof(regs)] = '\0';
	snprintf(name, size, "%s", text);
}
#else
static int execute_on(unsigned int regs[4], int cpu, unsigned int leaf)
{
	(void)regs;
	(void)cpu;
	(void)leaf;
	return -1;
}

void cpuid_hypervisor(char *name, size_t size)
{
	(void)size;
	*name = '\0';
}
#endif

int cpuid_of_cpu(unsigned int regs[4], const char *root, int cpu, unsigned int leaf)
{
	if (!read_driver(regs, root, cpu, leaf))
		return 0;
	return *root ? -1 : execute_on(regs, cpu, leaf);
}
