/* SPDX-License-Identifier: GPL-2.0 */
/* Model-specific registers of x86 CPUs, and the kernel's drivers for them. */
#ifndef VM_MSR_H
#define VM_MSR_H

#include <stdbool.h>
#include <stdint.h>

/* Monitoring and partitioning of the last-level cache */
#define QM_EVTSEL	0xc8d
#define QM_CTR		0xc8e
#define PQR_ASSOC	0xc8f
#define L3_MASK		0xc90
/* AMD: bit 0 switches on ABMC */
#define L3_EXT_CFG	0xc00003ff

/* QM_EVTSEL: events; QM_CTR: instead of a count */
#define QM_OCCUPANCY	1
#define QM_TOTAL	2
#define QM_LOCAL	3
#define QM_ERROR	(1ull << 63)
#define QM_UNAVAILABLE	(1ull << 62)

/* Load a module of the kernel (name without .ko) unless it is loaded. */
void load_driver(const char *name);
uint64_t read_msr(int cpu, uint32_t number);
/* Can the register be read? */
bool msr_is_there(int cpu, uint32_t number);
/* Return: 0, or -EIO when the CPU refuses. */
int try_write_msr(int cpu, uint32_t number, uint64_t value);
/* The same; the CPU has to accept the value. */
void write_msr(int cpu, uint32_t number, uint64_t value);
/* The CPU has to refuse the value. */
void msr_refuses(int cpu, uint32_t number, uint64_t value);
/* A number in a file */
long long file_number(const char *path);

#endif
