/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calipers: the calling thread's counts around pieces of code
 *
 * A caliper belongs to the thread that opened it: only that thread may use it.
 * On core types that let user space read counters, a reading takes a few
 * instructions; elsewhere it is a system call.
 *
 * All calipers of a thread with the same events share one session, so any number of
 * them costs the thread's switches no more than one. Three different event sets of a
 * thread can be read by instruction at a time. The first reading of another one after
 * the thread was switched out is a system call, after which it is one of the three.
 *
 * Named regions (regions.h) are built on calipers.
 */
#ifndef LIBPMCTRACK_CALIPERS_H
#define LIBPMCTRACK_CALIPERS_H

#include <pmctrack/config.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pmc_caliper pmc_caliper_t;

/**
 * pmc_caliper_open - count the calling thread and be ready to read
 * @events: one event set; the same events are counted on every core type,
 *	so coretype= is not allowed here, nor is ebs=
 *
 * Return: an object for pmc_caliper_close(); NULL on failure.
 */
PMC_API pmc_caliper_t *pmc_caliper_open(const char *events);

/**
 * pmc_caliper_open_virtual - the same, with virtual counters
 * @events: as above; NULL for none
 * @virtuals: their names, with commas between; NULL for none
 *
 * Virtual counters are read by system calls: a region then costs two of them.
 */
PMC_API pmc_caliper_t *pmc_caliper_open_virtual(const char *events, const char *virtuals);

/**
 * pmc_caliper_open_config - the same, with an event set of its own for each core type
 * @config: exactly one event set for each core type, without sampling periods or virtual
 *	counters. It may be freed after the call
 *
 * Such a caliper is read by pmc_caliper_read_types(). EINVAL: @config is not of this form.
 */
PMC_API pmc_caliper_t *pmc_caliper_open_config(const pmc_machine_t *machine,
					       const pmc_config_t *config);

/**
 * struct pmc_caliper_term - a count that is a part of a value
 * @value: number of the value, from 0
 * @core_type: the core type of the count
 * @event: its event, a number in the core type's event set
 */
struct pmc_caliper_term {
	int value;
	int core_type;
	int event;
};

/**
 * pmc_caliper_open_values - the same, but pmc_caliper_read() reads sums of counts
 * @config: as for pmc_caliper_open_config()
 * @nr_values: number of values, 1 to PMC_MAX_COUNTS
 * @terms: the counts whose sums the values are; a value has at most one term of each core type.
 *	They may be freed after the call
 *
 * A reading takes least if event i of a core type is the term of value i, for all values.
 *
 * EINVAL: @config is not of the form, or @terms are not.
 */
PMC_API pmc_caliper_t *pmc_caliper_open_values(const pmc_machine_t *machine,
					       const pmc_config_t *config, int nr_values,
					       const struct pmc_caliper_term *terms, int nr_terms);

/** pmc_caliper_close - free the caliper and its regions; other calipers count on */
PMC_API void pmc_caliper_close(pmc_caliper_t *caliper);

/**
 * pmc_caliper_read - the thread's counts since pmc_caliper_open()
 * @counts: out: one value for each event of the set, all core types together; with
 *	pmc_caliper_open_values(), the values
 *
 * Return: number of counts; -1 with errno set if the kernel module is gone.
 */
PMC_API int pmc_caliper_read(pmc_caliper_t *caliper, uint64_t *counts);

/**
 * pmc_caliper_losses - how often a counter was found missing from the PMU
 *
 * Another user of the PMU, such as perf, may take a counter that the thread is counted with.
 * Counts during which this number has changed are too small. Read it after the counts.
 *
 * Return: a number from 0 to 65535, which begins anew after that; always 0 if the thread cannot
 * map the kernel's page.
 */
PMC_API unsigned int pmc_caliper_losses(const pmc_caliper_t *caliper);

/**
 * pmc_caliper_restart - let the values of a caliper begin anew
 * @caliper: from pmc_caliper_open_values()
 * @values: what pmc_caliper_read() has returned last. Later readings return what has been
 *	counted since that reading, so nothing is lost in between
 *
 * No system call is needed. A region must not be open.
 */
PMC_API void pmc_caliper_restart(pmc_caliper_t *caliper, const uint64_t *values);

/**
 * pmc_caliper_read_types - the thread's counts on each core type by itself
 * @caliper: from pmc_caliper_open_config()
 * @counts: out: a row for each core type, in the order of their ids: the counts of its event
 *	set since the caliper was opened
 *
 * As long as the thread does not change core type, no system call is needed where
 * pmc_caliper_read() needs none.
 *
 * Return: number of core types; -1 with errno and the error line set if the caliper is of another
 * call, or the kernel module is gone.
 */
PMC_API int pmc_caliper_read_types(pmc_caliper_t *caliper, uint64_t (*counts)[PMC_MAX_COUNTS]);

/**
 * pmc_caliper_read_virtual - the thread's virtual counters
 * @values: out: counts since pmc_caliper_open_virtual(), current levels and
 *	ratios; in the order of the names
 *
 * Return: number of values; -1 with errno set if the kernel module is gone.
 */
PMC_API int pmc_caliper_read_virtual(pmc_caliper_t *caliper, uint64_t *values);

#ifdef __cplusplus
}
#endif

#endif
