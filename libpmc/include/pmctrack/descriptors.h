/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * PMCTrack's calls. A descriptor counts the calling thread (or all CPUs) between
 * start and stop and then holds the samples. Programs written for PMCTrack build
 * unchanged.
 *
 * A descriptor belongs to one thread at a time; its counts are those of the
 * thread that called pmctrack_start_counters(). For another thread make a
 * copy with pmctrack_clone_descriptor(). As in PMCTrack, these calls (and
 * only these) also print the error line on stderr.
 */
#ifndef LIBPMCTRACK_DESCRIPTORS_H
#define LIBPMCTRACK_DESCRIPTORS_H

#include <stdio.h>

#include <pmc_user.h>
#include <pmctrack/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Event sets a descriptor can hold for each core type. */
#define MAX_COUNTER_CONFIGS 32

typedef struct pmctrack_desc pmctrack_desc_t;

/**
 * struct counter_mapping - what a physical counter counts
 * @nr_counter: the N of pmcN
 * @events: name of the event in each event set, NULL where it has none.
 *	The strings belong to the descriptor and live until it is configured
 *	again or destroyed.
 * @experiment_mask: bit S: event set S uses this counter
 */
typedef struct counter_mapping {
	int nr_counter;
	char *events[MAX_COUNTER_CONFIGS];
	unsigned int experiment_mask;
} counter_mapping_t;

/**
 * pmctrack_init - connect to the kernel module
 * @max_nr_samples: samples to hold from start to stop; 0: the default (1024).
 *	Further samples are lost, which pmctrack_print_counts() reports.
 *
 * Return: a descriptor for pmctrack_destroy(); NULL on failure (module not
 * loaded, no permission, no memory).
 */
PMC_API pmctrack_desc_t *pmctrack_init(unsigned int max_nr_samples);

/**
 * pmctrack_destroy - stop counting and free the descriptor
 *
 * NULL is allowed. Samples and mappings of the descriptor are freed, too.
 * Return: 0.
 */
PMC_API int pmctrack_destroy(pmctrack_desc_t *desc);

/**
 * pmctrack_clone_descriptor - a descriptor with the same configuration
 *
 * The copy is for another thread: a descriptor counts the thread that starts
 * it. The copy has no samples. It is cheaper than pmctrack_init() and a new
 * configuration, because names are not encoded again. Meanwhile @orig may be in
 * use, but must not be configured.
 *
 * Return: a descriptor for pmctrack_destroy(); NULL on failure.
 */
PMC_API pmctrack_desc_t *pmctrack_clone_descriptor(pmctrack_desc_t *orig);

/**
 * pmctrack_config_counters - choose the events, in raw form
 * @desc: if the descriptor is counting, that ends
 * @strcfg: event sets, then NULL; NULL for no counters
 * @virtcfg: virtual counters by name, or as virtN by their number in the
 *	list that `pmc-events -V` shows; NULL for none. Without events the
 *	samples contain only virtual counters.
 * @mux_timeout_ms: time between samples in ms; 0 for one sample, when
 *	counting stops. No effect if an event has an EBS period.
 *
 * The new configuration replaces the old one; if this call fails, the old one
 * stays. The strings may be freed after the call.
 */
PMC_API int pmctrack_config_counters(pmctrack_desc_t *desc, const char *strcfg[],
				     const char *virtcfg, int mux_timeout_ms);

/**
 * pmctrack_config_counters_mnemonic - choose the events, by name
 * @desc, @strcfg, @virtcfg, @mux_timeout_ms: as above; the raw form is
 *	accepted, too
 * @pmu_id: core type that the sets are for. With 0 (the usual value) sets are
 *	encoded for every core type; with another number, for that one only.
 */
PMC_API int pmctrack_config_counters_mnemonic(pmctrack_desc_t *desc,
					      const char *strcfg[],
					      const char *virtcfg,
					      int mux_timeout_ms, int pmu_id);

/**
 * pmctrack_start_counters - count the calling thread from now on
 *
 * The samples of the last run are dropped. The same thread must call
 * pmctrack_stop_counters().
 */
PMC_API int pmctrack_start_counters(pmctrack_desc_t *desc);

/**
 * pmctrack_stop_counters - stop counting and fetch the samples
 *
 * The descriptor keeps its counters reserved, and they may run on, so that the
 * next start costs little. They are released when the descriptor is configured
 * again or destroyed. Until then other users of the counters may be refused: on
 * x86 with the module's parameter exclusive=1, all of perf's hardware events.
 *
 * ESRCH: the descriptor is not counting, or another thread has started it.
 */
PMC_API int pmctrack_stop_counters(pmctrack_desc_t *desc);

/**
 * pmctrack_start_counters_syswide - count all CPUs from now on
 *
 * Needs CAP_PERFMON, or the sysctl kernel.perf_event_paranoid below 1.
 */
PMC_API int pmctrack_start_counters_syswide(pmctrack_desc_t *desc);

/**
 * pmctrack_stop_counters_syswide - stop counting and fetch the samples
 *
 * ESRCH: the descriptor is not counting, or was not started by
 * pmctrack_start_counters_syswide().
 */
PMC_API int pmctrack_stop_counters_syswide(pmctrack_desc_t *desc);

/**
 * pmctrack_print_counts - print mapping and samples of the last run
 * @extended_output: also print core type and event set of each sample; with
 *	several event sets they are always printed, as in PMCTrack
 *
 * The table has the columns of the command pmctrack. Lost samples are
 * reported in a last line.
 */
PMC_API void pmctrack_print_counts(pmctrack_desc_t *desc, FILE *outfile,
				   int extended_output);

/**
 * pmctrack_get_samples - the samples of the last run, oldest first
 * @nr_samples: out: how many there are
 *
 * Return: an array that belongs to the descriptor and lives until its next
 * start, configuration or end. NULL if there are none.
 */
PMC_API pmc_sample_t *pmctrack_get_samples(pmctrack_desc_t *desc, int *nr_samples);

/**
 * pmctrack_get_event_mapping - which counter counts which event
 * @mapping: out: MAX_PERFORMANCE_COUNTERS entries, entry N for pmcN
 * @nr_experiments: out: number of event sets
 * @used_pmcmask: out: bit N: some set uses pmcN
 *
 * On a machine with several core types this is the mapping of the core type
 * configured for, or of the first; pmc_session_slots() has all of them.
 */
PMC_API int pmctrack_get_event_mapping(pmctrack_desc_t *desc,
				       counter_mapping_t *mapping,
				       unsigned int *nr_experiments,
				       unsigned int *used_pmcmask);

#ifdef __cplusplus
}
#endif

#endif
