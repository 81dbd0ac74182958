/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* x86's instruction CPUID; nothing is known on other architectures. */
#ifndef PAPI_X86_CPUID_H
#define PAPI_X86_CPUID_H

#include <stddef.h>

/**
 * cpuid_of_cpu - what CPUID says on a CPU
 * @regs: out: eax, ebx, ecx, edx
 * @root: folder of the cpuid driver's files; "": the instruction is used if they are
 *	missing, and the thread moves to that CPU and back
 *
 * Return: 0; -1: not known.
 */
int cpuid_of_cpu(unsigned int regs[4], const char *root, int cpu, unsigned int leaf);

/** cpuid_hypervisor - the name that a hypervisor gives itself, "" if there is none */
void cpuid_hypervisor(char *name, size_t size);

#endif /* PAPI_X86_CPUID_H */
