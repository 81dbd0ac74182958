/* SPDX-License-Identifier: GPL-2.0 */
/* Files of runs that pmctrack --format=json has recorded. */
#ifndef PMCTRACK_RECORDED_FILE_H
#define PMCTRACK_RECORDED_FILE_H

/* All of a file, ended by a zero, for free(). bad() in the name of @verb if it cannot be read */
char *recorded_read(const char *verb, const char *path);

/* RUN.svg, for RUN.json and the ending ".svg". For free() */
char *recorded_rename(const char *path, const char *ending);

#endif
