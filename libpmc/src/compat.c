// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * PMCTrack's calls, implemented by sessions. Each descriptor has its own session, and shares
 * its configuration with its clones.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat.h"
#include "compat_snapshot.h"
#include "error.h"
#include "session.h"

/* Like PMCTrack's calls, these print the error line. */
static int complain(void)
{
	fprintf(stderr, "libpmctrack: %s\n", pmc_last_error());
	return -1;
}

static struct setup *setup_new(void)
{
	struct setup *setup = calloc(1, sizeof(*setup));

	if (!setup) {
		pmc_fail_nomem();
		return NULL;
	}
	setup->refs = 1;
	setup->machine = pmc_machine_open();
	if (setup->machine)
		return setup;
	free(setup);
	return NULL;
}

static void setup_put(struct setup *setup)
{
	if (!setup || __atomic_sub_fetch(&setup->refs, 1, __ATOMIC_ACQ_REL))
		return;
	pmc_config_free(setup->config);
	pmc_machine_close(setup->machine);
	free(setup);
}

/* A session whose ring has room for @max_nr_samples samples; 0: the default. */
static pmc_session_t *session_of_size(unsigned int max_nr_samples)
{
	pmc_session_t *session = kernel_session_open();

	if (!session || !max_nr_samples ||
	    !pmc_session_command(session, "ring %u", max_nr_samples))
		return session;
	pmc_session_close(session);
	return NULL;
}

static pmctrack_desc_t *descriptor_new(struct setup *setup, unsigned int max_nr_samples)
{
	pmctrack_desc_t *desc = calloc(1, sizeof(*desc));

	if (!desc) {
		pmc_fail_nomem();
		return NULL;
	}
	desc->max_nr_samples = max_nr_samples;
	desc->session = session_of_size(max_nr_samples);
	if (desc->session) {
		desc->setup = setup;
		return desc;
	}
	free(desc);
	return NULL;
}

/* The kernel starts and stops the following runs. */
static void drop_snapshot(pmctrack_desc_t *desc)
{
	snapshot_free(desc->snapshot);
	desc->snapshot = NULL;
	desc->by_snapshot = 0;
}

pmctrack_desc_t *pmctrack_init(unsigned int max_nr_samples)
{
	struct setup *setup = setup_new();
	pmctrack_desc_t *desc = setup ? descriptor_new(setup, max_nr_samples) : NULL;

	if (!desc) {
		complain();
		setup_put(setup);
	}
	return desc;
}

int pmctrack_destroy(pmctrack_desc_t *desc)
{
	if (!desc)
		return 0;
	snapshot_free(desc->snapshot);
	pmc_session_close(desc->session);
	setup_put(desc->setup);
	free(desc->slots);
	free(desc->samples);
	free(desc);
	return 0;
}

/* Send the setup to the session, and ask which counters the events were placed on. */
static int apply(pmctrack_desc_t *desc)
{
	struct setup *setup = desc->setup;

	if (pmc_session_configure(desc->session, setup->config) ||
	    pmc_session_command(desc->session, "period %dms", setup->period_ms))
		return -1;
	return slots_load(desc, desc->session);
}

static int uses_ebs(const pmc_config_t *config, const pmc_machine_t *machine)
{
	int id, set, i;

	for (id = 0; id < pmc_machine_nr_core_types(machine); id++)
		for (set = 0; set < pmc_config_nr_sets(config, id); set++)
			for (i = 0; i < pmc_config_nr_events(config, id, set); i++)
				if (pmc_config_ebs_period(config, id, set, i))
					return 1;
	return 0;
}

static int add_sets(struct setup *setup, const char *strcfg[], const char *virtcfg,
		    int core_type, unsigned int flags)
{
	int has_events = strcfg && strcfg[0], has_virtuals = virtcfg && *virtcfg;
	int i;

	if (!has_events && !has_virtuals)
		return pmc_fail(EINVAL, "no events to count");
	setup->config = pmc_config_new(setup->machine);
	if (!setup->config)
		return -1;
	if (has_virtuals && pmc_config_add_virtual(setup->config, virtcfg))
		return -1;
	for (i = 0; has_events && strcfg[i]; i++) {
		if (pmc_config_add(setup->config, strcfg[i], core_type, flags))
			return -1;
		setup->nr_sets++;
	}
	for (i = 0; i < pmc_machine_nr_core_types(setup->machine); i++)
		if (pmc_config_nr_sets(setup->config, i) > MAX_COUNTER_CONFIGS)
			return pmc_fail(EINVAL, "more than %d event sets", MAX_COUNTER_CONFIGS);
	return 0;
}

/*
 * Configure the old setup again, after @refused was refused. Another user may have taken
 * its counters in between.
 */
static void go_back(pmctrack_desc_t *desc, struct setup *refused)
{
	if (!desc->setup->config || !apply(desc)) {
		setup_put(refused);
		return;
	}
	complain();
	pmc_session_command(desc->session, "clear");
	/* Clones may use the old setup, so @desc keeps the new one, without a configuration. */
	setup_put(desc->setup);
	desc->setup = refused;
	pmc_config_free(refused->config);
	refused->config = NULL;
}

/*
 * The size of a session's ring depends on the configuration and is fixed when the ring is
 * made, so a new configuration gets a new session. The old session is cleared first: the
 * new one may need its counters.
 */
