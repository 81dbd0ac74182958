/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Configurations: event sets encoded for a machine's core types, and virtual
 * counters
 *
 * An event set is a string of words separated by commas:
 *
 *   instr,cycles,llc_misses     events by name: generic events (see
 *                               `pmc-events -L`), events of tables in files and
 *                               libpfm4's names of the core type's PMU, or event
 *                               codes (0x2e)
 *   EVENT:UMASK                 a unit mask of libpfm4's
 *   EVENT:u  EVENT:k            count in user mode, kernel mode (both may be
 *                               given; default is the session's filter: user)
 *   EVENT:ebs=N                 take a sample every N events
 *   EVENT:pmc=N                 on counter pmcN and no other
 *   EVENT:umask=X :cmask=X :edge :inv :any
 *                               fields of the event select register
 *   EVENT:extra=X               value of the second register that some of
 *                               Intel's events have; perf's names offcore_rsp=
 *                               and frontend= are taken as well
 *   task_clock, context_switches, migrations, page_faults, minor_faults,
 *   major_faults                counted by the kernel; task_clock in ns
 *   coretype=N                  the set is for core type N only: its number or its name
 *   pmc0,pmc3=0x2e,umask3=0x41,ebs3=N,cmask3=,edge3=,inv3=,any3=,usr3=,os3=,extra3=
 *                               the raw form: counters by number
 *   instr,ebs0=N                without pmcN words, the number in ebsN counts
 *                               the events of the set, from 0
 *
 * A set without coretype= is encoded for each core type of the machine. Several
 * sets for one core type are multiplexed: each sample switches to the next set.
 */
#ifndef LIBPMCTRACK_CONFIG_H
#define LIBPMCTRACK_CONFIG_H

#include <stdint.h>

#include <pmctrack/machine.h>
#include <pmctrack/virtuals.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pmc_config pmc_config_t;

/* Most counts of one event set */
#if !defined(PMC_MAX_COUNTS)
#define PMC_MAX_COUNTS 32
#elif PMC_MAX_COUNTS != 32
#error "PMC_MAX_COUNTS is 32: the library fills arrays of that size"
#endif

/* flags of pmc_config_add() */
#define PMC_CONFIG_RAW	1	/* accept the raw form only */

/**
 * pmc_config_new - an empty configuration
 *
 * Return: an object for pmc_config_free(); NULL without memory.
 */
PMC_API pmc_config_t *pmc_config_new(const pmc_machine_t *machine);
PMC_API void pmc_config_free(pmc_config_t *config);

/**
 * pmc_config_add - add an event set
 * @spec: see the head of this file
 * @core_type: the core type it is for, or PMC_EVERY_CORE_TYPE; coretype=N in
 *	@spec takes precedence
 * @flags: PMC_CONFIG_*
 *
 * EINVAL: @spec is wrong, or some core type cannot count it. The configuration
 * is then unchanged.
 */
PMC_API int pmc_config_add(pmc_config_t *config, const char *spec,
			   int core_type, unsigned int flags);

/**
 * pmc_config_add_virtual - add virtual counters
 * @names: names, or virtN for the one with that number in the list of
 *	pmc_virtuals_get(), with commas between
 *
 * Every sample contains them, whatever its event set. A configuration may have
 * virtual counters and no event sets.
 *
 * ENOENT, ENODEV: a virtual counter does not exist, see pmc_virtuals_find();
 * E2BIG: more than PMC_MAX_VIRTUALS; EINVAL: one is listed twice. The
 * configuration is then unchanged.
 */
PMC_API int pmc_config_add_virtual(pmc_config_t *config, const char *names);

/**
 * pmc_config_virtual - virtual counter number @n, from 0, in the order added
 *
 * Return: a description that belongs to @config; NULL past the last.
 */
PMC_API const struct pmc_virtual_info *pmc_config_virtual(const pmc_config_t *config, int n);

/**
 * pmc_config_virtual_number - the N of virtN for virtual counter number @n of @config
 *
 * Return: its number in the list that `pmc-events -V` shows; -1 if @n is past the
 * last.
 */
PMC_API int pmc_config_virtual_number(const pmc_config_t *config, int n);

/** pmc_config_nr_sets - number of event sets of a core type */
PMC_API int pmc_config_nr_sets(const pmc_config_t *config, int core_type);

/** pmc_config_nr_events - number of events of a set, 0 if there is no such set */
PMC_API int pmc_config_nr_events(const pmc_config_t *config, int core_type, int set);

/**
 * pmc_config_event - name of an event, as the user wrote it
 *
 * Return: a string that belongs to @config; NULL if there is no such event.
 */
PMC_API const char *pmc_config_event(const pmc_config_t *config, int core_type,
				     int set, int event);

/** pmc_config_ebs_period - EBS period of an event, 0 if it has none */
PMC_API uint64_t pmc_config_ebs_period(const pmc_config_t *config, int core_type,
				       int set, int event);

/**
 * pmc_config_raw - event set number @n in the kernel's form
 *
 * Return: a string that belongs to @config; NULL past the last.
 */
PMC_API const char *pmc_config_raw(const pmc_config_t *config, int n);

#ifdef __cplusplus
}
#endif

#endif
