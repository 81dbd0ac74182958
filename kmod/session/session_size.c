// SPDX-License-Identifier: GPL-2.0
/* Room for the counts of a session, in its threads, its totals and its ring. */
#include "base/err.h"
#include "engine/evset_counters.h"
#include "engine/thread.h"
#include "include/pmctrack/monitoring_module.h"
#include "pmu/coretypes.h"
#include "session/evset.h"
#include "session/module_thread_ref.h"
#include "session/session.h"
#include "session/session_ring.h"
#include "session/session_size.h"
#include "session/totals.h"
#include "uapi/pmctrack.h"

/* Memory for the counts of a thread, bytes: some hundred event sets. */
#define THREAD_SIZE_MAX		16384

static bool has_ebs(const struct pmc_session *s)
{
	unsigned int ct, i;

	for (ct = 0; ct < pmc_nr_core_types; ct++)
		for (i = 0; i < s->consumer.rotation[ct].nr; i++)
			if (s->consumer.rotation[ct].sets[i]->nr_ebs)
				return true;
	return false;
}

static int check_counts(struct pmc_session *s)
{
	if (!s->consumer.nr_cur && !s->consumer.nr_virtuals)
		return pmc_err(&s->err, -EINVAL,
			       "nothing to count: write 'events ...' or 'virtual ...' first");
	if (s->consumer.nr_cur + s->consumer.nr_virtuals > PMC_MAX_COUNTS)
		return pmc_err(&s->err, -E2BIG,
			       "%u events in a set and %u virtual counters are more than the %u counts of a sample: ask for fewer",
			       s->consumer.nr_cur, s->consumer.nr_virtuals, PMC_MAX_COUNTS);
	return 0;
}

/**
 * pmc_session_size - make room for the event sets' counts
 * @s: session that counts nothing, whose sets are linked; its lock is held
 *
 * Context: May sleep.
 * Return: 0, or a negative error explained in the session's message.
 */
int pmc_session_size(struct pmc_session *s)
{
	int ret;

	if (!s->owner.internal) {
		ret = check_counts(s) ?: pmc_session_make_ring(s, &s->err);
		if (ret)
			return ret;
	}
	pmc_session_forget_totals(s);
	s->consumer.ebs = has_ebs(s);
	s->consumer.sampling = s->consumer.period || s->consumer.ebs;
	s->size.nr_left = s->consumer.ebs ? s->size.nr_periods * s->consumer.nr_cur : 0;
	s->size.thread = sizeof(struct pmc_thread) +
			 (3 * s->consumer.nr_cur + s->size.nr_left + 2 * s->size.nr_acc +
			  2 * s->consumer.nr_virtuals) * sizeof(u64) +
			 ALIGN(s->size.nr_periods, sizeof(u64));
	if (s->config.uses)
		s->size.thread += PMC_MODULES_MAX * sizeof(struct pmc_thread *);
	if (s->owner.mm)
		s->size.thread += sizeof(u64) + sizeof(struct pmc_module_thread) +
				  s->owner.mm->thread_size;
	if (s->size.thread > THREAD_SIZE_MAX)
		return pmc_err(&s->err, -E2BIG,
			       "so many event sets take %zu bytes of kernel memory a thread, %u are the most: use fewer",
			       s->size.thread, THREAD_SIZE_MAX);
	return pmc_session_make_totals(s);
}
