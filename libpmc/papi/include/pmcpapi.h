/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What libpmcpapi has beside PAPI's interface. Programs that include this header need this
 * library; those that include papi.h alone run with PAPI as well.
 *
 * Errors are those of papi.h: a call returns one of its negative codes on failure, and
 * PAPI_ENOINIT before PAPI_library_init(). Sizes of memory are in KiB.
 */
#ifndef PMCPAPI_H
#define PMCPAPI_H

#include <stddef.h>
#include <stdint.h>

#include "papi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------
 * Core types
 */

#define PMCPAPI_EVERY_CORE_TYPE (-1)

/**
 * struct pmcpapi_core_type - CPUs with equal cores
 * @id: its number in other calls here and in libpmctrack; -1: no events can be counted on it
 * @name: "core" if all are equal, else "P", "E", "LPE"; "big", "mid", "little"; with @source
 *	"libpmctrack" its name, such as "classic" and "dense"
 * @model: the processor's name, with the kind of core if others have the same
 * @pmu: the kernel's name of its PMU; "": there is none that can be used
 * @event_pmu: the name for events of this core type only, as in adl_glc::INST_RETIRED
 * @cpus: its CPUs that are online, as a list ("0-3,8"), which ends with ",..." if it is too long
 * @source: what the core types were found by: "pmu", "cpuid", "midr", "capacity",
 *	"frequency", "caches"; "libpmctrack": only there they differ; "none": nothing says that
 *	cores differ
 * @vendor: the vendor's name
 * @vendor_id: PAPI_VENDOR_*
 * @family, @model_number, @stepping: x86: of CPUID; Arm: architecture, part and variant
 * @nr_cpus: number of @cpus
 * @midr: Arm: MIDR_EL1; 0 elsewhere
 * @capacity: performance in relation to the machine's fastest CPU, which has 1024; 0: not known
 * @min_mhz, @max_mhz: frequencies; 0: not known
 * @nr_fixed: counters that count one event
 * @nr_general: counters that count events of choice
 * @caches: the caches of its first CPU
 */
struct pmcpapi_core_type {
	int id;
	char name[16];
	char model[PAPI_MAX_STR_LEN];
	char pmu[PAPI_MIN_STR_LEN];
	char event_pmu[PAPI_MIN_STR_LEN];
	char cpus[1024];
	char source[16];
	char vendor[PAPI_MAX_STR_LEN];
	int vendor_id;
	int family;
	int model_number;
	int stepping;
	int nr_cpus;
	uint64_t midr;
	int capacity;
	int min_mhz;
	int max_mhz;
	int nr_fixed;
	int nr_general;
	PAPI_mh_info_t caches;
};

/**
 * pmcpapi_core_type - describe a core type
 * @n: number of the core type from 0, the fastest first: the number of its CPU device in
 *	PAPI_get_dev_attr()
 *
 * PAPI_EINVAL: there is no such core type.
 */
PAPI_API int pmcpapi_core_type(int n, struct pmcpapi_core_type *out);

/* ------------------------------------------------------------------------
 * More events than counters
 */

/**
 * pmcpapi_choose_events - choose events that can be counted at the same time
 * @core_type: member @id of a core type, on which alone the events will be counted; or
 *	PMCPAPI_EVERY_CORE_TYPE: wherever they are counted as members of an EventSet
 * @events: codes of @nr events
 * @weights: how much each matters, above 0; NULL: all matter the same, and as many as possible
 *	are chosen
 * @chosen: out: 1 for events that are chosen, 0 for others
 * @is_optimal: out: 1: no other choice has a larger sum of weights; 0: the search was given up
 *	before this was known. May be NULL
 *
 * The choice is for an EventSet with the default domain that is not multiplexed.
 *
 * Return: number of chosen events; PAPI_ENOEVNT: one of @events is not known.
 */
PAPI_API int pmcpapi_choose_events(int core_type, const int *events, const int *weights, int nr,
				   int *chosen, int *is_optimal);

/* ------------------------------------------------------------------------
 * Estimates
 */

/* Turns that an event needs before its error is known */
#define PMCPAPI_MIN_TURNS 10

