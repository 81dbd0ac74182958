/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that the words of a command line name. */
#ifndef PMCTRACK_PROBE_FIND_H
#define PMCTRACK_PROBE_FIND_H

#include "probe_elf.h"

/**
 * struct probe_files - the program and libraries
 * @all: the program first
 */
struct probe_files {
	int nr;
	struct probe_elf *all;
};

/* Open the program's file, which is looked for as the shell does. bad() if there is none */
void probe_files_open(struct probe_files *files, const char *program);
void probe_files_close(struct probe_files *files);

/*
 * Add the functions of "FUNCTION" or "LIBRARY:FUNCTION", both of which may have *, ? and [] in
 * the function's name. bad() if there is none.
 */
void probe_find(struct probe_files *files, const char *word, struct probe_functions *functions);
void probe_functions_free(struct probe_functions *functions);

#endif
