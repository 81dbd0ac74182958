/* SPDX-License-Identifier: GPL-2.0 */
/* A table with a row for each run, and the mean. */
#ifndef PMCTRACK_NODE_SUMMARY_H
#define PMCTRACK_NODE_SUMMARY_H

#include <stdio.h>

#include "node/folder.h"

/* @width: of the terminal; 0: none */
void summary_print(const struct run_list *list, FILE *f, int width);

#endif
