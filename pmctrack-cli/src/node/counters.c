// SPDX-License-Identifier: GPL-2.0
/* Events of the program, for each core type that it ran on. */
#include <stdio.h>
#include <stdlib.h>

#include "common.h"
#include "node/counters.h"

/*
 * Samples in the kernel's buffer, until the next row: of many threads, or, without the module, of
 * a process, for which a user may have as many by the kernel's default limits
 */
#define RING 8192
#define RING_WITHOUT_MODULE 1024

static const char *const defaults[] = { "instr,cycles,llc_references,llc_misses", "instr,cycles" };

static int configure(struct counters *c, int id, const char *events)
{
	size_t i;

	if (events && pmc_config_add(c->config, events, id, 0))
		bad("-e: %s", pmc_last_error());
	for (i = 0; !events && i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (!pmc_config_add(c->config, defaults[i], id, 0))
			break;
	return pmc_config_nr_events(c->config, id, 0);
}

static void add_columns(struct counters *c, struct record *record, int id, const char *type, int nr)
{
	char where[128];
	int i, column;

	for (i = 0; i < nr; i++) {
		snprintf(where, sizeof(where), "%s/%s", type, pmc_config_event(c->config, id, 0, i));
		column = record_add(record, "events", where);
		if (!i)
			c->first[id] = column;
	}
}

int counters_add(struct counters *c, const pmc_machine_t *machine, struct record *record,
		 const char *events)
{
	int id, nr, columns = 0;

	c->nr_core_types = pmc_machine_nr_core_types(machine);
	c->ring = pmc_machine_has_module(machine) ? RING : RING_WITHOUT_MODULE;
	c->first = new_array(c->nr_core_types, sizeof(*c->first));
	c->config = must_have(pmc_config_new(machine));
	for (id = 0; id < c->nr_core_types; id++) {
		nr = configure(c, id, events);
		add_columns(c, record, id, pmc_machine_core_type(machine, id)->name, nr);
		columns += nr;
	}
	if (!columns)
		return 0;
	c->session = pmc_session_open();
	if (!c->session || pmc_session_configure(c->session, c->config))
		bad("cannot count events: %s", pmc_last_error());
	return columns;
}

void counters_start(struct counters *c, pid_t pid, unsigned long long period_us)
{
	if (c->session && pmc_session_command(c->session,
			"ring %d\nperiod %lluus\nfollow children\nenable exec\nattach %d",
			c->ring, period_us, pid))
		bad("cannot count events: %s", pmc_last_error());
}

void counters_stop(struct counters *c)
{
	if (c->session && pmc_session_command(c->session, "stop"))
		bad("cannot stop counting: %s", pmc_last_error());
}

void counters_read(struct counters *c, double *row)
{
	struct pmc_reading r;
	int i;

	while (c->session && pmc_session_next(c->session, &r) > 0) {
		losses_note(c->losses, r.flags);
		for (i = 0; i < r.nr_counts && r.set == 0; i++)
			row[c->first[r.core_type] + i] += r.counts[i];
	}
}

unsigned long long counters_lost(const struct counters *c)
{
	return c->session ? pmc_session_lost(c->session) : 0;
}

unsigned long long counters_incomplete(const struct counters *c)
{
	unsigned long long sum = 0;
	int n;

	for (n = 0; n < MAX_LOSSES; n++)
		sum += c->losses[n];
	return sum;
}

void counters_close(struct counters *c)
{
	pmc_session_close(c->session);
	pmc_config_free(c->config);
	free(c->first);
}
