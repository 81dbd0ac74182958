/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts of a session without its samples: of the calling thread, and the sums over all
 * threads or CPUs, and how far these can be relied on
 */
#ifndef LIBPMCTRACK_TOTALS_H
#define LIBPMCTRACK_TOTALS_H

#include <pmctrack/sessions.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * pmc_session_read - the calling thread's counts since its first start
 * @core_type: a core type, or PMC_EVERY_CORE_TYPE for the sum
 * @running: out: ns it ran with these counters loaded; may be NULL
 * @counts: out: PMC_MAX_COUNTS values at most
 *
 * Return: number of counts. Several threads may call this on one session.
 */
PMC_API int pmc_session_read(pmc_session_t *session, int core_type, int set,
			     uint64_t *counts, uint64_t *running);

/**
 * pmc_session_totals - the sum over all threads or CPUs, also those that ended
 * @running: out: ns that these counters were loaded, summed up as well; may
 *	be NULL
 * @nr_threads: out: number of threads or CPUs; may be NULL
 *
 * The sum is exact even if samples were lost; without the kernel module it may be an
 * estimate, see pmc_session_accuracy(). It does not include the counts of
 * threads since their last sample, so it is complete after "stop". The other
 * parameters are those of pmc_session_read().
 */
PMC_API int pmc_session_totals(pmc_session_t *session, int core_type, int set,
			       uint64_t *counts, uint64_t *running,
			       uint64_t *nr_threads);

/**
 * enum pmc_accuracy - how far a total can be relied on
 * @PMC_EXACT: each event of the time that was to be counted is in it
 * @PMC_PARTIAL: it is no more than what really happened: it has the events of a part
 *	of the time only. Event sets took turns, a counter was taken away, or
 *	threads could not be counted
 * @PMC_ESTIMATED: a part of the time was counted, and the total is scaled to the whole
 * @PMC_NOT_COUNTED: the counters never counted; the total is 0 and means nothing
 */
enum pmc_accuracy {
	PMC_EXACT,
	PMC_PARTIAL,
	PMC_ESTIMATED,
	PMC_NOT_COUNTED
};

/**
 * pmc_session_accuracy - how far a total of pmc_session_totals() can be relied on
 * @core_type: a core type, or PMC_EVERY_CORE_TYPE for the sum
 * @set: event set
 * @event: event of the set
 * @available: out: ns that the threads or CPUs ran on the core type in all; may be NULL.
 *	The counters of the set were loaded for the part of it that
 *	pmc_session_totals() returns as the running time
 *
 * Time on other core types makes no total inaccurate. Ask after "stop", when all
 * samples are read: samples report counters that were taken away.
 *
 * Return: enum pmc_accuracy. EINVAL: there is no such event.
 */
PMC_API int pmc_session_accuracy(pmc_session_t *session, int core_type, int set, int event,
				 uint64_t *available);

/**
 * pmc_session_read_virtual - the calling thread's virtual counters
 * @core_type: as for pmc_session_read()
 * @set: event set; 0 if there is none
 * @values: out: counts since its first start while @set was counted; current
 *	levels and ratios; in the order of the configuration, PMC_MAX_VIRTUALS
 *	values at most
 *
 * Return: number of values. Several threads may call this on one session.
 */
PMC_API int pmc_session_read_virtual(pmc_session_t *session, int core_type, int set,
				     uint64_t *values);

/**
 * pmc_session_totals_virtual - sums of virtual counters
 * @values: out: sums of those that are counts, PMC_NO_VALUE for levels and
 *	ratios; PMC_MAX_VIRTUALS values at most
 *
 * The sums are those of the samples taken on @core_type with event set @set (0 if
 * there is none). See also pmc_session_totals().
 *
 * Return: number of values.
 */
PMC_API int pmc_session_totals_virtual(pmc_session_t *session, int core_type, int set,
				       uint64_t *values);

#ifdef __cplusplus
}
#endif

#endif
