/* SPDX-License-Identifier: GPL-2.0 */
/* The configuration of a session. */
#ifndef PMC_SESSION_CONFIG_H
#define PMC_SESSION_CONFIG_H

#include <linux/list.h>
#include "base/parse_command.h"
#include "pmu/filters.h"

struct pmc_module;

/**
 * struct pmc_session_config - what commands have configured; final while the session is prepared
 * @filters: modes counted by events that name none
 * @follow: which new threads are followed
 * @enable: when attached threads become active
 * @kernel: some event counts kernel mode
 * @cpus: something that is counted covers more than the caller's own programs
 * @uses: modules whose virtual counters are in samples, by their slots; NULL when there are
 *	none. In the scheduler's session: modules that provide metrics, which come and go
 * @uses_link: in the list of sessions that use virtual counters, if this one does
 *
 * What switches and records need of the configuration is in struct pmc_consumer.
 */
struct pmc_session_config {
	struct pmc_filters filters;
	enum pmc_follow follow;
	enum pmc_enable enable;
	bool kernel;
	bool cpus;
	struct pmc_module **uses;
	struct list_head uses_link;
};

#endif /* PMC_SESSION_CONFIG_H */
