// SPDX-License-Identifier: LGPL-2.1-or-later
/* The metrics of a core type, by name and by group */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "metric.h"
#include "metric_defs.h"

int metric_in_group(const char *groups, const char *group)
{
	size_t len = strlen(group);

	for (; groups; groups = strchr(groups, ';')) {
		groups += *groups == ';';
		if (!strncasecmp(groups, group, len) && (!groups[len] || groups[len] == ';'))
			return 1;
	}
	return 0;
}

static int is_named(void *arg, const struct metric_def *def)
{
	(void)arg;
	(void)def;
	return 1;
}

static int is_member(void *arg, const struct metric_def *def)
{
	return metric_in_group(def->groups, arg);
}

int metric_is_known(const pmc_machine_t *machine, const struct core_type *ct, const char *name)
{
	pmc_metric_t *m;

	if (metric_def_find(machine, ct, name, is_named, NULL) <= 0)
		return metric_def_each(machine, ct, is_member, (void *)name) > 0 ? 2 : 0;
	m = metric_compile_listed(machine, ct, name);
	pmc_metric_free(m);
	return m != NULL;
}

/* A listing of the metrics whose events the core type has */
struct listing {
	const pmc_machine_t *machine;
	const struct core_type *ct;
	int (*fn)(void *arg, const struct pmc_metric_info *info);
	void *arg;
};

static int list_metric(void *arg, const struct metric_def *def)
{
	struct listing *listing = arg;
	struct pmc_metric_info info = {
		.name = def->name, .expr = def->expr, .unit = def->unit, .groups = def->groups,
		.desc = def->desc, .source = def->source,
	};
	pmc_metric_t *m = metric_compile_listed(listing->machine, listing->ct, def->name);

	/* A definition of that name that comes before it counts. */
	if (!m || strcmp(m->expr, def->expr)) {
		pmc_metric_free(m);
		return 0;
	}
	pmc_metric_free(m);
	return listing->fn(listing->arg, &info);
}

int pmc_machine_each_metric(const pmc_machine_t *machine, int core_type,
			    int (*fn)(void *arg, const struct pmc_metric_info *info), void *arg)
{
	const struct core_type *ct = machine_core_type(machine, core_type);
	struct listing listing = { machine, ct, fn, arg };

	if (!ct)
		return pmc_fail(EINVAL, "no core type %d", core_type);
	return metric_def_each(machine, ct, list_metric, &listing);
}
