/* SPDX-License-Identifier: GPL-2.0 */
/* Counting, from the first sample to the last. */
#ifndef PMCTRACK_MONITOR_H
#define PMCTRACK_MONITOR_H

#include "report.h"

/*
 * Count what @o says and report. Returns the exit status for pmctrack. The
 * session is configured with event sets already.
 */
int monitor(const struct options *o, pmc_session_t *session, struct report *report,
	    int uses_ebs, int nr_sets);

#endif
