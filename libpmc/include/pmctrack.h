/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libpmctrack: performance counters of threads, CPUs and pieces of code,
 * exact on machines whose cores differ.
 *
 * The library has four parts, which may be used side by side:
 *
 *   pmctrack_*     PMCTrack's calls. A descriptor counts the calling thread
 *                  (or all CPUs) between start and stop and then holds the
 *                  samples. Programs written for PMCTrack build unchanged.
 *   pmc_caliper_*, pmc_region_*
 *                  Calipers read the counts of the calling thread, with a few
 *                  instructions where the CPU lets user space read counters.
 *                  Named regions are built on calipers.
 *   pmc_metric_*   Metrics, such as instructions per cycle, by name or by formula.
 *   pmc_machine_*, pmc_config_*, pmc_session_*
 *                  Everything that the kernel module can do: count other
 *                  processes and their children, sample over time and by
 *                  event count, and deliver a stream of samples. The command
 *                  pmctrack uses these calls.
 *
 * Configurations. An event set is a string of words separated by commas:
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
 *
 * Errors. Unless stated otherwise a call returns 0 or a positive value, and on
 * failure -1 (NULL if it returns a pointer) with errno set; pmc_last_error()
 * then returns one line for the user that says what is wrong and what to do.
 *
 * Threads. Calls on different objects may run at the same time in any threads.
 * Calls on the same object must not, unless stated otherwise. A signal handler
 * may call pmc_caliper_read() and no other function of the library.
 *
 * libpfm4. The program and this library share one libpfm4. The library calls
 * pfm_initialize() when it first looks up an event name, and changes no other
 * state of libpfm4 and no environment variable. pfm_initialize() must not run in
 * several threads at once, so a program that uses libpfm4 itself should call it
 * before it starts threads. On x86 the events of libpfm4 are those of the PMUs
 * that libpfm4 detects; with LIBPFM_ENCODE_INACTIVE=1 in the environment they are
 * those of all PMUs that it knows.
 *
 * Structures. A later version of the library may have further members at the
 * end of struct pmc_reading and struct pmc_region. Macros pass the size of these
 * structures to the calls that fill them; members that the library does not know
 * are set to 0. Arrays keep their sizes, PMC_MAX_COUNTS and PMC_MAX_VIRTUALS.
 *
 * Units. Times are in nanoseconds unless the name says otherwise; clocks are
 * CLOCK_MONOTONIC.
 */
#ifndef PMCTRACK_H
#define PMCTRACK_H

#include <pmc_user.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(PMC_API)
#define PMC_API __attribute__((visibility("default")))
#define PMC_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define PMC_API
#define PMC_PRINTF(f, a)
#endif

/**
 * pmc_last_error - the reason why the calling thread's last failed call failed
 *
 * Return: one line without newline, "" if no call failed yet. The string belongs
 * to the library. Each thread has its own; its next failure overwrites it.
 */
PMC_API const char *pmc_last_error(void);

/* ------------------------------------------------------------------------
 * PMCTrack's calls
 *
 * A descriptor belongs to one thread at a time; its counts are those of the
 * thread that called pmctrack_start_counters(). For another thread make a
 * copy with pmctrack_clone_descriptor(). As in PMCTrack, these calls (and
 * only these) also print the error line on stderr.
 */

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

/* ------------------------------------------------------------------------
 * The machine: core types and their counters
 */

typedef struct pmc_machine pmc_machine_t;

/* Types of counters */
enum pmc_counter_kind {
	PMC_COUNTER_FIXED,	/* one event, in hardware */
	PMC_COUNTER_GENERAL,	/* events of choice, in hardware */
	PMC_COUNTER_SOFTWARE	/* one event, counted by the kernel */
};

/**
 * struct pmc_counter_info - a run of equal counters of a core type
 * @first: number of the first: the N of pmcN
 * @last: number of the last
 * @kind: their type
 * @event: event of a fixed or software counter, "any" for a general one
 * @interrupt: samples by event count (EBS) are possible
 */
