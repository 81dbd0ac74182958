/* SPDX-License-Identifier: GPL-2.0 */
/* Counting, from the first sample to the last. */
#ifndef PMCTRACK_SAMPLING_LOOP_H
#define PMCTRACK_SAMPLING_LOOP_H

#include "report.h"

/*
 * Count and report according to @o. The event sets are configured in the session already.
 * Returns the exit status of pmctrack.
 */
int monitor(const struct options *o, pmc_session_t *session, struct report *report,
	    int uses_ebs, int nr_sets);

/* A signal to end pmctrack that has come since monitor() returned, or 0 */
int monitor_pending_signal(void);

#endif
