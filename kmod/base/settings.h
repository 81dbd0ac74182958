/* SPDX-License-Identifier: GPL-2.0 */
/* The administrator's settings, in /proc/pmc/config. */
#ifndef PMC_SETTINGS_H
#define PMC_SETTINGS_H

#include <linux/types.h>

struct seq_file;

/**
 * struct pmc_settings - limits for all sessions
 * @ebs_min_period: shortest sampling period, events
 * @ebs_max_rate: EBS samples a CPU may take in a millisecond
 * @tbs_min_us: shortest TBS period, us
 * @ring_max: most slots of a ring, for users without CAP_PERFMON
 * @user_access: threads may read their counters by instruction
 * @free_counters: general counters of each core type that users without CAP_PERFMON
 *	leave free, at most half of them
 * @claims_max: counters that these users may reserve in a second, each of them
 */
struct pmc_settings {
	unsigned int ebs_min_period;
	unsigned int ebs_max_rate;
	unsigned int tbs_min_us;
	unsigned int ring_max;
	unsigned int user_access;
	unsigned int free_counters;
	unsigned int claims_max;
};

extern struct pmc_settings pmc_settings;

void pmc_settings_show(struct seq_file *m);
int pmc_settings_set(char *text);

#endif /* PMC_SETTINGS_H */
