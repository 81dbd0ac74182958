/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The report on a core type. */
#ifndef PAPI_CORE_REPORT_H
#define PAPI_CORE_REPORT_H

#include <pmctrack.h>

#include "hardware.h"
#include "pmcpapi.h"

/**
 * core_report_hardware - what the machine's files say of core type @n
 *
 * Members about counting are set to "not known". Return: PAPI_OK; PAPI_EINVAL: there is none.
 */
int core_report_hardware(struct pmcpapi_core_type *out, const struct hardware *hw, int n,
			 const char *root);

/** core_report_counters - what libpmctrack knows of it: PMU and counters */
void core_report_counters(struct pmcpapi_core_type *out, const struct pmc_core_type_info *info);

#endif
