/* SPDX-License-Identifier: GPL-2.0 */
/* The file that a report goes to (-o). */
#ifndef PMCTRACK_OUTPUT_H
#define PMCTRACK_OUTPUT_H

#include <stdio.h>

#include "options.h"

/*
 * Open the report's file: that of -o; standard error, if pmctrack runs a program, as standard
 * output belongs to the program; else standard output. A file's contents are kept until
 * output_clear(). NULL with errno set. If it is pmctrack's standard output or standard error,
 * as /dev/stdout, the report is appended to the output of the program and others.
 */
FILE *output_open(const struct options *o);

/* The name of the report's file, for messages. */
const char *output_name(const struct options *o);

/* Width of the terminal that @f is; 0: it is none. */
int output_width(FILE *f);

/*
 * Empty @f when the report begins, unless others write to the same file. -1 with errno set.
 */
int output_clear(FILE *f);

#endif
