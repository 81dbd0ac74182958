/* SPDX-License-Identifier: GPL-2.0 */
/* Caches in the report of pmc-hwinfo. */
#ifndef PMCTRACK_PAPI_HWINFO_CACHES_H
#define PMCTRACK_PAPI_HWINFO_CACHES_H

#include "devices.h"
#include "section_report.h"

/* The caches of a core type */
void hwinfo_caches_device(struct section_report *r, const struct device *device);

/* The caches and TLBs that PAPI has for the whole machine */
void hwinfo_caches_hierarchy(struct section_report *r, const PAPI_mh_info_t *hierarchy);

#endif
