/* SPDX-License-Identifier: GPL-2.0 */
/* The file that a report goes to (-o). */
#ifndef PMCTRACK_OUTPUT_H
#define PMCTRACK_OUTPUT_H

#include <stdio.h>

#include "options.h"

/*
 * Open file @name; what is in it stays for now. NULL with errno set. What is our own
 * output or error output already, as /dev/stdout, is written to behind what others,
 * the program among them, write there.
 */
FILE *output_open(const char *name);

/* The name of the report's file, for messages. */
const char *output_name(const struct options *o);

/*
 * A report begins: end with what was in @f before, if it is a file of the report's
 * own. -1 with errno set.
 */
int output_clear(FILE *f);

#endif
