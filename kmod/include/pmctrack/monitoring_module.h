/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Monitoring modules turn counters, or other values of the hardware, into
 * metrics for the scheduler and virtual counters for people.
 *
 * A monitoring module is a kernel module of its own. It describes itself by a
 * struct monitoring_module and registers it; the administrator activates it
 * ("activate NAME" into /proc/pmc/mm_manager). From then on each thread that a
 * scheduler has enabled (pmcs_monitor_task()), or that a session counts with
 * one of the module's virtual counters, is monitored by it: the module is
 * notified of the thread's start, switches, samples, exec and exit.
 *
 * monitoring-modules/template is one to start from.
 */
#ifndef PMCTRACK_MONITORING_MODULE_H
#define PMCTRACK_MONITORING_MODULE_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include "../../uapi/pmctrack.h"
#include "scheduler.h"

struct cpumask;
struct module;
struct seq_file;
struct task_struct;

/* Virtual counters of one module, and of one session. */
#define PMC_VIRTUALS_MAX	16
/* Longest name of a module or a virtual counter, with its zero. */
#define PMC_MODULE_NAME_LEN	32

/**
 * enum pmc_virtual_kind - how a virtual counter goes on from sample to sample
 * @PMC_VIRTUAL_COUNT: it grows; a sample has the growth since the one before
 * @PMC_VIRTUAL_LEVEL: a state at the time of the sample
 * @PMC_VIRTUAL_RATIO: the same, of a quotient: averages of it need weights
 */
enum pmc_virtual_kind {
	PMC_VIRTUAL_COUNT,
	PMC_VIRTUAL_LEVEL,
	PMC_VIRTUAL_RATIO,
};

/* pmc_virtual.flags */
#define PMC_VIRTUAL_ESTIMATED	0x1	/* by a model, not measured */
#define PMC_VIRTUAL_UNPRIVILEGED 0x2	/* covers user mode of the thread only */
#define PMC_VIRTUAL_SHARED	0x4	/* of CPUs together: reported for one of them */

/**
 * struct pmc_virtual - a virtual counter
 * @name: what sessions ask for: lower case letters, digits and '_'
 * @unit: "uJ", "bytes", ...; "" for a plain number
 * @description: one line
 * @kind: count, level or ratio
 * @scale: what the value is to be divided by to be in @unit: 1, 1000, ...
 * @flags: PMC_VIRTUAL_*
 */
struct pmc_virtual {
	const char *name;
	const char *unit;
	const char *description;
	enum pmc_virtual_kind kind;
	u32 scale;
	u32 flags;
};

/**
 * struct pmc_module_thread - a thread, as one module monitors it
 * @task: the thread. Alive in thread_start, thread_exec, switch_in, switch_out
 *	and sample; in thread_exit and read it may be gone when it is not current
 * @core_type: core type it runs on, or ran on last
 * @loaded: it is running: from switch_in, where it is set already, to switch_out,
 *	where it no longer is; only of modules that have both
 * @metric: values for the scheduler; set by pmc_module_set_metric()
 * @data: thread_size bytes of the module's own, zeroed before thread_start
 */
struct pmc_module_thread {
	struct task_struct *task;
	u32 core_type;
	bool loaded;
	struct pmc_metric_value metric[PMC_METRIC_NR];
	u64 data[];
};

/**
 * enum pmc_module_event - why a sample was taken
 * @PMC_MODULE_TICK: the module's sampling period is over; the next event set
 *	of the round follows
 * @PMC_MODULE_CORE_TYPE: the thread is moving to another core type
 * @PMC_MODULE_EXIT: it is monitored no more
 * @PMC_MODULE_OTHER: it was asked for
 */
enum pmc_module_event {
	PMC_MODULE_TICK,
	PMC_MODULE_CORE_TYPE,
	PMC_MODULE_EXIT,
	PMC_MODULE_OTHER,
};

/**
 * struct pmc_module_sample - a thread's counts since its last sample
 * @event: why it was taken
 * @core_type: core type it was counted on
 * @set: event set it was counted with, as pmc_module_add_set() returned it
 * @nr_sets: event sets that this core type has
 * @nr_counts: how many of @counts there are; 0 when one of the counters was taken
 *	away meanwhile, by perf for example, or the core type has none for the set
 * @counts: events, in the order the set lists them. Never scaled
 * @running: how long the thread ran in it, ns
 * @elapsed: how long it lasted, ns
 * @time: when it was taken, CLOCK_MONOTONIC ns
 */
struct pmc_module_sample {
	enum pmc_module_event event;
	unsigned int core_type;
	unsigned int set;
	unsigned int nr_sets;
	unsigned int nr_counts;
	const u64 *counts;
	u64 running;
	u64 elapsed;
	u64 time;
};

