/* SPDX-License-Identifier: GPL-2.0 */
/* The contract of a backend. */
#ifndef PMC_BACKEND_H
#define PMC_BACKEND_H

#include <linux/types.h>
#include "include/pmctrack/monitoring_module.h"

struct mm_struct;
struct pmc_caliper_page;
struct pmc_core_type;
struct pmc_cpu;
struct pmc_err;
struct pmc_evreq;
struct pmc_evset;
struct pmc_filters;
struct pmc_hw_event;

/*
 * Called at each switch, for a whole event set. This CPU is the last argument, in the
 * place of the registers that reading a counter needs: it is not used any more then.
 */
typedef void pmc_backend_count_t(const struct pmc_evset *set, u64 *cur,
				 struct pmc_cpu *cpu);

/**
 * struct pmu_backend - one way to drive counters
 * @name: what backend= calls it
 * @modes: bits of a config that say in which modes it counts
 * @direct: user space may read the counters by instruction
 * @bound: counters can't be reprogrammed at a switch: as long as a slot is claimed it
 *	counts one thing
 * @bound_extra: neither can those of an event that needs a second register
 * @exclusive: counters are not shared with perf
 * @alone: the backend that does not share the same counters; NULL: there is none
 * @user_access_percpu: user space's access to the counters is set on each CPU, and the
 *	kernel's driver takes it away in interrupts
 * @probe: can it work here? Fills nr_hw, fixed, interrupts, common of every
 *	core type. May sleep. -EBUSY: not now, as others use the counters.
 * @encode: one requested event to a config and the slots that can count it.
 *	Pure.
 * @generic: a core type's own number of an event, as the session protocol writes it, or NULL:
 *	it has none. Pure. NULL: it has none of these events.
 * @counters: where the kernel chooses a slot's counter: those that can count @config,
 *	one bit each. NULL: there is no need to know. Pure.
 * @serving_slot: the counter that counts @config where @slot was asked for.
 *	Several events of a set may have the same then. NULL: always @slot. Pure.
 * @claim: take the event's slot on one CPU from the kernel's own PMU
 *	arbitration. May sleep. -EAGAIN: others have all counters, and one of them may
 *	be made to release some. -EBUSY: the counter is in use.
 * @fit: the event's slot is claimed on this CPU, for others (bound of struct pmc_core_type):
 *	where the kernel chooses the slot's counter, see to it that it can count this event,
 *	too. May sleep. Return: 0, 1 where the kernel has chosen anew, or -EAGAIN: no such
 *	counter is free. NULL: it always can.
 * @release: give it back. May sleep.
 * @reacquire: reacquire counters that perf has taken away from a CPU. May sleep.
 *	Return: whether none is missing. NULL: none is ever taken away.
 * @claim_extra: have the event's second register hold ev->extra on all CPUs of
 *	the core type, as long as it is claimed. ev->config may become that of
 *	an event which means the same by another register. The event's slot is
 *	claimed. May sleep. NULL where encode refuses such events. -EBUSY: the
 *	register holds something else.
 * @release_extra: give the register back. May sleep.
 * @load: program the events of a set on this CPU and subtract the
 *	counters' values from @cur, which is in the order of set->hw.
 * @unload: add the counters' values to @cur.
 * @arm: make the counter interrupt after @left more events, then every
 *	@period.
 * @disarm: make it count silently; returns events that were left (0 or
 *	less: the period is over and no interrupt will come for it), or @left
 *	when it was not armed.
 * @overflows: look whether armed counters have overflowed, before the
 *	kernel's own driver does; re-arm them and return their slots. NULL
 *	when the driver's report of an overflow (struct pmc_upcalls) will have to do.
 * @pmi: for a backend with an interrupt of its own: take note of the counters
 *	that have overflowed, re-arm them and return the slots whose sampling
 *	period is over.
 * @caliper: fill mask, hw[] and start[] of a caliper page, add to total[]
 *	what start[] leaves out, and return whether all counters can be read
 *	by instruction. NULL unless @direct.
 * @clear_dirty: clear other threads' counts, before user space may read counters
 *	(as perf_clear_dirty_counters()).
 * @user_access: with @user_access_percpu, allow or forbid access on this CPU. When
 *	access begins, counters that nothing uses are cleared.
 * @track_moves: where the kernel's driver may move our counters, or start them anew:
 *	see to it that pages are written anew before user space runs on. May sleep.
 *	Return: 0 or an error. NULL: counters never move.
 * @untrack_moves: undo that. May sleep.
 * @user_policy: where access goes with the address space: 0: no process has it, 1:
 *	processes that have mapped a caliper page, 2: all. May sleep.
 * @user_map: where access goes with the address space: a process has mapped a
 *	caliper page, while the hooks are in force. May sleep.
 * @user_unmap: it has unmapped one. May sleep.
 * @user_fork: current's process has got a child with this address space, which
 *	has none of these pages mapped and has not run yet
 * @suspend: the machine is to be suspended, and this CPU is to lose its counters:
 *	read them. NULL where the kernel's driver sees to that.
 * @resume: the machine is awake again: start the claimed counters again
 * @exit: free what probe made. May sleep.
 *
 * Unless it says that it may sleep, an operation other than encode is called on
 * the CPU concerned with interrupts off, in any context up to NMI.
 */
struct pmu_backend {
	const char *name;
	u64 modes;
	bool direct;
	bool bound;
	bool bound_extra;
	bool exclusive;
	const struct pmu_backend *alone;
	bool user_access_percpu;
	int (*probe)(void);
	int (*encode)(const struct pmc_core_type *ct,
		      const struct pmc_evreq *req,
		      const struct pmc_filters *filters,
		      u64 *config, u64 *slots, struct pmc_err *err);
	const char *(*generic)(const struct pmc_core_type *ct, enum pmc_generic event);
	u64 (*counters)(const struct pmc_core_type *ct, u64 config);
	unsigned int (*serving_slot)(unsigned int slot, u64 config);
	int (*claim)(unsigned int cpu, const struct pmc_hw_event *ev,
		     struct pmc_err *err);
	int (*fit)(unsigned int cpu, const struct pmc_hw_event *ev,
		   struct pmc_err *err);
	void (*release)(unsigned int cpu, unsigned int slot);
	bool (*reacquire)(struct pmc_cpu *cpu);
	int (*claim_extra)(const struct pmc_core_type *ct,
			   struct pmc_hw_event *ev, struct pmc_err *err);
	void (*release_extra)(const struct pmc_core_type *ct,
			      const struct pmc_hw_event *ev);
	pmc_backend_count_t *load;
	pmc_backend_count_t *unload;
	void (*arm)(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
		    s64 left);
	s64 (*disarm)(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
		      s64 left);
	u64 (*overflows)(struct pmc_cpu *cpu, const struct pmc_evset *set);
	u64 (*pmi)(struct pmc_cpu *cpu);
	bool (*caliper)(struct pmc_cpu *cpu, const struct pmc_evset *set,
			struct pmc_caliper_page *page);
	void (*clear_dirty)(struct pmc_cpu *cpu);
	void (*user_access)(bool allow);
	int (*track_moves)(void);
	void (*untrack_moves)(void);
	int (*user_policy)(void);
	void (*user_map)(struct mm_struct *mm);
	void (*user_unmap)(struct mm_struct *mm);
	void (*user_fork)(struct mm_struct *mm);
	void (*suspend)(struct pmc_cpu *cpu);
	void (*resume)(struct pmc_cpu *cpu);
	void (*exit)(void);
};

#endif /* PMC_BACKEND_H */
