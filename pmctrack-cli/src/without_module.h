/* SPDX-License-Identifier: GPL-2.0 */
/* What users are told where perf_event_open() counts, because the kernel module is not loaded. */
#ifndef PMCTRACK_WITHOUT_MODULE_H
#define PMCTRACK_WITHOUT_MODULE_H

#include "report_layout.h"

/* One line, also if the program runs several times */
void announce_perf(void);

/* After counting: a line for each event set and event whose totals are not exact, with the reason */
void announce_inexact(const struct layout *layout, pmc_session_t *session);

#endif
