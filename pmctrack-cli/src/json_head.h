/* SPDX-License-Identifier: GPL-2.0 */
/* What JSON begins with: the command, the core types with their events, and the metrics. */
#ifndef PMCTRACK_JSON_HEAD_H
#define PMCTRACK_JSON_HEAD_H

#include <stdint.h>
#include <stdio.h>

#include "report_layout.h"

/* Members of an object, each with a comma and a line break at its end; @words: up to NULL, or NULL */
void json_command(FILE *f, char *const *words);
void json_core_types(FILE *f, const struct layout *layout);
void json_metrics(FILE *f, const struct layout *layout);

/* A number, or null instead of 0 */
void json_period(FILE *f, uint64_t period);

#endif