struct pmc_counter_info {
	int first;
	int last;
	enum pmc_counter_kind kind;
	const char *event;
	int interrupt;
};

/**
 * struct pmc_core_type_info - CPUs with equal counters
 * @id: its number, from 0
 * @name: its name ("big", "P", ...)
 * @pmu: the kernel's name of its PMU
 * @event_table: sources of its event names, separated by ", ": the name of a file
 *	with a table; "libpfm4" and the name of a PMU, or "builtin" and the name of
 *	a table of the library
 * @cpus: its CPUs, as a list ("0-3,8")
 * @capacity: relative performance, 1024 for the fastest; 0 if unknown
 * @cpuid: the CPU's own identification (MIDR, CPUID signature)
 * @nr_hw_counters: hardware counters, fixed and general
 * @nr_counters: length of @counters
 * @counters: all its counters, lowest number first
 */
struct pmc_core_type_info {
	int id;
	const char *name;
	const char *pmu;
	const char *event_table;
	const char *cpus;
	unsigned int capacity;
	uint64_t cpuid;
	int nr_hw_counters;
	int nr_counters;
	const struct pmc_counter_info *counters;
};

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
 * pmc_machine_open - ask the kernel module what this machine has
 *
 * If the module is not loaded, sysfs and CPUID tell; see pmc_machine_has_module().
 *
 * Return: an object for pmc_machine_close(). It must not be closed before the
 * configurations made with it. It never changes, so any number of threads may
 * use it at once. NULL on failure.
 */
PMC_API pmc_machine_t *pmc_machine_open(void);
PMC_API void pmc_machine_close(pmc_machine_t *machine);

/**
 * pmc_machine_backend - the kernel module's hardware layer: "armv8", ...
 *
 * Return: its name; "perf_event" without the module.
 */
PMC_API const char *pmc_machine_backend(const pmc_machine_t *machine);

/**
 * pmc_machine_has_module - 1 if the kernel module counts, 0 if it is not loaded
 *
 * Without the module, sessions count by perf_event_open(), with these differences:
 * samples are of whole processes with their children, not of threads; several event
 * sets are counted at once, and if there are too many, the kernel gives each of them
 * the counters for a part of the time and pmc_session_totals() are estimates, which
 * pmc_session_accuracy() says; the kernel chooses the counters; CPU numbers in samples
 * of processes are those of the core type's first CPU. Calipers, PMCTrack's calls,
 * virtual counters, sampling by event count and counters that CPUs share need the module.
 */
PMC_API int pmc_machine_has_module(const pmc_machine_t *machine);

/** pmc_machine_direct - 1 if calipers can read counters without a system call */
PMC_API int pmc_machine_direct(const pmc_machine_t *machine);

/** pmc_machine_nr_core_types - number of core types; their ids count from 0 */
PMC_API int pmc_machine_nr_core_types(const pmc_machine_t *machine);

/**
 * pmc_machine_core_type - describe a core type
 *
 * Return: a description that lives as long as @machine; NULL if there is no
 * such core type.
 */
PMC_API const struct pmc_core_type_info *
pmc_machine_core_type(const pmc_machine_t *machine, int id);

/**
 * pmc_machine_find_core_type - a core type by number, name or PMU
 *
 * Return: its id; -1 if there is none. The error line then lists the core types.
 */
PMC_API int pmc_machine_find_core_type(const pmc_machine_t *machine,
				       const char *what);

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

/* ------------------------------------------------------------------------
 * Virtual counters: values that monitoring modules provide
 *
 * A monitoring module is a separate kernel module that measures other
 * quantities than events: energy, occupancy of caches, speedup factors, ...
 * After the administrator has activated it, its virtual counters can be part of
 * each sample; they are read at the same moment as the events.
 */

/* Most virtual counters of one configuration */
#if !defined(PMC_MAX_VIRTUALS)
#define PMC_MAX_VIRTUALS 16
#elif PMC_MAX_VIRTUALS != 16
#error "PMC_MAX_VIRTUALS is 16: the library fills arrays of that size"
#endif

