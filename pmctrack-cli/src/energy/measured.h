/* SPDX-License-Identifier: GPL-2.0 */
/* The energy of the machine by the monitoring module `energy`. */
#ifndef PMCTRACK_ENERGY_MEASURED_H
#define PMCTRACK_ENERGY_MEASURED_H

#include "pmctrack.h"

/**
 * struct measured - a session that measures the energy of all CPUs
 * @has_cores: energy of cores is measured, too
 * @seconds: how long it was measured
 * @package: out, of measured_end(): microjoules of all packages
 * @cores: out: microjoules of all cores
 */
struct measured {
	const pmc_machine_t *machine;
	pmc_session_t *session;
	int has_cores;
	double seconds;
	uint64_t package;
	uint64_t cores;
};

/* Begin to measure; bad() if that is refused. */
void measured_begin(struct measured *m, const pmc_machine_t *machine);
void measured_end(struct measured *m);

#endif
