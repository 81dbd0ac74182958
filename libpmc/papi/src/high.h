/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The high level: PAPI_hl_region_begin() and the calls that belong to it. */
#ifndef PAPI_HIGH_H
#define PAPI_HIGH_H

#include <stdbool.h>

/* Do EventSets of the high level count the calling thread? */
bool hl_running(void);

#endif
