/* SPDX-License-Identifier: GPL-2.0 */
/* Components in the report of pmc-hwinfo. */
#ifndef PMCTRACK_PAPI_HWINFO_COMPONENTS_H
#define PMCTRACK_PAPI_HWINFO_COMPONENTS_H

#include "section_report.h"

void hwinfo_components(struct section_report *r);

#endif