/* Stands for a value that is not known (yet). */
#define PMC_NO_VALUE		0xffffffffffffffffULL

/* Types of virtual counters */
enum pmc_virtual_kind {
	PMC_VIRTUAL_COUNT,	/* a sample has the increase since the previous one */
	PMC_VIRTUAL_LEVEL,	/* a sample has the current value */
	PMC_VIRTUAL_RATIO	/* the same; the value is a quotient */
};

/* flags of struct pmc_virtual_info */
#define PMC_VIRTUAL_ESTIMATED	0x01	/* estimated by a model, not measured */
#define PMC_VIRTUAL_UNPRIVILEGED 0x02	/* every user may ask for it, for own processes */
#define PMC_VIRTUAL_SHARED	0x04	/* several CPUs share it: reported for one of them */
#define PMC_VIRTUAL_SYSWIDE	0x08	/* available for CPUs */
#define PMC_VIRTUAL_THREADS	0x10	/* available for threads */

/**
 * struct pmc_virtual_info - a virtual counter
 * @name: its name
 * @module: monitoring module that provides it
 * @unit: "uJ", "bytes", ...; "" for a plain number
 * @desc: one line about it
 * @kind: count, level or ratio
 * @scale: values divided by this are in @unit
 * @flags: PMC_VIRTUAL_*
 */
struct pmc_virtual_info {
	const char *name;
	const char *module;
	const char *unit;
	const char *desc;
	enum pmc_virtual_kind kind;
	unsigned int scale;
	unsigned int flags;
};

/**
 * struct pmc_module_info - a monitoring module that is loaded
 * @name: its name, also for activating it
 * @desc: one line about it
 * @active: it is active
 * @users: sessions and others that use it now
 */
struct pmc_module_info {
	const char *name;
	const char *desc;
	int active;
	int users;
};

typedef struct pmc_virtuals pmc_virtuals_t;

/**
 * pmc_virtuals_open - ask for the virtual counters and monitoring modules
 *
 * Return: a list of those that exist now, for pmc_virtuals_close(); NULL on
 * failure (ENOENT: module not loaded). The list never changes, so any number
 * of threads may use it at once.
 */
PMC_API pmc_virtuals_t *pmc_virtuals_open(void);
PMC_API void pmc_virtuals_close(pmc_virtuals_t *list);

/**
 * pmc_virtuals_get - virtual counter number @n, from 0
 * pmc_virtuals_module - monitoring module number @n, from 0, active or not
 *
 * Return: a description that belongs to @list; NULL past the last.
 */
PMC_API const struct pmc_virtual_info *pmc_virtuals_get(const pmc_virtuals_t *list, int n);
PMC_API const struct pmc_module_info *pmc_virtuals_module(const pmc_virtuals_t *list, int n);

/**
 * pmc_virtuals_find - a virtual counter by name, or as virtN by number
 *
 * Return: a description that belongs to @list; NULL if there is none (ENODEV:
 * its module is not active). The error line suggests similar names, or says how
 * to activate the module.
 */
PMC_API const struct pmc_virtual_info *pmc_virtuals_find(const pmc_virtuals_t *list,
							 const char *name);

/**
 * pmc_virtual_label - a heading: "energy_core[uJ]", "~sf" if it is estimated
 * pmc_virtual_format - a value in @v's unit: "1.250", "-" for PMC_NO_VALUE
 * pmc_virtual_value - the same as a number, NAN for PMC_NO_VALUE
 * @buf: out: at most @size bytes, with the terminating zero
 */
PMC_API void pmc_virtual_label(const struct pmc_virtual_info *v, char *buf, size_t size);
PMC_API void pmc_virtual_format(const struct pmc_virtual_info *v, uint64_t value,
				char *buf, size_t size);
PMC_API double pmc_virtual_value(const struct pmc_virtual_info *v, uint64_t value);

/* ------------------------------------------------------------------------
 * Configurations: event sets encoded for a machine's core types, and virtual
 * counters
 */

typedef struct pmc_config pmc_config_t;

