// SPDX-License-Identifier: GPL-2.0
/* The energy of the machine by the monitoring module `energy`. */
#include <time.h>

#include "common.h"
#include "energy/measured.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

void measured_begin(struct measured *m, const pmc_machine_t *machine)
{
	pmc_config_t *config = must_have(pmc_config_new(machine));

	*m = (struct measured){ .machine = machine };
	if (pmc_config_add_virtual(config, "energy_pkg"))
		bad("energy: the energy of packages is not measured: %s", pmc_last_error());
	m->has_cores = !pmc_config_add_virtual(config, "energy_core");
	m->session = pmc_session_open();
	if (!m->session || pmc_session_configure(m->session, config) ||
	    pmc_session_command(m->session, "syswide"))
		bad("energy: the energy of packages cannot be measured: %s", pmc_last_error());
	pmc_config_free(config);
	m->seconds = -now();
}

void measured_end(struct measured *m)
{
	uint64_t values[PMC_MAX_VIRTUALS];
	int id;

	if (pmc_session_command(m->session, "stop"))
		bad("energy: measuring cannot be stopped: %s", pmc_last_error());
	m->seconds += now();
	for (id = 0; id < pmc_machine_nr_core_types(m->machine); id++) {
		if (pmc_session_totals_virtual(m->session, id, 0, values) < 1 + m->has_cores)
			continue;
		m->package += values[0];
		m->cores += m->has_cores ? values[1] : 0;
	}
	pmc_session_close(m->session);
}
