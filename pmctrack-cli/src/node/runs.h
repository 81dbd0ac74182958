/* SPDX-License-Identifier: GPL-2.0 */
/* All runs of a program: settle, run, and write each run's folder. */
#ifndef PMCTRACK_NODE_RUNS_H
#define PMCTRACK_NODE_RUNS_H

#include "node/node_options.h"

/* Return: the exit status. */
int runs_make(struct node_options *n);

/* The name of a program, without its folder, and its arguments. For free() */
char *runs_program(char *const *command);

#endif