/* Most counts of one event set */
#if !defined(PMC_MAX_COUNTS)
#define PMC_MAX_COUNTS 32
#elif PMC_MAX_COUNTS != 32
#error "PMC_MAX_COUNTS is 32: the library fills arrays of that size"
#endif

/* flags of pmc_config_add() */
#define PMC_CONFIG_RAW	1	/* accept the raw form only */

#define PMC_EVERY_CORE_TYPE	(-1)

/**
 * pmc_config_new - an empty configuration
 *
 * Return: an object for pmc_config_free(); NULL without memory.
 */
PMC_API pmc_config_t *pmc_config_new(const pmc_machine_t *machine);
PMC_API void pmc_config_free(pmc_config_t *config);

/**
 * pmc_config_add - add an event set
 * @spec: see "Configurations" at the head of this file
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

/* ------------------------------------------------------------------------
 * Sessions: one user of the kernel module, with its stream of samples
 */

typedef struct pmc_session pmc_session_t;

/* Bytes of a thread's name, with the terminating zero */
#define PMC_THREAD_NAME 16

/* flags of struct pmc_reading */
#define PMC_READING_THROTTLED	0x0001	/* sampling by event count was throttled before it */
#define PMC_READING_COUNTER_LOST 0x0002	/* a counter was taken away */
#define PMC_READING_SYSWIDE	0x0004	/* counts of a CPU, not of a thread */
#define PMC_READING_LAST	0x0008	/* the last of this thread or CPU */
#define PMC_READING_EVICTED	0x0010	/* with the last: a privileged session needed the counters */

/**
 * struct pmc_reading - one sample of a session
 * @time: when it was taken
 * @elapsed: ns since the previous one of this thread or CPU
 * @running: ns of that spent running
 * @pid: process; 0 in system-wide mode
 * @tid: thread; 0 in system-wide mode
 * @cpu: CPU it was taken on
 * @core_type: core type that the counts belong to
 * @set: event set of that core type
 * @type: why it was taken
 * @flags: PMC_READING_*
 * @lost: samples lost just before this one because the reader was slow
 * @ebs_event: event whose period ended, if @type is PMC_EBS_SAMPLE
 * @nr_counts: how many of @counts are valid, in the order of the event set
 * @counts: events since the previous sample, exact, never scaled
 * @nr_virtual: how many of @virtual_counts are valid, in the order of the
 *	configuration
 * @virtual_counts: virtual counters, multiplied by their scale: counts since the
 *	previous sample, current levels and ratios; PMC_NO_VALUE: not known
 * @name: the thread's name, "" if it is not known. It takes the command "names". With
 *	PMC_READING_LAST it is the name that the thread ended with, even if its life was short;
 *	otherwise it is about as old as the sample. It has any bytes: quote them
 * @address: with the command "addresses", of samples by event count: the instruction in user
 *	space at which the end of the period was seen, some instructions behind the one that
 *	ended it; 0: not known
 */
struct pmc_reading {
	uint64_t time;
	uint64_t elapsed;
	uint64_t running;
	pid_t pid;
	pid_t tid;
	int cpu;
	int core_type;
	int set;
	sample_type_t type;
	unsigned int flags;
	unsigned int lost;
	int ebs_event;
	int nr_counts;
	uint64_t counts[PMC_MAX_COUNTS];
	int nr_virtual;
	uint64_t virtual_counts[PMC_MAX_VIRTUALS];
	char name[PMC_THREAD_NAME];
	uint64_t address;
};

/**
 * pmc_session_open - connect to the kernel module, or to perf_event_open()
 *
 * The latter counts if the module is not loaded; see pmc_machine_has_module().
 *
 * pmc_session_close() ends all counting of the session and releases its counters,
 * even if a child of fork() still has the file open. In a child it only closes
 * the child's file.
 *
 * Return: an object for pmc_session_close(); NULL on failure (EACCES, ...).
 */
PMC_API pmc_session_t *pmc_session_open(void);
PMC_API void pmc_session_close(pmc_session_t *session);

