// SPDX-License-Identifier: GPL-2.0
/* The backend in use. */
#include "pmu/pmu.h"

const struct pmu_backend *pmc_backend;
unsigned int pmc_first_software;

DEFINE_STATIC_CALL_NULL(pmc_backend_load, pmc_backend_count_t);
DEFINE_STATIC_CALL_NULL(pmc_backend_unload, pmc_backend_count_t);
