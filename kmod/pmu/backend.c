// SPDX-License-Identifier: GPL-2.0
/* The backends there are, and the choice among them. */
#include "pmu.h"

/* Most exact first: the first that finds its hardware is taken. */
static const struct pmu_backend *const backends[] = {
#ifdef CONFIG_ARM64
	&pmc_backend_armv8,
#endif
	&pmc_backend_perf,
};

const struct pmu_backend *pmc_backend;

/**
 * pmc_backend_init - choose the backend
 * @wanted: name from backend=, or NULL or "" for the best that works
 *
 * Context: May sleep.
 * Return: 0, or a negative error after a message that says what is wrong.
 */
int pmc_backend_init(const char *wanted)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(backends); i++) {
		if (wanted && *wanted && strcmp(wanted, backends[i]->name))
			continue;
		if (!backends[i]->probe()) {
			pmc_backend = backends[i];
			return 0;
		}
		if (wanted && *wanted) {
			pr_err("backend=%s does not work on this machine\n",
			       wanted);
			return -ENODEV;
		}
	}
	pr_err("backend=%s is not known; these are:\n", wanted);
	for (i = 0; i < ARRAY_SIZE(backends); i++)
		pr_err("  %s\n", backends[i]->name);
	return -EINVAL;
}
