// SPDX-License-Identifier: GPL-2.0
/* Models of energy, as `pmc-additivity energy` writes them: a metric in joules for a core type. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "energy/model.h"

/* The first line that is no comment, for free() */
static char *read_definition(const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	if (!f)
		bad("energy: -m: cannot read %s: %s", path, strerror(errno));
	while ((len = getline(&line, &size, f)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (*line && *line != '#')
			break;
	}
	fclose(f);
	if (len <= 0 || !strchr(line, '='))
		bad("energy: -m: %s has no model: `pmc-additivity energy -o %s` writes one", path, path);
	return line;
}

/* Models of other domains than packages have their names. */
#define OTHER_DOMAIN "energy_"

static void check_metric(const pmc_metric_t *metric, const char *path)
{
	const char *name = pmc_metric_name(metric);

	if (strcmp(pmc_metric_unit(metric), "J"))
		bad("energy: -m: %s is a metric that is not in joules, as in energy[%%.6f J]=...", path);
	if (!strncmp(name, OTHER_DOMAIN, strlen(OTHER_DOMAIN)))
		bad("energy: -m: %s is a model of the energy of %s, not of packages: fit one to `pmc-additivity run` without -d",
		    path, name + strlen(OTHER_DOMAIN));
}

void model_add(pmc_plan_t *plan, const pmc_machine_t *machine, const char *option)
{
	char *copy = must_have(strdup(option)), *path = strchr(copy, '='), *definition;
	int id = 0;

	if (path) {
		*path++ = '\0';
		id = pmc_machine_find_core_type(machine, copy);
		if (id < 0)
			bad("energy: -m: %s", pmc_last_error());
	} else {
		path = copy;
		if (pmc_machine_nr_core_types(machine) > 1)
			bad("energy: -m: a model is that of one core type: write -m %s=%s",
			    pmc_machine_core_type(machine, 0)->name, path);
	}
	if (model_of(plan, id) >= 0)
		bad("energy: -m: there are two models of core type %s", pmc_machine_core_type(machine, id)->name);
	definition = read_definition(path);
	if (pmc_plan_add_metrics(plan, definition, id))
		bad("energy: -m: %s: %s", path, pmc_last_error());
	check_metric(pmc_plan_metric(plan, model_of(plan, id), id), path);
	free(definition);
	free(copy);
}

int model_of(const pmc_plan_t *plan, int core_type)
{
	int n;

	for (n = 0; n < pmc_plan_nr_metrics(plan); n++)
		if (pmc_plan_metric(plan, n, core_type))
			return n;
	return -1;
}