static int replace_setup(pmctrack_desc_t *desc, struct setup *setup)
{
	pmc_session_t *session = session_of_size(desc->max_nr_samples), *old = desc->session;
	struct setup *old_setup = desc->setup;
	int err;

	if (!session) {
		setup_put(setup);
		return complain();
	}
	drop_snapshot(desc);
	pmc_session_command(old, "stop\nclear");
	desc->counting = 0;
	desc->nr_samples = 0;
	desc->lost_before = 0;
	desc->setup = setup;
	desc->session = session;
	if (!apply(desc)) {
		pmc_session_close(old);
		setup_put(old_setup);
		return 0;
	}
	err = errno;
	complain();
	pmc_session_close(session);
	desc->setup = old_setup;
	desc->session = old;
	go_back(desc, setup);
	errno = err;
	return -1;
}

static int configure(pmctrack_desc_t *desc, const char *strcfg[], const char *virtcfg,
		     int period_ms, int core_type, unsigned int flags)
{
	struct setup *setup = setup_new();

	if (!setup)
		return complain();
	setup->raw = flags & PMC_CONFIG_RAW;
	setup->core_type = core_type;
	if (period_ms < 0)
		pmc_fail(EINVAL, "the time between samples is negative");
	if (period_ms < 0 || add_sets(setup, strcfg, virtcfg, core_type, flags)) {
		setup_put(setup);
		return complain();
	}
	setup->period_ms = uses_ebs(setup->config, setup->machine) ? 0 : period_ms;
	return replace_setup(desc, setup);
}

int pmctrack_config_counters(pmctrack_desc_t *desc, const char *strcfg[],
			     const char *virtcfg, int mux_timeout_ms)
{
	return configure(desc, strcfg, virtcfg, mux_timeout_ms, PMC_EVERY_CORE_TYPE,
			 PMC_CONFIG_RAW);
}

int pmctrack_config_counters_mnemonic(pmctrack_desc_t *desc, const char *strcfg[],
				      const char *virtcfg, int mux_timeout_ms, int pmu_id)
{
	return configure(desc, strcfg, virtcfg, mux_timeout_ms,
			 pmu_id ? pmu_id : PMC_EVERY_CORE_TYPE, 0);
}

pmctrack_desc_t *pmctrack_clone_descriptor(pmctrack_desc_t *orig)
{
	pmctrack_desc_t *desc = descriptor_new(orig->setup, orig->max_nr_samples);

	if (!desc) {
		complain();
		return NULL;
	}
	__atomic_add_fetch(&desc->setup->refs, 1, __ATOMIC_RELAXED);
	if (desc->setup->config && apply(desc)) {
		complain();
		pmctrack_destroy(desc);
		return NULL;
	}
	return desc;
}

static int ready(const pmctrack_desc_t *desc)
{
	if (desc->setup->config)
		return 0;
	return pmc_fail(EINVAL, "configure the counters before starting them");
}

/* Drop the last run's samples, also those still in the ring. Return: 0, or -1: error. */
static int begin_run(pmctrack_desc_t *desc, int syswide)
{
	struct pmc_reading reading;
	int rc;

	desc->counting = 0;
	desc->nr_samples = 0;
	desc->syswide = syswide;
	do
		rc = pmc_session_next(desc->session, &reading);
	while (rc > 0);
	desc->lost_before = pmc_session_lost(desc->session);
	return rc;
}

/* The thread's counters run from its first start on: later starts read them. */
static int start_by_snapshot(pmctrack_desc_t *desc)
{
	desc->nr_samples = 0;
	desc->by_snapshot = 1;
	desc->counting = 1;
	return snapshot_start(desc->snapshot) ? complain() : 0;
}

static int start_by_session(pmctrack_desc_t *desc)
{
	if (pmc_session_start(desc->session))
		return complain();
	desc->counting = 1;
	return 0;
}

int pmctrack_start_counters(pmctrack_desc_t *desc)
{
	int rc;

	if (desc->snapshot && snapshot_is_mine(desc->snapshot))
		return start_by_snapshot(desc);
	if (begin_run(desc, 0) || ready(desc))
		return complain();
	drop_snapshot(desc);
	desc->tid = gettid();
	rc = snapshot_new(desc);
	if (rc < 0)
		return complain();
	return rc ? start_by_snapshot(desc) : start_by_session(desc);
}

static int check_counting(const pmctrack_desc_t *desc, int syswide)
{
	if (desc->counting && desc->syswide == syswide)
		return 0;
	return pmc_fail(ESRCH, "there is nothing to stop: pmctrack_start_counters%s() begins a run",
			syswide ? "_syswide" : "");
}

static int stop_session(pmctrack_desc_t *desc)
{
	return pmc_session_stop(desc->session) || samples_fetch(desc) ? -1 : 0;
}

int pmctrack_stop_counters(pmctrack_desc_t *desc)
{
	if (check_counting(desc, 0) ||
	    (desc->by_snapshot ? snapshot_stop(desc->snapshot, desc) : stop_session(desc)))
		return complain();
	desc->counting = 0;
	return 0;
}

int pmctrack_start_counters_syswide(pmctrack_desc_t *desc)
{
	/* If the session still counts a thread, that ends first. */
	drop_snapshot(desc);
	if (ready(desc) || pmc_session_command(desc->session, "stop"))
		return complain();
	if (begin_run(desc, 1) || pmc_session_command(desc->session, "syswide"))
		return complain();
	desc->counting = 1;
	return 0;
}

int pmctrack_stop_counters_syswide(pmctrack_desc_t *desc)
{
	if (check_counting(desc, 1) || pmc_session_command(desc->session, "stop") ||
	    samples_fetch(desc))
		return complain();
	desc->counting = 0;
	return 0;
}

pmc_sample_t *pmctrack_get_samples(pmctrack_desc_t *desc, int *nr_samples)
{
	*nr_samples = desc->nr_samples;
	return desc->nr_samples ? desc->samples : NULL;
}
