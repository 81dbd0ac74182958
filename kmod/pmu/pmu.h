/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The PMU side of the module: core types, event sets placed on counters,
 * and the contract a backend fulfils.
 */
#ifndef PMC_PMU_H
#define PMC_PMU_H

#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/mm_types.h>
#include <linux/static_call.h>
#include <linux/types.h>
#include "base/err.h"
#include "base/parse.h"
#include "include/pmctrack/monitoring_module.h"
#include "pmu/event_set.h"
#include "uapi/pmctrack.h"

struct mm_struct;
struct perf_event;
struct pmc_cpu;
struct pmc_thread;
struct seq_file;

/* Not one event alone, or one with a sampling period or a second register. */
#define PMC_MIXED	U64_MAX

/**
 * struct pmc_core_type - CPUs that are alike
 * @id: index in pmc_core_types[]
 * @name: "big", "little", ... or what core_types= says
 * @pmu: name of the kernel's PMU that serves it, or "none"
 * @cpus: its CPUs
 * @capacity: the kernel's relative capacity (1024 is the biggest)
 * @cpuid: MIDR on Arm, CPUID leaf 1 EAX on x86
 * @native_type: the processor's number of the kind of core; 0: none
 * @native_model: which core of this kind, where it says that
 * @perf_type: perf's number of its PMU
 * @nr_hw: hardware counters: slots 0 to nr_hw - 1; see pmc_first_software
 * @absent: slots below nr_hw that have no counter
 * @fixed: slots that count one event only
 * @fixed_names: what each of them counts, from the lowest slot on
 * @nr_general: counters that are not for one event alone; 0: as many as such slots
 * @interrupts: slots that can raise an overflow interrupt
 * @private_irq: armv8: each CPU has the PMU's interrupt line for itself
 * @event_bits: armv8: width of an event's number
 * @common: architected events 0x0 to 0x3f that it implements, one bit each
 * @common_ext: the same for 0x4000 to 0x403f
 * @common_known: whether the two bitmaps mean anything
 * @users: event sets that are placed on each slot, whether they count or not
 * @sole_config: the event that all of these count there, or PMC_MIXED
 * @claims: event sets that want each slot claimed
 * @kept: slots that stay claimed for a second after their last event set, one bit each
 * @bound: the event that each slot was claimed for; where several use it, and fewer counters
 *	can count one of them than the others, that one
 * @unprivileged: unprivileged sessions that have reserved each slot
 * @syswide: slots that system-wide sessions have for themselves
 * @syswide_pinned: those of them that privileged sessions have, which are never revoked
 */
struct pmc_core_type {
	unsigned int id;
	char name[16];
	char pmu[32];
	cpumask_t cpus;
	unsigned long capacity;
	u32 cpuid;
	u32 native_type;
	u32 native_model;
	u32 perf_type;
	unsigned int nr_hw;
	u64 absent;
	u64 fixed;
	const char *const *fixed_names;
	unsigned int nr_general;
	u64 interrupts;
	bool private_irq;
	unsigned int event_bits;
	u64 common;
	u64 common_ext;
	bool common_known;
	unsigned int users[PMC_MAX_SLOTS];
	u64 sole_config[PMC_MAX_SLOTS];
	unsigned int claims[PMC_MAX_SLOTS];
	u64 kept;
	struct pmc_hw_event bound[PMC_MAX_SLOTS];
	unsigned int unprivileged[PMC_MAX_SLOTS];
	u64 syswide;
	u64 syswide_pinned;
};

extern struct pmc_core_type *pmc_core_types;
extern unsigned int pmc_nr_core_types;

/**
 * struct pmc_filters - which modes count when the event does not say
 */
struct pmc_filters {
	bool user;
	bool kernel;
};

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
 * @user_access_percpu: user space's access to the counters is set on each CPU, and the
 *	kernel's driver takes it away in interrupts
 * @probe: can it work here? Fills nr_hw, fixed, interrupts, common of every
 *	core type. May sleep. -EBUSY: not now, as others use the counters.
 * @encode: one requested event to a config and the slots that can count it.
 *	Pure.
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
 * @user_access: with @user_access_percpu, allow or forbid access on this CPU.
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
	bool user_access_percpu;
	int (*probe)(void);
	int (*encode)(const struct pmc_core_type *ct,
		      const struct pmc_evreq *req,
		      const struct pmc_filters *filters,
		      u64 *config, u64 *slots, struct pmc_err *err);
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

