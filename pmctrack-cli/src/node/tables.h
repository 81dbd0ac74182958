/* SPDX-License-Identifier: GPL-2.0 */
/* Tables that compare programs and cores. */
#ifndef PMCTRACK_NODE_TABLES_H
#define PMCTRACK_NODE_TABLES_H

#include <stdio.h>

#include "node/average.h"

/* Performance of each program on each set of cores; bad() if no run has any. */
void table_performance(const struct run_groups *groups, FILE *f);

/* Miss rates and shares of instructions on each core type, of each program on its cores */
void table_core_types(const struct run_groups *groups, FILE *f);

#endif
