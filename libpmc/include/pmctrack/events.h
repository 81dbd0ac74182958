/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of events: the events that a core type has, and their encodings.
 *
 * A name is that of a generic event (see `pmc-events -L`), of a software event, of an
 * event in a table in a file, or of an event of libpfm4's for the core type's PMU.
 * pmc_machine_event_table() lists the sources of a core type.
 *
 * libpfm4. The program and this library share one libpfm4. The library calls
 * pfm_initialize() when it first looks up an event name that is not in its own tables or
 * files, or lists names or their sources, and changes no other
 * state of libpfm4 and no environment variable. pfm_initialize() must not run in
 * several threads at once, so a program that uses libpfm4 itself should call it
 * before it starts threads. On x86 the events of libpfm4 are those of the PMUs
 * that libpfm4 detects; with LIBPFM_ENCODE_INACTIVE=1 in the environment they are
 * those of all PMUs that it knows.
 */
#ifndef LIBPMCTRACK_EVENTS_H
#define LIBPMCTRACK_EVENTS_H

#include <pmctrack/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct pmc_event_info - an event that has a name
 * @name: its name in an event set
 * @desc: one line about it
 * @raw: its encoding, in the kernel's form
 * @umask_of: NULL, or the event that this is a unit mask of
 */
struct pmc_event_info {
	const char *name;
	const char *desc;
	const char *raw;
	const char *umask_of;
};

/**
 * pmc_machine_each_event - call @fn for each event name of a core type
 * @fn: called with @arg and an event, which is valid only during the call. A
 *	return value other than 0 ends the listing. @fn must not call the library.
 *
 * Generic events come first, then software events, then the events of the core type's
 * event table.
 *
 * Return: the last return value of @fn; -1 if there is no such core type.
 */
PMC_API int pmc_machine_each_event(const pmc_machine_t *machine, int core_type,
				   int (*fn)(void *arg, const struct pmc_event_info *ev),
				   void *arg);

struct perf_event_attr;

/**
 * pmc_event_perf_attr - an event in the form of perf_event_open(2)
 * @core_type: a core type; on a machine with several, the event counts on its CPUs only
 * @event: an event as in an event set, without a sampling period
 * @attr: out: size, type, config, config1 and the modes that are left out; other members are 0
 *
 * EINVAL, ENOENT: the core type does not have the event.
 */
PMC_API int pmc_event_perf_attr(const pmc_machine_t *machine, int core_type, const char *event,
				struct perf_event_attr *attr);

#ifdef __cplusplus
}
#endif

#endif
