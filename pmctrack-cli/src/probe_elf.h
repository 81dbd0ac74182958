/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of programs and libraries, from their ELF files. */
#ifndef PMCTRACK_PROBE_ELF_H
#define PMCTRACK_PROBE_ELF_H

#include <elf.h>
#include <stddef.h>

#include "probe.h"

/**
 * struct probe_elf - a file
 * @data: its contents, mapped, so that the kernel refuses at once what it cannot probe
 */
struct probe_elf {
	char *path;
	const unsigned char *data;
	size_t size;
};

/* bad() if the file cannot be read, or has another form. */
void probe_elf_open(struct probe_elf *elf, const char *path);
void probe_elf_close(struct probe_elf *elf);

/*
 * Does the name belong to code that cannot have a probe at its return? The kernel replaces the
 * address that such a function returns to, and code that is not called, or that remembers the
 * address, does not survive this.
 */
int probe_elf_is_unsafe(const char *name);

/*
 * Add the functions whose names match @pattern (as the shell's) by address, each address once,
 * without the unsafe ones. @prefix: before their names, or "". Return: number of functions added.
 */
int probe_elf_find(const struct probe_elf *elf, const char *pattern, const char *prefix,
		   struct probe_functions *functions);

/*
 * Does @pattern match the name of a function that the program chooses among several when it starts
 * (STT_GNU_IFUNC)? The symbol's address is that of the function that chooses.
 */
int probe_elf_is_chosen(const struct probe_elf *elf, const char *pattern);

/*
 * What in the file may not survive probes at returns, as the end of a line that begins with its
 * name. NULL: nothing is known
 */
const char *probe_elf_danger(const struct probe_elf *elf);

/* Where the code at @address of this process is. -1: not in the program's file */
int probe_own_offset(const void *address, uint64_t *offset);

#endif