/**
 * pmc_session_command - send commands of the session protocol, one a line
 * @fmt: as for printf
 *
 * Commands choose what to count: "period 10ms", "follow children", "enable
 * exec", "attach 1234", "syswide", "stop", ... The call stops at the first line
 * that is refused; the error line is then the kernel module's. The first command
 * that attaches sets up the buffer for samples.
 */
PMC_API int pmc_session_command(pmc_session_t *session, const char *fmt, ...)
	PMC_PRINTF(2, 3);

/**
 * pmc_session_configure - send a configuration's event sets and virtual counters
 *
 * They are added to those that the session has ("clear" removes them). They are
 * sent one by one: if one is refused, the session keeps those before it. @config
 * may be freed after the call.
 *
 * The counters of the event sets are reserved when the session begins to count, by
 * pmc_session_start() or a command, and released by "stop" or pmc_session_close().
 */
PMC_API int pmc_session_configure(pmc_session_t *session, const pmc_config_t *config);

/**
 * pmc_session_start - count the calling thread from now on
 * pmc_session_stop - stop counting the calling thread and take a sample of it
 *
 * Several threads may call these on one session, each for itself.
 */
PMC_API int pmc_session_start(pmc_session_t *session);
PMC_API int pmc_session_stop(pmc_session_t *session);

/** pmc_session_fd - the session's file descriptor, for poll(): POLLIN, POLLHUP */
PMC_API int pmc_session_fd(const pmc_session_t *session);

/**
 * pmc_session_wait - wait for samples
 * @timeout_ms: as for poll(): 0 returns at once, -1 waits forever
 *
 * Return: 1: there are samples; 0: the time is over, or a signal came; 2: all
 * threads have ended, so no further samples will come; -1: error.
 */
PMC_API int pmc_session_wait(pmc_session_t *session, int timeout_ms);

/**
 * pmc_session_next - take the next sample
 *
 * This call never waits. Return: 1 and *@reading is filled; 0 if there is none now.
 */
PMC_API int pmc_session_next(pmc_session_t *session, struct pmc_reading *reading);

/** pmc_session_next_sized - the same, for a struct pmc_reading of @size bytes */
PMC_API int pmc_session_next_sized(pmc_session_t *session, struct pmc_reading *reading,
				   size_t size);

#define pmc_session_next(session, reading) \
	pmc_session_next_sized(session, reading, sizeof(*(reading)))

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

/**
 * pmc_session_slots - the counter each event of a set was placed on
 * @slots: out: the N of pmcN, PMC_MAX_COUNTS entries at most; counters that CPUs
 *	share have numbers after those of the software counters
 *
 * Return: number of events, 0 if there is no such set.
 */
PMC_API int pmc_session_slots(pmc_session_t *session, int core_type, int set,
			      unsigned char *slots);

/** pmc_session_lost - samples lost so far because the buffer was full */
PMC_API uint64_t pmc_session_lost(const pmc_session_t *session);

/**
 * pmc_session_throttled - how often sampling by event count was throttled so far
 *
 * If samples by event count come faster than ebs_max_rate (/proc/pmc/config), or
 * take too much of a CPU's time, the kernel module takes none until the next tick.
 * The next sample then has the counts of the whole pause, so totals stay exact.
 */
PMC_API uint64_t pmc_session_throttled(const pmc_session_t *session);

/**
 * pmc_session_missed_threads - threads and children that could not be counted so far
 *
 * Possible reasons: no memory was available, 16 sessions count the thread already,
 * or another session uses the counters for other events.
 */
PMC_API unsigned int pmc_session_missed_threads(const pmc_session_t *session);

/* ------------------------------------------------------------------------
 * Metrics: formulas on counts, compiled once and evaluated on samples and totals
 */

typedef struct pmc_metric pmc_metric_t;

/**
 * struct pmc_metric_info - a metric that has a name
 * @name: its name, for pmc_metric_compile()
 * @expr: its formula
 * @unit: its unit, "" if it has none
 * @groups: names of the groups that it belongs to, separated by ;
 * @desc: one line about it
 * @source: "built in", or the file or table that it is defined in
 */