#if defined(CONFIG_X86_64)
/* Processes that are about to get the right to read counters; x86_rdpmc.c */
extern atomic_t pmc_x86_next_readers;

/*
 * May threads of this address space, if it is one, read counters? By a caliper page, or
 * by perf: the count is of both's mappings. It is copied at a fork and stays when there
 * is no mapping any more. A process that is about to get the right may be any. Any context.
 */
static __always_inline bool pmc_user_reads(const struct mm_struct *mm)
{
	/* Plain loads can be operands, which saves two instructions at each switch. */
	return mm && data_race(mm->context.perf_rdpmc_allowed.counter |
			       pmc_x86_next_readers.counter);
}

/* Such a process has to be noticed at each switch while counters are claimed. */
#define PMC_PROCESSES_READ	1
#else
#define PMC_PROCESSES_READ	0
/* Elsewhere the right is not the process's. */
static inline bool pmc_user_reads(const struct mm_struct *mm)
{
	return false;
}
#endif

extern const struct pmu_backend *pmc_backend;

/*
 * The slot of the first software counter; one for each enum pmc_sw. They come
 * behind the hardware counters of all core types, so that a number never means
 * a hardware counter on one core type and a software counter on another.
 */
extern unsigned int pmc_first_software;

/* Its load and unload, without looking them up at each switch. */
DECLARE_STATIC_CALL(pmc_backend_load, pmc_backend_count_t);
DECLARE_STATIC_CALL(pmc_backend_unload, pmc_backend_count_t);

extern const struct pmu_backend pmc_backend_perf;
#ifdef CONFIG_ARM64
extern const struct pmu_backend pmc_backend_armv8;
#endif
#ifdef CONFIG_ARM
extern const struct pmu_backend pmc_backend_armv7;
#endif
#ifdef CONFIG_X86_64
extern const struct pmu_backend pmc_backend_amd;
extern const struct pmu_backend pmc_backend_amd_exclusive;
extern const struct pmu_backend pmc_backend_intel;
extern const struct pmu_backend pmc_backend_intel_exclusive;
extern const struct pmu_backend pmc_backend_knc;
#endif

int pmc_core_types_init(const char *override);
void pmc_core_types_exit(void);
struct pmc_core_type *pmc_core_type_of(unsigned int cpu);
struct pmc_core_type *pmc_core_type_like(unsigned int cpu);
bool pmc_core_type_faster(const struct pmc_core_type *a,
			  const struct pmc_core_type *b);
const char *pmc_generic_event(const struct pmc_core_type *ct,
			      enum pmc_generic event);

/**
 * pmc_next_period - events left of the period in force
 * @left: events that were left of the one that is over: 0 or less
 * @period: sampling period
 *
 * Whole periods that have passed as well are skipped.
 */
static inline s64 pmc_next_period(s64 left, u64 period)
{
	if (unlikely(left <= -(s64)period))
		left += div64_u64(-left, period) * period;
	return left + period;
}

/* Slots of counters that are not for one event alone. */
static inline u64 pmc_general_slots(const struct pmc_core_type *ct)
{
	return ct->nr_hw ? GENMASK_ULL(ct->nr_hw - 1, 0) & ~ct->fixed & ~ct->absent : 0;
}

/* Can't a counter count two different events by turns? @extra: one needs a second register. */
static inline bool pmc_slot_bound(bool extra)
{
	return pmc_backend->bound || (pmc_backend->bound_extra && extra);
}

int pmc_backend_init(const char *wanted, bool exclusive);
void pmc_backend_bind(void);
void pmc_backend_exit(void);

int pmc_claim_slots(struct pmc_core_type *ct, struct pmc_evset *set,
		    struct pmc_err *err);
void pmc_release_slots(struct pmc_core_type *ct, const struct pmc_evset *set, bool keep);
void pmc_release_kept(struct pmc_core_type *ct);
u64 pmc_slots_bound_by(const struct pmc_core_type *ct, const struct pmc_evset *set);
void pmc_bind_slots(struct pmc_core_type *ct, const struct pmc_evset *set, u64 slots,
		    u64 *unbound);
extern unsigned int pmc_nr_claims;
int pmc_claim_cpu(unsigned int cpu);
void pmc_release_cpu(unsigned int cpu);

#endif /* PMC_PMU_H */
