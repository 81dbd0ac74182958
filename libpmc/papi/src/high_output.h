/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The file that the high level writes at the end of the program. */
#ifndef PAPI_HIGH_OUTPUT_H
#define PAPI_HIGH_OUTPUT_H

#include <stdio.h>

#include "high_regions.h"

/*
 * Find the folder of the output: papi_hl_output in PAPI_OUTPUT_DIRECTORY, or in the current
 * folder. An older folder of this name is renamed. To be called before the program may
 * change its folder or shut the library down.
 */
int hl_output_prepare(void);

/* Write rank_NUMBER.json, and with PAPI_REPORT the same to stdout. */
void hl_output_write(const struct hl_events *events, const struct hl_thread *threads);

/* high_json.c: the contents */
void hl_json_write(FILE *f, const struct hl_events *events, const struct hl_thread *threads);
void hl_json_prepare(void);

#endif
