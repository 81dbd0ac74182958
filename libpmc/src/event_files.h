/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tables of events and metrics in files: those of every CPU that perf knows, which are
 * installed as data, and the user's own. docs/events.md has their form and where they are
 * looked for. A core type has at most one file in each folder.
 */
#ifndef LIBPMC_EVENT_FILES_H
#define LIBPMC_EVENT_FILES_H

#include "format_event.h"

struct event_files;

/* A metric's line. The strings end with that of @line. */
struct file_metric {
	char *line;		/* for free() */
	const char *name;
	const char *scale;	/* factor and unit, such as "100%" or "1per_sec", or "" */
	const char *expr;	/* perf's MetricExpr as it is */
	const char *groups;	/* separated by ; */
	const char *threshold;	/* perf's MetricThreshold, or "" */
	const char *desc;
};

/* Find the files of a core type. NULL if there are none. The files are not read yet. */
struct event_files *event_files_open(const struct core_type *ct);
void event_files_close(struct event_files *files);

/* Name of the first file that there is, without its folder */
const char *event_files_name(const struct event_files *files);

/*
 * Encode ev->base. 1: encoded, 0: no such event, -1: error. Case does not matter, and . and :
 * are the same. An event of an earlier folder takes precedence.
 */
int event_files_encode(struct event *ev, const struct core_type *ct);

/* 1: there is an event of this name, 0: there is not */
int event_files_know(const struct core_type *ct, const char *name);

/* Call @fn for each event; stop if it does not return 0, and return that. */
int event_files_each_event(const struct core_type *ct,
			   int (*fn)(void *arg, const struct pmc_event_info *ev), void *arg);

/*
 * Look a metric up by name; case does not matter. 1: found, free metric->line after use,
 * 0: no such metric, -1: error.
 */
int event_files_find_metric(const struct core_type *ct, const char *name,
			    struct file_metric *metric);

/*
 * Call @fn for each metric; stop if it does not return 0, and return that. The strings are
 * valid until @fn returns.
 */
int event_files_each_metric(const struct core_type *ct,
			    int (*fn)(void *arg, const struct file_metric *metric), void *arg);

#endif