/**
 * struct monitoring_module - a monitoring module
 * @name: how the administrator calls it: lower case letters, digits and '_'
 * @description: one line
 * @owner: THIS_MODULE
 * @thread_size: bytes of data[] in each struct pmc_module_thread
 * @virtuals: its virtual counters
 * @nr_virtuals: how many; at most PMC_VIRTUALS_MAX. Activate may lessen it to those that
 *	this machine has
 * @metrics: metrics it sets, BIT(enum pmc_metric) each. No two active modules
 *	set the same
 * @tick_ms: how often @tick is called, ms
 * @activate: get ready: find the hardware, add event sets. May sleep. A
 *	negative error refuses; say why by pmc_module_error()
 * @deactivate: undo it. No other callback runs, or will. May sleep.
 * @thread_start: a thread is monitored from now on. Preemption off: in its own
 *	fork, by current, its parent (it has not run yet); or, for a thread that
 *	runs already, in another process. No callback of this thread comes before
 * @thread_exec: current has become another program. Preemption off
 * @thread_exit: it is monitored no more; the last callback except read.
 *	Preemption off
 * @switch_in: it is about to run on this CPU, or starts to be monitored while
 *	it does. Interrupts off, the run-queue lock held
 * @switch_out: it is about to leave this CPU. The same
 * @sample: a sample was taken. Interrupts off, up to NMI
 * @read: value of virtual counter number @i of the thread: counts since
 *	thread_start or some later time (sessions report differences), levels and
 *	ratios now, PMC_NO_VALUE when it has none. The sample with a count's next
 *	value then has all since the last value; only a session that begins while
 *	there is none counts from its first sample with a value. Called for each sample of a
 *	session, on the CPU that the thread is on if it is loaded. Any context up
 *	to NMI; but as a session begins to count the thread with it, interrupts
 *	off, on the CPU that the thread is on or switches to: what costs something
 *	at each switch may begin then. @t is NULL where the module
 *	needs nothing of a thread (no thread_size and no thread_, switch_ or
 *	sample callback): it is the CPU's value then.
 * @read_cpu: value of virtual counter number @i of this CPU, for sessions that
 *	count CPUs. Interrupts off. NULL: the module has values of threads only
 * @tick: from time to time while it is active, for hardware whose registers
 *	wrap. Process context, may sleep.
 * @suspend: the machine is about to suspend to memory or disk: registers may be
 *	lost. On the last CPU that is online, interrupts off. What threads have
 *	loaded there stays so: no switch_out or switch_in is called for it
 * @resume: it is awake, and registers of any CPU may have begun anew, or not, if
 *	something came in between. On the same CPU, interrupts off; the others
 *	come online after that, as they do at any time
 * @set: set parameter @key ("NAME.key=value" in /proc/pmc/config) to @value,
 *	a string that may be written to. May sleep, never runs beside activate,
 *	deactivate, show or itself. A negative error refuses; say why by
 *	pmc_module_error()
 * @show: write each parameter as one line by pmc_module_show(). May sleep.
 * @internal: belongs to the core; NULL
 *
 * All callbacks may be NULL. Those of one thread never run at the same time,
 * except read, which may interrupt the others as NMI and run on another CPU
 * beside them when the thread is not loaded.
 */
struct monitoring_module {
	const char *name;
	const char *description;
	struct module *owner;
	size_t thread_size;
	const struct pmc_virtual *virtuals;
	unsigned int nr_virtuals;
	u64 metrics;
	unsigned int tick_ms;
	int (*activate)(void);
	void (*deactivate)(void);
	void (*thread_start)(struct pmc_module_thread *t);
	void (*thread_exec)(struct pmc_module_thread *t);
	void (*thread_exit)(struct pmc_module_thread *t);
	void (*switch_in)(struct pmc_module_thread *t);
	void (*switch_out)(struct pmc_module_thread *t);
	void (*sample)(struct pmc_module_thread *t,
		       const struct pmc_module_sample *sample);
	u64 (*read)(const struct pmc_module_thread *t, unsigned int i);
	u64 (*read_cpu)(unsigned int i);
	void (*tick)(void);
	void (*suspend)(void);
	void (*resume)(void);
	int (*set)(const char *key, char *value);
	void (*show)(struct seq_file *m);
	void *internal;
};

int monitoring_module_register(struct monitoring_module *module);
void monitoring_module_unregister(struct monitoring_module *module);

/*
 * Event sets: rounds of them for each core type, in which a thread takes turns
 * from sample to sample. From activate, or from set while the module is not
 * active (then they are forgotten: add them in activate).
 */
int pmc_module_add_set(struct monitoring_module *module, unsigned int core_type,
		       const char *events);
void pmc_module_set_period(struct monitoring_module *module, u64 ns);

/**
 * enum pmc_generic - events that most core types have under some number
 * @PMC_GENERIC_INSTRUCTIONS: instructions retired
 * @PMC_GENERIC_CYCLES: cycles of the core while it was not halted
 * @PMC_GENERIC_LLC_REFERENCES: references to the last-level cache
 * @PMC_GENERIC_LLC_MISSES: those of them that missed
 * @PMC_GENERIC_BRANCHES: branch instructions retired
 * @PMC_GENERIC_BRANCH_MISSES: those of them that were mispredicted
 * @PMC_GENERIC_NR: number of generic events
 */
enum pmc_generic {
	PMC_GENERIC_INSTRUCTIONS,
	PMC_GENERIC_CYCLES,
	PMC_GENERIC_LLC_REFERENCES,
	PMC_GENERIC_LLC_MISSES,
	PMC_GENERIC_BRANCHES,
	PMC_GENERIC_BRANCH_MISSES,
	PMC_GENERIC_NR
};

const char *pmc_module_generic(unsigned int core_type, enum pmc_generic event);

/*
 * The machine. Core types don't change; a CPU that was offline when they were
 * found joins its own as it comes online. Any context.
 */
unsigned int pmc_module_nr_core_types(void);
const char *pmc_module_core_type_name(unsigned int core_type);
const struct cpumask *pmc_module_core_type_cpus(unsigned int core_type);
unsigned int pmc_module_core_type_of(unsigned int cpu);
unsigned int pmc_module_fastest(void);
unsigned int pmc_module_slowest(void);

void pmc_module_set_metric(struct pmc_module_thread *t, enum pmc_metric metric,
			   u64 value);
u64 pmc_module_metric(const struct pmc_module_thread *t, enum pmc_metric metric);
__printf(2, 3) int pmc_module_error(int code, const char *fmt, ...);
__printf(3, 4) void pmc_module_show(struct seq_file *m, const char *key,
				    const char *fmt, ...);
int pmc_module_read_number(const char *path, s64 *value);

#endif /* PMCTRACK_MONITORING_MODULE_H */