struct pmc_metric_info {
	const char *name;
	const char *expr;
	const char *unit;
	const char *groups;
	const char *desc;
	const char *source;
};

/**
 * pmc_metric_compile - a metric on a core type
 * @core_type: a core type; the events of the formula are its events
 * @spec: the name of a metric: one that the user or the administrator has defined, one
 *	of the library, or one of the model's table; or a definition, NAME[FORMAT UNIT]=EXPRESSION, as in
 *	"llcmr[%.1f per 1000]=1000*llc_misses/instr". FORMAT is %.0f to %.9f (%.2f);
 *	FORMAT, UNIT and the brackets may be missing. pmc_metric_compile(3) has the
 *	language of expressions
 *
 * Return: an object for pmc_metric_free(), which does not change; NULL on failure.
 * ENOENT: there is no metric of this name. EINVAL: @spec is wrong, or the core type
 * lacks an event; the error line names metric, event and core type. ELOOP: the metric
 * depends on itself.
 */
PMC_API pmc_metric_t *pmc_metric_compile(const pmc_machine_t *machine, int core_type,
					 const char *spec);
PMC_API void pmc_metric_free(pmc_metric_t *metric);

/**
 * pmc_metric_name - the name of a metric
 * pmc_metric_unit - its unit, "" if it has none
 * pmc_metric_expr - its formula, as it was written
 * pmc_metric_desc - one line about it
 *
 * Return: a string that belongs to @metric.
 */
PMC_API const char *pmc_metric_name(const pmc_metric_t *metric);
PMC_API const char *pmc_metric_unit(const pmc_metric_t *metric);
PMC_API const char *pmc_metric_expr(const pmc_metric_t *metric);
PMC_API const char *pmc_metric_desc(const pmc_metric_t *metric);

/** pmc_metric_nr_events - number of events that a metric is computed from */
PMC_API int pmc_metric_nr_events(const pmc_metric_t *metric);

/**
 * pmc_metric_event - event number @n of a metric, from 0
 *
 * The name can be part of an event set, except "duration_time", which is no event: it
 * stands for the time in seconds that the counts are of.
 *
 * Return: a string that belongs to @metric; NULL past the last.
 */
PMC_API const char *pmc_metric_event(const pmc_metric_t *metric, int n);

/**
 * pmc_metric_value - the value of a metric
 * @counts: the counts of its events, in the order of pmc_metric_event()
 *
 * Return: the value in @metric's unit; NAN if it is not defined, as after a division by
 * zero, or if a count that matters is NAN.
 */
PMC_API double pmc_metric_value(const pmc_metric_t *metric, const double *counts);

/**
 * pmc_metric_format - a value with the metric's number of digits, "-" for NAN
 * @buf: out: at most @size bytes, with the terminating zero
 */
PMC_API void pmc_metric_format(const pmc_metric_t *metric, double value, char *buf,
			       size_t size);

/**
 * pmc_machine_each_metric - call @fn for each metric that a core type has the events of
 * @fn: called with @arg and a metric, which is valid only during the call. A return
 *	value other than 0 ends the listing
 *
 * Metrics that users have defined come first, then those of the library and of the
 * model's table.
 *
 * Return: the last return value of @fn; -1 if there is no such core type, or a file of
 * metrics is malformed.
 */
PMC_API int pmc_machine_each_metric(const pmc_machine_t *machine, int core_type,
				    int (*fn)(void *arg, const struct pmc_metric_info *info),
				    void *arg);

/* ------------------------------------------------------------------------
 * Plans: the events of several metrics, in as few event sets as possible
 */

typedef struct pmc_plan pmc_plan_t;

/**
 * pmc_fits_fn - can the counters of a core type count an event set?
 * @events: the set in the kernel's form
 *
 * Return: 1 or 0; -1 with an error line if it cannot be known.
 */
typedef int (*pmc_fits_fn)(void *arg, int core_type, const char *events);

