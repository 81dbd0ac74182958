// SPDX-License-Identifier: GPL-2.0
/*
 * How often counters are reserved. Each claim of a slot, and the release that it needs,
 * interrupts all CPUs of the core type. So the slots that unprivileged sessions of a user claim
 * in a second are limited (pmc_settings.claims_max), and those of all users together, as a user
 * may have many user numbers: subordinate ones.
 */
#include <linux/cpu.h>
#include <linux/cred.h>
#include <linux/hash.h>
#include <linux/sched/signal.h>
#include "base/claim_retry.h"
#include "base/err.h"
#include "base/percpu.h"
#include "base/settings.h"
#include "engine/hooks_enable.h"
#include "pmu/claim.h"
#include "pmu/user_reads.h"
#include "session/reserve_ratelimit.h"
#include "session/session.h"

#define USERS_AT_A_TIME	8U

/* A start that would have to wait longer is refused. */
#define WAIT_MAX	(10 * HZ)

/**
 * struct pace - what has been claimed
 * @since: when the current second began, in jiffies
 * @nr: slots, less those that may be claimed in each second that has passed
 */
struct pace {
	unsigned long since;
	unsigned int nr;
};

/* A pace for each hash of a user number, and one for all users together */
static struct pace paces[64], pace_of_all;

static struct pace *pace_of(const struct pmc_session *s)
{
	return &paces[hash_32(__kuid_val(s->owner.cred->uid), ilog2(ARRAY_SIZE(paces)))];
}

/* Return: how long until fewer than @most were claimed, in jiffies. */
static long time_until(struct pace *pace, unsigned int most)
{
	unsigned long seconds = (jiffies - pace->since) / HZ;

	pace->since += seconds * HZ;
	pace->nr -= min_t(u64, pace->nr, (u64)seconds * most);
	if (pace->nr < most)
		return 0;
	seconds = (pace->nr - most) / most + 1;
	return pace->since + seconds * HZ - jiffies;
}

/* Return: how long an unprivileged session has to wait, in jiffies. */
static long time_to_wait(const struct pmc_session *s)
{
	unsigned int most = READ_ONCE(pmc_settings.claims_max);

	if (s->consumer.priority)
		return 0;
	return max(time_until(pace_of(s), most),
		   time_until(&pace_of_all, USERS_AT_A_TIME * most));
}

static void count_claims(const struct pmc_session *s, unsigned int nr)
{
	if (s->consumer.priority)
		return;
	pace_of(s)->nr += nr;
	pace_of_all.nr += nr;
}

/* @wait: out: try again so many jiffies later; 0: it was tried */
static int reserve_in_time(struct pmc_session *s, int (*reserve)(struct pmc_session *s),
			   long *wait)
{
	unsigned int before;
	int ret = 0;

	cpus_read_lock();
	/* Other sessions wait for the next of regular retries. */
	if (s->consumer.priority)
		pmc_retry_cpus();
	mutex_lock(&pmc_cpus_lock);
	before = pmc_nr_claims;
	*wait = time_to_wait(s);
	if (!*wait)
		ret = reserve(s);
	count_claims(s, pmc_nr_claims - before);
	mutex_unlock(&pmc_cpus_lock);
	cpus_read_unlock();
	return ret;
}

static int reserve_when_due(struct pmc_session *s, int (*reserve)(struct pmc_session *s))
{
	long wait, waited = 0;
	int ret;

	while (1) {
		ret = reserve_in_time(s, reserve, &wait);
		if (!wait)
			return ret;
		if (waited + wait > WAIT_MAX)
			return pmc_err(&s->err, -EAGAIN,
				       "unprivileged sessions have reserved many counters in the last seconds: try again in %ld s (claims_max in /proc/pmc/config)",
				       DIV_ROUND_UP(wait, HZ));
		schedule_timeout_killable(wait);
		if (fatal_signal_pending(current))
			return -EINTR;
		waited += wait;
	}
}

/**
 * pmc_reserve_paced - reserve counters, not too often
 * @s: session, not reserved; its lock is held
 * @reserve: pmc_reserve_locked(), or what calls it
 *
 * Context: May sleep.
 * Return: what @reserve returns; -EINTR if the caller is killed.
 */
int pmc_reserve_paced(struct pmc_session *s, int (*reserve)(struct pmc_session *s))
{
	int ret = PMC_PROCESSES_READ ? pmc_hooks_get() : 0;

	if (ret)
		return ret;
	ret = reserve_when_due(s, reserve);
	if (PMC_PROCESSES_READ)
		pmc_hooks_put();
	return ret;
}
