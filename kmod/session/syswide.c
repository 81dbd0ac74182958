// SPDX-License-Identifier: GPL-2.0
/* System-wide counting: it is checked, its counters are reserved, and it starts and stops. */
#include <linux/cpu.h>
#include "base/err.h"
#include "base/percpu.h"
#include "engine/evset_counters.h"
#include "pmu/coretypes.h"
#include "session/access.h"
#include "session/memlock.h"
#include "session/module_callbacks.h"
#include "session/reserve.h"
#include "session/reserve_ratelimit.h"
#include "session/session.h"
#include "session/session_size.h"
#include "session/syswide.h"
#include "session/syswide_cpus.h"
#include "session/uncore.h"
#include "session/wake.h"

/* Of an unprivileged user, as of sessions on a thread; a user may have many user numbers */
#define SESSIONS_MAX	16
#define ALL_USERS_MAX	(8 * SESSIONS_MAX)

static int check_sets(struct pmc_session *s)
{
	unsigned int ct, i;

	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		const struct pmc_rotation *rot = &s->consumer.rotation[ct];

		for (i = 0; i < rot->nr; i++) {
			if (rot->sets[i]->nr_sw)
				return pmc_err(&s->err, -EINVAL,
					       "software counters belong to threads: leave them out of system-wide counting");
			if (rot->sets[i]->nr_ebs)
				return pmc_err(&s->err, -EINVAL,
					       "ebs: event-based sampling is for threads; give system-wide counting a period");
		}
	}
	return 0;
}

/* Each session is work of each CPU's timer interrupt, and takes memory for each CPU. */
static int check_amount(struct pmc_session *s)
{
	if (s->consumer.priority)
		return 0;
	if (pmc_syswide_unprivileged(s->owner.cred) >= SESSIONS_MAX)
		return pmc_err(&s->err, -EUSERS,
			       "this user has %u system-wide sessions, which is as many as there may be: close one",
			       SESSIONS_MAX);
	if (pmc_syswide_unprivileged(NULL) >= ALL_USERS_MAX)
		return pmc_err(&s->err, -EUSERS,
			       "unprivileged users have %u system-wide sessions, which is as many as there may be: wait until some are closed",
			       ALL_USERS_MAX);
	return pmc_memlock_check(s, (long)s->size.thread * cpumask_weight(s->syswide.cpus),
				 "counts of each CPU");
}

static int start_uncore(struct pmc_session *s)
{
	LIST_HEAD(refused);
	int ret = pmc_uncore_start(s, &refused);

	while (ret == -EBUSY && pmc_revoke_uncore(s, &refused)) {
		pmc_uncore_release(&refused);
		pmc_err_clear(&s->err);
		ret = pmc_uncore_start(s, &refused);
	}
	pmc_uncore_release(&refused);
	return ret;
}

static int start_locked(struct pmc_session *s)
{
	int ret = s->config.uses ? pmc_module_ops->check(s, true) : 0;

	return ret ?: pmc_session_size(s) ?: check_amount(s) ?: start_uncore(s) ?:
	       pmc_syswide_load(s);
}

/* Counters are reserved on all CPUs, so none of them may be in use by others. */
static int reserve_and_start(struct pmc_session *s)
{
	int ret = check_sets(s);

	if (ret)
		return ret;
	s->syswide.active = true;
	ret = pmc_reserve_locked(s);
	s->syswide.active = false;
	if (ret)
		return ret;
	ret = start_locked(s);
	if (ret)
		pmc_unreserve_locked(s);
	return ret;
}

static int parse_cpus(struct pmc_session *s, const char *list)
{
	if (!*list) {
		cpumask_copy(s->syswide.cpus, cpu_possible_mask);
		return 0;
	}
	if (cpulist_parse(list, s->syswide.cpus) ||
	    !cpumask_intersects(s->syswide.cpus, cpu_online_mask))
		return pmc_err(&s->err, -EINVAL,
			       "syswide: no list of online CPUs, such as '0-3,6'");
	return 0;
}

/**
 * pmc_syswide_start - count CPUs
 * @s: session that counts nothing; its lock is held
 * @list: CPU list, or "" for all, those included that come online later
 *
 * Context: May sleep.
 * Return: 0, or a negative error explained in the session's message.
 */
int pmc_syswide_start(struct pmc_session *s, const char *list)
{
	return pmc_may_count_cpus(s) ?: parse_cpus(s, list) ?:
	       pmc_reserve_paced(s, reserve_and_start);
}

/**
 * pmc_syswide_stop - stop counting CPUs; last samples go to the ring
 * @s: session that counts CPUs; its lock is held, or it is closed
 *
 * Context: May sleep.
 */
void pmc_syswide_stop(struct pmc_session *s)
{
	cpus_read_lock();
	mutex_lock(&pmc_cpus_lock);
	/* Or was just revoked. */
	if (s->syswide.active)
		pmc_syswide_unload(s, 0);
	pmc_unreserve_locked(s);
	mutex_unlock(&pmc_cpus_lock);
	cpus_read_unlock();
	pmc_session_wake_now(s);
}
