// SPDX-License-Identifier: GPL-2.0
/* Statistics of the module's own work. */
#include "base/stats.h"

DEFINE_PER_CPU(u64[PMC_STAT_NR], pmc_stats);
atomic_t pmc_nr_sessions = ATOMIC_INIT(0);
atomic_t pmc_nr_threads = ATOMIC_INIT(0);