/**
 * pmcpapi_multiplex_error - how far the values of an EventSet may be from the truth
 * @relative_errors: out: for each event the standard error of its last value, divided by the
 *	value. 0: the value is exact. NAN: the error is not known, and the value may be far
 *	off: on a core type on which the thread has run, the event had less than
 *	PMCPAPI_MIN_TURNS turns; or the value is 0
 *
 * The last value is that of PAPI_read(), PAPI_accum() or PAPI_stop(). In about two of three
 * cases the truth is within one standard error of it. The error is computed from the
 * differences between turns. A program whose phases keep step with the turns can be further
 * off. Values of EventSets that are not multiplexed are exact, except those that are
 * estimated from samples: their errors are here, too; NAN: samples were lost or left out.
 */
PAPI_API int pmcpapi_multiplex_error(int EventSet, double *relative_errors);

/**
 * pmcpapi_estimate_by_samples - estimate the values of an EventSet from samples
 * @on: 1 or 0
 * @period: number of events from one sample to the next, 1000 at least; the same for all events
 *
 * Exact counts cost less. This is for comparison with tools that have nothing but samples. The
 * standard error is about 0.29 periods for each thread, so the relative error falls with the
 * length of a run. 4096 samples are kept from one reading to the next; if there are more, or
 * they come too fast, pmcpapi_multiplex_error() is NAN. PAPI_start() returns PAPI_ECNFLCT if an
 * event cannot have samples, as events that the kernel itself counts.
 *
 * PAPI_EINVAL: the EventSet is multiplexed; PAPI_EISRUN; PAPI_ENOSUPP: it needs the kernel
 * module.
 */
PAPI_API int pmcpapi_estimate_by_samples(int EventSet, int on, long long period);

/** pmcpapi_is_estimate - 1 if the values of an EventSet are estimates, 0 if they are exact */
PAPI_API int pmcpapi_is_estimate(int EventSet);

/* ------------------------------------------------------------------------
 * Memory
 */

struct pmcpapi_node_memory {
	long long total;
	long long free;
	long long used;
};

/** pmcpapi_memory_of_node - the memory of a NUMA node, by the kernel's number. PAPI_EINVAL */
PAPI_API int pmcpapi_memory_of_node(int node, struct pmcpapi_node_memory *memory);

/**
 * struct pmcpapi_machine_memory - the memory of the machine
 * @available: what programs can have without swapping; caches of files are part of it
 * @used: the rest
 */
struct pmcpapi_machine_memory {
	long long total;
	long long available;
	long long used;
	long long swap_total;
	long long swap_used;
};

PAPI_API int pmcpapi_memory_of_machine(struct pmcpapi_machine_memory *memory);

/**
 * struct pmcpapi_high_water - the most that was used at a time
 * @resident: memory of the process
 * @virtual_size: addresses of the process
 * @thread_stack: memory of the calling thread's stack, the only memory that a thread has for
 *	itself
 */
struct pmcpapi_high_water {
	long long resident;
	long long virtual_size;
	long long thread_stack;
};

PAPI_API int pmcpapi_memory_high_water(struct pmcpapi_high_water *most);

/**
 * struct pmcpapi_swapping - what the process has on disk
 * @swapped: memory of the process that is swapped out now
 * @major_faults: how often the process had to wait for a page from a disk
 * @thread_major_faults: the calling thread's part of that
 */
struct pmcpapi_swapping {
	long long swapped;
	long long major_faults;
	long long thread_major_faults;
};

PAPI_API int pmcpapi_memory_swapping(struct pmcpapi_swapping *swapping);

/**
 * pmcpapi_memory_locality - on which NUMA nodes the memory of the process is
 * @kib: out: by the kernel's number of the node: memory of the process there
 * @nr_nodes: length of @kib
 *
 * Pages that are shared with other processes are included.
 *
 * Return: the largest number of a node, plus 1, which may be more than @nr_nodes.
 * PAPI_ENOSUPP: the kernel does not say it.
 */
PAPI_API int pmcpapi_memory_locality(long long *kib, int nr_nodes);

/**
 * pmcpapi_memory_location - on which NUMA nodes an object is
 * @object, @size: an array or a structure. All pages that it touches are counted
 * @kib, @nr_nodes: as above
 * @absent: out: size of its pages that are in no memory: not touched yet, or swapped out; may
 *	be NULL
 *
 * Return: as above. PAPI_EINVAL: @size is 0.
 */
PAPI_API int pmcpapi_memory_location(const void *object, size_t size, long long *kib,
				     int nr_nodes, long long *absent);

#ifdef __cplusplus
}
#endif

#endif /* PMCPAPI_H */
