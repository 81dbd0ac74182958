// SPDX-License-Identifier: GPL-2.0
/* The counts of all CPUs, by core type and event set. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "openmetrics/openmetrics.h"

/* A core type without events has a set without events, for its virtual counters. */
static int nr_sets(const struct machine_counts *c, int core_type)
{
	return pmc_config_nr_sets(c->config, core_type) ?: 1;
}

static void find_sets(struct machine_counts *c)
{
	int id, set, nr = 0;

	for (id = 0; id < pmc_machine_nr_core_types(c->machine); id++)
		nr += nr_sets(c, id);
	c->sets = new_array(nr, sizeof(*c->sets));
	for (id = 0; id < pmc_machine_nr_core_types(c->machine); id++) {
		for (set = 0; set < nr_sets(c, id); set++) {
			c->sets[c->nr_sets].total.core_type = id;
			c->sets[c->nr_sets++].total.set = set;
		}
	}
}

static int has_turns(const struct machine_counts *c)
{
	int i;

	for (i = 0; i < c->nr_sets; i++)
		if (c->sets[i].total.set)
			return 1;
	return 0;
}

/* The turn of a set ends with a sample by time, not with one on demand. */
static int begin_turns(const struct machine_counts *c)
{
	return has_turns(c) &&
	       pmc_session_command(c->session, "period %lluus", (unsigned long long)c->delay_us);
}

/* Counts begin at 0. -1: nothing is counted */
static int begin(struct machine_counts *c)
{
	int cpu, i;

	for (i = 0; i < c->nr_sets; i++)
		c->sets[i].total = (struct pmc_set_counts){
			.core_type = c->sets[i].total.core_type, .set = c->sets[i].total.set,
		};
	for (i = 0; i < PMC_MAX_VIRTUALS; i++) {
		c->sums[i] = PMC_NO_VALUE;
		for (cpu = 0; cpu < c->nr_cpus; cpu++)
			c->levels[cpu][i] = PMC_NO_VALUE;
	}
	c->evicted = 0;
	c->session = pmc_session_open();
	c->stopped = !c->session || pmc_session_command(c->session, "filter %s\nring %d\nwakeup %d\n"
							"describe pmctrack openmetrics", c->filter,
							8 * c->nr_cpus + 64, 8 * c->nr_cpus + 64) ||
		     begin_turns(c) || pmc_session_configure(c->session, c->config) ||
		     pmc_session_command(c->session, "syswide");
	return -c->stopped;
}

void machine_counts_start(struct machine_counts *c)
{
	find_sets(c);
	c->nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	c->levels = new_array(c->nr_cpus, sizeof(*c->levels));
	if (begin(c))
		bad("openmetrics: %s", pmc_last_error());
}

void machine_counts_go_on(struct machine_counts *c)
{
	int counted = !c->stopped;

	if (counted && !c->evicted)
		return;
	pmc_session_close(c->session);
	if (begin(c) && counted)
		fprintf(stderr, "pmctrack openmetrics: CPUs are not counted for now: %s\n", pmc_last_error());
}

static void read_samples(struct machine_counts *c)
{
	struct pmc_reading r;
	int rc;

	while ((rc = pmc_session_next(c->session, &r)) > 0) {
		if (r.flags & PMC_READING_EVICTED)
			c->evicted = 1;
		if (r.cpu >= 0 && r.cpu < c->nr_cpus)
			memcpy(c->levels[r.cpu], r.virtual_counts, r.nr_virtual * sizeof(*r.virtual_counts));
	}
	if (rc < 0)
		bad("openmetrics: %s", pmc_last_error());
	c->lost = pmc_session_lost(c->session);
}

static void take_set(struct machine_counts *c, struct machine_set *s)
{
	struct pmc_set_counts before = s->total, *now = &s->total;
	int i;

	if (pmc_session_set_counts(c->session, before.core_type, before.set, now) < 0)
		bad("openmetrics: %s", pmc_last_error());
	s->interval = *now;
	s->interval.running -= before.running;
	for (i = 0; i < now->nr_counts; i++)
		s->interval.counts[i] -= before.counts[i];
}

static void add_sums(struct machine_counts *c, int core_type, int set)
{
	uint64_t values[PMC_MAX_VIRTUALS];
	int i, nr = pmc_session_totals_virtual(c->session, core_type, set, values);

	for (i = 0; i < nr; i++)
		if (values[i] != PMC_NO_VALUE)
			c->sums[i] = values[i] + (c->sums[i] == PMC_NO_VALUE ? 0 : c->sums[i]);
}

void machine_counts_take(struct machine_counts *c, uint64_t ns)
{
	int i;

	c->interval_ns = ns;
	if (c->stopped)
		return;
	if (pmc_session_command(c->session, "sample"))
		bad("openmetrics: %s", pmc_last_error());
	read_samples(c);
	for (i = 0; i < PMC_MAX_VIRTUALS; i++)
		c->sums[i] = PMC_NO_VALUE;
	for (i = 0; i < c->nr_sets; i++) {
		take_set(c, &c->sets[i]);
		add_sums(c, c->sets[i].total.core_type, c->sets[i].total.set);
	}
}

void machine_counts_free(struct machine_counts *c)
{
	pmc_session_close(c->session);
	pmc_plan_free(c->plan);
	pmc_config_free(c->config);
	free(c->sets);
	free(c->levels);
}
