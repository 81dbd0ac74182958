// SPDX-License-Identifier: GPL-2.0
/* The backends there are, and the choice among them. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "pmu/backend.h"
#include "pmu/backends.h"
#include "pmu/coretypes.h"
#include "pmu/pmu.h"

/* Most exact first: the first that finds its hardware is taken. */
static const struct pmu_backend *const backends[] = {
#define PMC_BACKEND(name)	(&pmc_backend_##name),
#include "pmu/backend_rows.h"
#undef PMC_BACKEND
	&pmc_backend_perf,
};

static void number_software(void)
{
	unsigned int ct;

	pmc_first_software = 0;
	for (ct = 0; ct < pmc_nr_core_types; ct++)
		pmc_first_software = max(pmc_first_software,
					 pmc_core_types[ct].nr_hw);
}

/* The backend of a row in the wanted mode, or NULL: another one is wanted. */
static const struct pmu_backend *wanted_of(unsigned int row, const char *name, bool exclusive)
{
	const struct pmu_backend *b = backends[row];

	if (name && strcmp(name, b->name))
		return NULL;
	return exclusive ? b->alone : b;
}

static int none_found(const char *name, bool exclusive)
{
	unsigned int i;

	if (exclusive) {
		pr_err("exclusive=1: only backend=intel and backend=amd can have the PMU for themselves, each on its own processors\n");
		return -ENODEV;
	}
	pr_err("backend=%s is not known; these are:\n", name);
	for (i = 0; i < ARRAY_SIZE(backends); i++)
		pr_err("  %s\n", backends[i]->name);
	return -EINVAL;
}

/**
 * pmc_backend_init - choose the backend
 * @wanted: name from backend=, or NULL or "" for the best that works
 * @exclusive: one that does not share counters with perf
 *
 * A backend whose counters are in use is chosen when it is asked for by name:
 * sessions are refused until the counters are free.
 *
 * Context: May sleep.
 * Return: 0, or a negative error after a message that explains it.
 */
int pmc_backend_init(const char *wanted, bool exclusive)
{
	const char *name = wanted && *wanted ? wanted : NULL;
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(backends); i++) {
		const struct pmu_backend *b = wanted_of(i, name, exclusive);

		if (!b)
			continue;
		ret = b->probe();
		if (!ret || (ret == -EBUSY && (name || exclusive))) {
			pmc_backend = b;
			number_software();
			return 0;
		}
		if (ret == -EBUSY && b->exit)
			b->exit();
		if (name) {
			pr_err("backend=%s does not work on this machine\n", name);
			return -ENODEV;
		}
		if (ret == -EBUSY)
			pr_warn("perf, the NMI watchdog or a virtual machine has the PMU: not using backend %s, which is faster (end what has it, 'sysctl kernel.nmi_watchdog=0', load again)\n",
				b->name);
	}
	return none_found(name, exclusive);
}

/**
 * pmc_backend_bind - let switches call the chosen backend
 *
 * Context: May sleep. Not with CPUs locked: patching calls locks them.
 */
void pmc_backend_bind(void)
{
	static_call_update(pmc_backend_load, pmc_backend->load);
	static_call_update(pmc_backend_unload, pmc_backend->unload);
}

/* Context: May sleep. */
void pmc_backend_exit(void)
{
	if (pmc_backend->exit)
		pmc_backend->exit();
}