/**
 * struct pmc_set_counts - what one event set of a core type has counted
 * @running: ns that its counters were loaded
 * @nr_counts: how many of @counts are valid
 * @available: 0 if the sets of the core type take turns. Without the kernel module they are
 *	counted at the same time: ns that the threads ran on the core type, to which @counts
 *	are scaled if @running is less
 */
struct pmc_set_counts {
	int core_type;
	int set;
	uint64_t running;
	int nr_counts;
	uint64_t counts[PMC_MAX_COUNTS];
	uint64_t available;
};

/**
 * pmc_plan_new - an empty plan
 *
 * Return: an object for pmc_plan_free(), before @machine is closed; NULL without memory.
 */
PMC_API pmc_plan_t *pmc_plan_new(const pmc_machine_t *machine);
PMC_API void pmc_plan_free(pmc_plan_t *plan);

/**
 * pmc_plan_add_metrics - add metrics to the plan
 * @specs: names, groups ("tma") and definitions of metrics, see pmc_metric_compile(), with
 *	commas between
 * @core_type: the core type they are for, or PMC_EVERY_CORE_TYPE: those that have the
 *	events; one at least has to
 *
 * On failure free the plan.
 */
PMC_API int pmc_plan_add_metrics(pmc_plan_t *plan, const char *specs, int core_type);

/**
 * pmc_plan_add_set - add an event set, whose events stay together
 * pmc_plan_add_events - add events, which may be put into any set
 * @events: as for pmc_config_add(), by name
 * @core_type: as for pmc_plan_add_metrics()
 *
 * Sets come first and in this order; metrics may add events to them. Events that the kernel
 * itself counts take no counters, and are in each set. A set, or a single event, that no
 * core type has (EINVAL, ENOENT) is not added; after other failures free the plan.
 */
PMC_API int pmc_plan_add_set(pmc_plan_t *plan, const char *events, int core_type);
PMC_API int pmc_plan_add_events(pmc_plan_t *plan, const char *events, int core_type);

/**
 * pmc_plan_make - arrange the events in sets, and add these to a configuration
 * @fits: called with @arg. pmc_plan_fits() asks the kernel, and @arg is a session that does
 *	not count, whose event sets are lost. Its filter is that for the events
 *
 * The events of a metric are put into one set where the counters allow. An event that
 * several metrics need is counted once in a set. Call this once, after all additions.
 */
PMC_API int pmc_plan_make(pmc_plan_t *plan, pmc_config_t *config, pmc_fits_fn fits, void *arg);
PMC_API int pmc_plan_fits(void *session, int core_type, const char *events);

/** pmc_plan_nr_metrics - number of metrics of a plan, those of groups one by one */
PMC_API int pmc_plan_nr_metrics(const pmc_plan_t *plan);

/** pmc_plan_name - name of metric number @n; NULL past the last */
PMC_API const char *pmc_plan_name(const pmc_plan_t *plan, int n);

/** pmc_plan_metric - metric number @n on a core type; NULL if the core type does not have it */
PMC_API const pmc_metric_t *pmc_plan_metric(const pmc_plan_t *plan, int n, int core_type);

/** pmc_plan_is_estimated - 1 if the metric's events had to be put into several sets */
PMC_API int pmc_plan_is_estimated(const pmc_plan_t *plan, int n, int core_type);

/**
 * pmc_plan_value - a metric's value from the counts of event sets
 * @core_type: a core type, or PMC_EVERY_CORE_TYPE for all together: the value is that of the
 *	sums of their counts, and is not defined unless all have the same formula
 * @sets: of one thread, or sums; sets of other core types are ignored
 * @elapsed: ns, for metrics of duration_time
 * @accuracy: out: PMC_EXACT; PMC_PARTIAL: the value is that of the part of the time in which
 *	its set was counted; PMC_ESTIMATED: counts are scaled by the running time of their
 *	sets; PMC_NOT_COUNTED: there is no value. May be NULL
 *
 * Return: the value; NAN if it is not defined, or if a set that is needed was not counted.
 */
