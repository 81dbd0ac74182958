/* SPDX-License-Identifier: GPL-2.0 */
/* pmctrack listen: what its files share. */
#ifndef PMCTRACK_LISTEN_H
#define PMCTRACK_LISTEN_H

#include <pmctrack.h>
#include <stdio.h>

#include "../../../kmod/uapi/pmctrack_netlink.h"

#define LISTEN_NAMES (PMC_MAX_COUNTS + PMC_MAX_VIRTUALS)
/* A virtual counter's name with its unit, as its module chooses it */
#define LISTEN_LABEL 64
/* Each byte of a description or label may take four, and each count may have no name. */
#define LISTEN_TEXT (4 * (PMC_DESCRIPTION_LEN + LISTEN_LABEL * PMC_MAX_VIRTUALS) + 16 * LISTEN_NAMES)

/**
 * struct listen_counts - the counts of a sample, with their names
 * @nr: how many: those of the event set, then the virtual counters
 * @names: their names, quoted, or "count N" where the session has not been described
 * @virtuals: what is known of a virtual counter; NULL: it is an event, or the machine does not have it
 * @values: their values; PMC_NO_VALUE: not known
 * @text: what @names points into
 */
struct listen_counts {
	int nr;
	const char *names[LISTEN_NAMES];
	const struct pmc_virtual_info *virtuals[LISTEN_NAMES];
	uint64_t values[LISTEN_NAMES];
	char text[LISTEN_TEXT];
};

/* sessions.c: the sessions that have begun and not ended, by their descriptions */
void listen_remember(const struct pmc_listener_event *event);
int listen_knows(unsigned int session);
void listen_forget(unsigned int session);
void listen_name_counts(struct listen_counts *counts, const struct pmc_listener_event *event);

/**
 * struct listen_print - how samples are printed
 * @machine: for names of core types
 * @metrics: names or definitions of metrics
 * @nr_metrics: how many
 * @width: of the terminal that the output goes to, or 0
 * @f: where to
 */
struct listen_print {
	const pmc_machine_t *machine;
	const char *const *metrics;
	int nr_metrics;
	int width;
	FILE *f;
};

/* metrics.c: bad() if no core type has the events of one of them */
void listen_metrics_check(const struct listen_print *p);
/* The metric as text, "-" if the session does not count its events */
void listen_metric_print(int n, int core_type, const struct listen_counts *counts, char *buf,
			 size_t size);
/* Its name with its unit */
const char *listen_metric_heading(int n);

/**
 * struct listen_ops - a form of output
 * @begin, @sample, @end: print an event
 * @finish: say what no event has said; NULL: nothing
 */
struct listen_ops {
	void (*begin)(const struct listen_print *p, const struct pmc_listener_event *event);
	void (*sample)(const struct listen_print *p, const struct pmc_listener_event *event);
	void (*end)(const struct listen_print *p, const struct pmc_listener_event *event);
	void (*finish)(void);
};

/* print.c */
extern const struct listen_ops listen_table, listen_csv;
/* A line about a session, for -l */
void listen_print_session(const struct pmc_listener_event *event, FILE *f);

#endif
