// SPDX-License-Identifier: GPL-2.0
/* Limits an administrator may change. */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "base/settings.h"
#include "uapi/pmctrack.h"

struct pmc_settings pmc_settings = {
	.ebs_min_period = 1000,
	.ebs_max_rate = 100,
	.tbs_min_us = 1000,
	.ring_max = 65536,
	.user_access = 1,
	.free_counters = 2,
	.claims_max = 32,
};

static const struct setting {
	const char *name;
	unsigned int *value;
	unsigned int min;
	unsigned int max;
} settings[] = {
	{ "ebs_min_period", &pmc_settings.ebs_min_period, 100, INT_MAX },
	{ "ebs_max_rate", &pmc_settings.ebs_max_rate, 1, 10000 },
	{ "tbs_min_us", &pmc_settings.tbs_min_us, 100, 1000000 },
	{ "ring_max", &pmc_settings.ring_max, 16, 1 << 20 },
	{ "user_access", &pmc_settings.user_access, 0, 1 },
	{ "free_counters", &pmc_settings.free_counters, 0, PMC_MAX_SLOTS },
	{ "claims_max", &pmc_settings.claims_max, 1, 10000 },
};

/**
 * pmc_settings_show - write all settings
 * @m: where to
 */
void pmc_settings_show(struct seq_file *m)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(settings); i++)
		seq_printf(m, "%s %u\n", settings[i].name,
			   READ_ONCE(*settings[i].value));
}

/**
 * pmc_settings_set - change a setting
 * @text: "key=value"; written to
 *
 * Return: 0; -EINVAL when it is not understood; -ERANGE when the value is
 * out of range. Says which and what in the kernel log.
 */
int pmc_settings_set(char *text)
{
	char *value = strchr(text, '=');
	unsigned int number;
	size_t i;

	if (!value) {
		pr_notice("config: '%s' is not of the form key=value\n", text);
		return -EINVAL;
	}
	*value++ = '\0';
	for (i = 0; i < ARRAY_SIZE(settings); i++) {
		const struct setting *s = &settings[i];

		if (strcmp(strim(text), s->name))
			continue;
		if (kstrtouint(strim(value), 0, &number) ||
		    number < s->min || number > s->max) {
			pr_notice("config: %s is a number from %u to %u\n",
				  s->name, s->min, s->max);
			return -ERANGE;
		}
		WRITE_ONCE(*s->value, number);
		return 0;
	}
	pr_notice("config: there is no setting '%s'\n", text);
	return -EINVAL;
}