PMC_API double pmc_plan_value(const pmc_plan_t *plan, int n, int core_type,
			      const struct pmc_set_counts *sets, int nr_sets, uint64_t elapsed,
			      enum pmc_accuracy *accuracy);

/**
 * pmc_plan_reading - a metric's value in one sample
 *
 * Return: the value; NAN if the sample is of another set, or the metric's events are in
 * several sets.
 */
PMC_API double pmc_plan_reading(const pmc_plan_t *plan, int n, const struct pmc_reading *reading);

/**
 * pmc_session_set_counts - the totals of an event set, for pmc_plan_value()
 *
 * Return: number of counts, as of pmc_session_totals().
 */
PMC_API int pmc_session_set_counts(pmc_session_t *session, int core_type, int set,
				   struct pmc_set_counts *counts);

/** pmc_plan_total - a metric's value from the totals of a session, see pmc_plan_value() */
PMC_API double pmc_plan_total(const pmc_plan_t *plan, int n, int core_type,
			      pmc_session_t *session, uint64_t elapsed,
			      enum pmc_accuracy *accuracy);

/* ------------------------------------------------------------------------
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
 */

typedef struct pmc_caliper pmc_caliper_t;

/**
 * struct pmc_region - the counts of a region
 * @name: its name
 * @calls: how many times it was left
 * @time: ns spent in it, in real time
 * @nr_counts: how many of @counts are valid, in the order of the event set
 * @counts: events in it, those of regions inside it included
 * @nr_virtual: how many of @virtual_counts are valid
 * @virtual_counts: virtual counters: counts likewise; levels and ratios as they
 *	were when the region was left last; PMC_NO_VALUE: not known
 */
struct pmc_region {
	const char *name;
	uint64_t calls;
	uint64_t time;
	int nr_counts;
	uint64_t counts[PMC_MAX_COUNTS];
	int nr_virtual;
	uint64_t virtual_counts[PMC_MAX_VIRTUALS];
};

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
 * Return: number of core types; -1 with errno set if the kernel module is gone.
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

/**
 * pmc_region_begin - enter a region
 * @name: any string; equal strings are the same region. The string is copied.
 *
 * Regions nest. A region may be nested in itself; then only the outermost entry
 * and exit count. ENOMEM, or E2BIG beyond PMC_REGION_DEPTH levels.
 */
PMC_API int pmc_region_begin(pmc_caliper_t *caliper, const char *name);

/** pmc_region_end - leave a region; EINVAL if @name is not the innermost */
PMC_API int pmc_region_end(pmc_caliper_t *caliper, const char *name);

/**
 * pmc_region_read - the counts of a region so far
 * @region: out: its strings belong to the caliper
 *
 * A region's counts grow when it is left, so what was counted since it was
 * entered last is not included. ENOENT: there was no such region.
 */
PMC_API int pmc_region_read(pmc_caliper_t *caliper, const char *name,
			    struct pmc_region *region);

/** pmc_region_read_sized - the same, for a struct pmc_region of @size bytes */
PMC_API int pmc_region_read_sized(pmc_caliper_t *caliper, const char *name,
				  struct pmc_region *region, size_t size);

#define pmc_region_read(caliper, name, region) \
	pmc_region_read_sized(caliper, name, region, sizeof(*(region)))

/**
 * pmc_region_each - region number @n, in the order they were first entered
 *
 * Return: 1 and *@region is filled; 0 past the last.
 */
PMC_API int pmc_region_each(pmc_caliper_t *caliper, int n, struct pmc_region *region);

/** pmc_region_each_sized - the same, for a struct pmc_region of @size bytes */
PMC_API int pmc_region_each_sized(pmc_caliper_t *caliper, int n, struct pmc_region *region,
				  size_t size);

#define pmc_region_each(caliper, n, region) \
	pmc_region_each_sized(caliper, n, region, sizeof(*(region)))

#define PMC_REGION_DEPTH 64

#ifdef __cplusplus
}
#endif

#endif /* PMCTRACK_H */
