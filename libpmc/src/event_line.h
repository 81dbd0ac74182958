/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines of event tables, in the project's own form and in that of PMCTrack (CSV). */
#ifndef LIBPMC_EVENT_LINE_H
#define LIBPMC_EVENT_LINE_H

#include "format_event.h"

/* Longer lines are left out. */
#define EVENT_LINE_MAX 65536

enum line_kind {
	LINE_OTHER,		/* a comment, or of no known kind */
	LINE_EVENT,
	LINE_METRIC,
};

/*
 * Return the kind of a line, and copy the name of its event or metric to @name. @line is @len
 * bytes long and has no zero at its end.
 */
enum line_kind line_name(const char *line, size_t len, int is_csv, char name[EVENT_NAME]);

/* Are two names of events the same? Case does not matter, and . and : are the same. */
int same_event_name(const char *a, const char *b);

/*
 * The event of a line, which ends with a zero and is changed: its encoding, and in *@desc
 * what is said about it, or NULL. -1 with an error line that @where begins with, if the line
 * has no such form.
 */
int line_event(char *line, int is_csv, struct event *row, const char **desc, const char *where);

/*
 * Split a line into fields at tabs; @nr of them at most, and those that are missing are "".
 * Return: how many there are.
 */
int line_split(char *line, const char **fields, int nr);

#endif
