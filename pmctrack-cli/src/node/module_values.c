// SPDX-License-Identifier: GPL-2.0
/* Values of monitoring modules: what files of sysfs do not offer on this machine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "node/module_values.h"

/* Samples in the kernel's buffer: of the periods in which a CPU has samples and the reader waits */
#define RING_PER_CPU	64
#define RING_LEAST	8192

static const struct value {
	const char *source;	/* the source that it is for */
	const char *name;	/* of the virtual counter */
	const char *quantity;
	const char *where;	/* NULL: each CPU has its own column */
} values[] = {
	{ "frequency", "freq", "frequency", NULL },
	{ "temperature", "temp_core", "temperature", NULL },
	{ "temperature", "temp_pkg", "temperature", "package" },
	{ "throttling", "throttled", "throttled", NULL },
	{ "energy", "energy_pkg", "energy", "package" },
	{ "energy", "energy_core", "energy", "core" },
	{ "energy", "energy_dram", "energy", "dram" },
	{ "energy", "energy_psys", "energy", "psys" },
};

static void add_columns(struct module_values *m, struct record *record, const struct value *v,
			const cpu_set_t *cpus)
{
	int *columns = new_array(CPU_SETSIZE, sizeof(*columns));
	int cpu, column = v->where ? record_add(record, v->quantity, v->where) : -1;
	char where[16];

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		columns[cpu] = CPU_ISSET(cpu, cpus) ? column : -1;
		if (v->where || !CPU_ISSET(cpu, cpus))
			continue;
		snprintf(where, sizeof(where), "cpu%d", cpu);
		columns[cpu] = record_add(record, v->quantity, where);
	}
	m->columns[m->nr++] = columns;
}

int module_values_add(struct module_values *m, const pmc_machine_t *machine,
		      struct record *record, const char *quantity, const cpu_set_t *cpus)
{
	int before = m->nr;
	size_t i;

	if (!m->config)
		m->config = must_have(pmc_config_new(machine));
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (!strcmp(values[i].source, quantity) &&
		    !pmc_config_add_virtual(m->config, values[i].name))
			add_columns(m, record, &values[i], cpus);
	return m->nr - before;
}

void module_values_start(struct module_values *m, const cpu_set_t *cpus,
			 unsigned long long period_us)
{
	int cpu, ring = RING_PER_CPU * CPU_COUNT(cpus);
	char list[8 * CPU_SETSIZE] = "";
	size_t n = 0;

	if (!m->nr)
		return;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cpus))
			n += snprintf(list + n, sizeof(list) - n, "%s%d", n ? "," : "", cpu);
	m->session = pmc_session_open();
	if (!m->session || pmc_session_configure(m->session, m->config) ||
	    pmc_session_command(m->session, "ring %d\nperiod %lluus\nsyswide %s",
				ring > RING_LEAST ? ring : RING_LEAST, period_us, list))
		bad("cannot sample virtual counters: %s", pmc_last_error());
}

static void take(const struct module_values *m, const struct pmc_reading *r, double *row)
{
	double value;
	int i, column;

	for (i = 0; i < r->nr_virtual && i < m->nr; i++) {
		column = m->columns[i][r->cpu];
		if (column < 0 || r->virtual_counts[i] == PMC_NO_VALUE)
			continue;
		value = pmc_virtual_value(pmc_config_virtual(m->config, i), r->virtual_counts[i]);
		/* Rows begin with 0 in columns of counts. */
		if (pmc_config_virtual(m->config, i)->kind == PMC_VIRTUAL_COUNT)
			row[column] += value;
		else
			row[column] = value;
	}
}

void module_values_read(struct module_values *m, double *row)
{
	struct pmc_reading r;

	while (m->session && pmc_session_next(m->session, &r) > 0)
		take(m, &r, row);
}

unsigned long long module_values_lost(const struct module_values *m)
{
	return m->session ? pmc_session_lost(m->session) : 0;
}

void module_values_stop(struct module_values *m)
{
	if (m->session && pmc_session_command(m->session, "stop"))
		bad("cannot stop sampling virtual counters: %s", pmc_last_error());
}

void module_values_close(struct module_values *m)
{
	int i;

	pmc_session_close(m->session);
	pmc_config_free(m->config);
	for (i = 0; i < m->nr; i++)
		free(m->columns[i]);
}
