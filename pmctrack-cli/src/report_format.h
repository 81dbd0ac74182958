/* SPDX-License-Identifier: GPL-2.0 */
/* Forms of a report: which one --format, --plot and the name of the file ask for. */
#ifndef PMCTRACK_REPORT_FORMAT_H
#define PMCTRACK_REPORT_FORMAT_H

#include "options.h"

/* The argument of --format; bad() if there is no such form */
const struct report_ops *format_by_name(const char *text);

/* If --format does not say the form, the ending of the file's name does; else it is the table. */
void format_choose(struct options *o);

/* bad() if a report of this form cannot be written, or not of what is asked for */
void format_check(const struct options *o);

#endif
