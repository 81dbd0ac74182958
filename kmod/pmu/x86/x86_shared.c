// SPDX-License-Identifier: GPL-2.0
/*
 * x86 counters beside perf. Each one is held through a pinned counter of the kernel's
 * (kcounter.c), so that perf hands it out, and between claim and release this file
 * programs, reads and re-arms it by register, wherever perf has put it.
 *
 * The one invariant, which perf's driver keeps whenever it updates, moves or re-arms a
 * counter, and so does this file: for each slot's kernel counter e, at any moment but in
 * the middle of either's work,
 *
 *	e->count + ((physical counter - e->hw.prev_count) & mask)
 *
 * is the number of events since the claim, and e->hw.config is what the counter counts.
 * While e->hw.state has PERF_HES_UPTODATE the event is not on the PMU, and e->count is all.
 *
 * Counters run from claim to release. A thread's count is the difference between two
 * values, so that a switch writes no register unless the event changes.
 *
 * perf chooses a physical counter by the event that the kernel counter had when perf added
 * it, and moves it among the counters for that event, which may be fixed ones. Another event
 * that has been programmed since then may count nothing there, or the fixed counter's own
 * event instead. perf clears hw.state when it starts a counter, and so IN_PLACE.
 *
 * The driver works with interrupts off, as hooks do, except in the PMU's interrupt, an NMI,
 * which may interrupt both. set_period() keeps it off a counter.
 */
#include <linux/err.h>
#include <linux/perf_event.h>
#include "base/percpu.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/kcounter.h"
#include "pmu/period.h"
#include "pmu/x86/x86_encode.h"
#include "pmu/x86/x86_perf_moves.h"
#include "pmu/x86/x86_pmu.h"
#include "pmu/x86/x86_rdpmc.h"
#include "pmu/x86/x86_regs.h"
#include "pmu/x86/x86_shared.h"
#include "uapi/pmctrack.h"

/* hw.idx of the first fixed counter: INTEL_PMC_IDX_FIXED. */
#define FIRST_FIXED	32

/* AMD: counts in guests only, or in the host only (APM volume 2, 13.2.1). */
#define VIRTUAL_BITS	GENMASK_ULL(41, 40)

/*
 * User mode reads 0 from such a counter. perf's driver sets the bit in counters that count
 * more than one task, where the processor has it (CPUID leaf 0x23), from 7.0 on.
 */
#define RDPMC_USER_DISABLE	BIT_ULL(37)

/*
 * In hw.state, where perf's driver has no such bit: this counter can count what is programmed.
 * Nothing else is set while it counts.
 */
#define IN_PLACE	BIT(16)
static_assert(!(IN_PLACE & (PERF_HES_STOPPED | PERF_HES_UPTODATE | PERF_HES_ARCH)));

/* The same for all core types, as in perf's driver. */
static u64 counter_mask;
static s64 min_left;
static s64 max_left;

DEFINE_PER_CPU(u64 [PMC_X86_MAX_SLOTS], pmc_x86_misplaced);

static __always_inline bool off_pmu(const struct perf_event *e)
{
	return e->hw.state & PERF_HES_UPTODATE;
}

/*
 * local64_read() is a load; this can be the operand of another instruction. To be used
 * between barriers.
 */
static __always_inline u64 plain(const local64_t *value)
{
	return *(const u64 *)value;
}

static __always_inline bool in_place(const struct perf_event *e)
{
	return e->hw.state == IN_PLACE;
}

/*
 * The event is on the PMU. Where an NMI comes in between, it updates the count by one event
 * at least.
 */
static __always_inline u64 value_of(const struct perf_event *e)
{
	u64 count, value;

	do {
		count = local64_read(&e->count);
		barrier();
		value = (pmc_x86_rdpmc(e->hw.event_base_rdpmc) -
			 plain(&e->hw.prev_count)) & counter_mask;
		/* A barrier, behind the difference: fewer values at a time need fewer registers. */
		asm volatile("" : "+r" (value) : : "memory");
	} while (unlikely(count != plain(&e->count)));
	return count + value;
}

/*
 * Updates e->count and ends a period. The counter overflows after @left more events, or after a
 * part of them: the driver then goes on in steps. The event is on the PMU.
 *
 * The driver's NMI neither reads nor writes an event without a register (as that of
 * Intel's BTS): the event has none meanwhile. That of AMD's drivers updates all events,
 * whichever counter has overflowed.
 *
 * Return: events of the period before that were left.
 */
static s64 set_period(struct perf_event *e, u64 period, s64 left)
{
	struct hw_perf_event *hw = &e->hw;
	unsigned long base = hw->event_base;
	u64 events;
	s64 before;

	WRITE_ONCE(hw->event_base, 0);
	barrier();
	hw->sample_period = period;
	hw->last_period = period;
	events = (pmc_x86_rdpmc(hw->event_base_rdpmc) -
		  local64_read(&hw->prev_count)) & counter_mask;
	before = local64_read(&hw->period_left) - events;
	local64_set(&hw->period_left, left);
	left = pmc_x86_limit_left(hw->config, left, min_left, max_left);
	pmc_x86_wrmsr(base, -left & counter_mask);
	local64_set(&hw->prev_count, -left);
	local64_add(events, &e->count);
	barrier();
	WRITE_ONCE(hw->event_base, base);
	return before;
}

/* Events of the period in force that are left. As in value_of(), an NMI may come in between. */
static s64 period_left(const struct perf_event *e)
{
	s64 left;
	u64 events;

	do {
		left = local64_read(&e->hw.period_left);
		if (off_pmu(e))
			return left;
		barrier();
		events = (pmc_x86_rdpmc(e->hw.event_base_rdpmc) -
			  local64_read(&e->hw.prev_count)) & counter_mask;
		barrier();
	} while (unlikely(left != local64_read(&e->hw.period_left)));
	return left - events;
}

/* Return: see set_period(). */
static s64 change_period(struct perf_event *e, u64 period, s64 left)
{
	s64 before;

	if (!off_pmu(e))
		return set_period(e, period, left);
	before = local64_read(&e->hw.period_left);
	e->hw.sample_period = period;
	e->hw.last_period = period;
	local64_set(&e->hw.period_left, left);
	return before;
}

/* Can the counter that perf has chosen count this? */
static bool suits(const struct pmc_x86_pmu *pmu, const struct perf_event *e,
		  const struct pmc_hw_event *ev)
{
	return BIT_ULL(pmc_x86_slot_of(pmu, e)) & ev->counters;
}

/* The bits that are not the event's are perf's. */
static __always_inline u64 config_of(const struct pmc_x86_pmu *pmu, const struct perf_event *e,
				     const struct pmc_hw_event *ev)
{
	u64 config = pmc_x86_kernel_config(&pmu->layout, ev->config);

	/* perf has taken one of a pair of registers, and the event that goes with it. */
	if (ev->extra)
		config = (config & ~0xffffULL) | (e->hw.config & 0xffff);
	return config | (e->hw.config & ~PMC_X86_EVENT_BITS);
}

/*
 * By slot of a CPU: where the slot was when it was last in place. Each entry of perf's list
 * of a CPU's events has tags of its own. Whenever perf gives the entry's event a counter, also
 * the same one because the event has come to another entry, it counts the entry's tag up.
 */
static DEFINE_PER_CPU(u64 [PMC_X86_MAX_SLOTS], last_place);

static u64 place_of(const struct perf_event *e)
{
	return (u64)e->hw.last_tag << 8 | (u8)e->hw.idx;
}

/* No more is asked until perf starts the counter again. An NMI may stop it meanwhile. */
static void set_in_place(struct perf_event *e, const struct pmc_hw_event *ev)
{
	this_cpu_write(last_place[ev->slot], place_of(e));
	cmpxchg_local(&e->hw.state, 0, IN_PLACE);
}

/* May the event have been on a counter that cannot count it, and be back? */
static bool was_away(const struct pmc_core_type *ct, const struct perf_event *e,
		     const struct pmc_hw_event *ev)
{
	return pmc_general_slots(ct) & ~ev->counters &&
	       place_of(e) != this_cpu_read(last_place[ev->slot]);
}

/* perf has started the counter. Has it counted this event, as programmed before? */
static bool still_counts(const struct pmc_core_type *ct, struct perf_event *e,
			 const struct pmc_hw_event *ev)
{
	const struct pmc_x86_pmu *pmu = pmc_x86_pmu_of(ct);

	if (off_pmu(e) || !suits(pmu, e, ev) || e->hw.config != config_of(pmu, e, ev) ||
	    was_away(ct, e, ev))
		return false;
	set_in_place(e, ev);
	return true;
}

/*
 * Fixed counters' bits are in one register, of which perf's driver has a copy; and
 * whether AMD's bits of virtualization may be set is for it to know.
 */
static void program_by_perf(struct perf_event *e, u64 config)
{
	struct pmu *pmu = e->pmu;
	/*
	 * Drivers with a global register have stopped all counters in their own interrupt, till
	 * the end of that. The others enable and disable a counter there without stopping all.
	 */
	bool own = in_nmi();

	if (!own)
		pmu->pmu_disable(pmu);
	pmu->stop(e, PERF_EF_UPDATE);
	e->hw.config = config;
	pmu->start(e, PERF_EF_RELOAD);
	if (!own)
		pmu->pmu_enable(pmu);
}

/**
 * pmc_x86_shared_write - have a counter count another event
 * @e: its kernel counter, of this CPU
 * @config: what hw.config is to be
 *
 * Context: Interrupts off.
 */
void pmc_x86_shared_write(struct perf_event *e, u64 config)
{
	struct hw_perf_event *hw = &e->hw;

	if (hw->config == config)
		return;
	if (off_pmu(e)) {
		hw->config = config;
	} else if (hw->idx >= FIRST_FIXED || config & VIRTUAL_BITS) {
		program_by_perf(e, config);
	} else {
		hw->config = config;
		pmc_x86_wrmsr(hw->config_base, config | PMC_X86_ENABLE);
	}
}

static void program(struct pmc_cpu *cpu, struct perf_event *e,
		    const struct pmc_hw_event *ev)
{
	const struct pmc_x86_pmu *pmu = pmc_x86_pmu_of(cpu->ct);
	u64 config = config_of(pmu, e, ev);

	if (likely(!off_pmu(e) && suits(pmu, e, ev))) {
		pmc_x86_shared_write(e, config);
		set_in_place(e, ev);
		return;
	}
	cpu->lost = true;
	cpu->programmed = 0;
	if (off_pmu(e)) {
		pmc_x86_shared_write(e, config);
		return;
	}
	/* Rather nothing than something else; nor does that remain in the count. */
	cmpxchg_local(&e->hw.state, IN_PLACE, 0);
	pmc_x86_shared_write(e, config & ~(PMC_X86_USR | PMC_X86_OS));
	change_period(e, PMC_NEVER, PMC_NEVER);
	this_cpu_write(pmc_x86_misplaced[ev->slot], config);
}

/* perf has started the counter, or taken it off the PMU. */
static noinline u64 value_at_load(struct pmc_cpu *cpu, struct perf_event *e,
				  const struct pmc_hw_event *ev)
{
	program(cpu, e, ev);
	return off_pmu(e) ? local64_read(&e->count) : value_of(e);
}

/* Before perf moved it to where it counts something else, perf updated its count. */
static noinline u64 value_at_unload(struct pmc_cpu *cpu, struct perf_event *e,
				    const struct pmc_hw_event *ev)
{
	if (still_counts(cpu->ct, e, ev))
		return value_of(e);
	cpu->lost = true;
	return local64_read(&e->count);
}

/*
 * The rest of a set, from one on whose counter perf has started. A function of its own, and
 * called last: the others need no stack.
 */
static noinline void load_rest(const struct pmc_evset *set, u64 *cur, struct pmc_cpu *cpu,
			       unsigned long i)
{
	while (i--) {
		struct perf_event *e = cpu->ev[set->slot[i]];

		cur[i] -= in_place(e) ? value_of(e) : value_at_load(cpu, e, &set->hw[i]);
	}
}

static noinline void unload_rest(const struct pmc_evset *set, u64 *cur, struct pmc_cpu *cpu,
				 unsigned long i)
{
	while (i--) {
		struct perf_event *e = cpu->ev[set->slot[i]];

		cur[i] += in_place(e) ? value_of(e) : value_at_unload(cpu, e, &set->hw[i]);
	}
}

static noinline void program_and_load(const struct pmc_evset *set, u64 *cur,
				      struct pmc_cpu *cpu)
{
	const struct pmc_hw_event *ev = set->hw, *end = ev + set->nr_hw;

	for (; ev < end; ev++)
		program(cpu, cpu->ev[ev->slot], ev);
	/* Events that have found no place are tried again. */
	cpu->programmed = cpu->lost ? 0 : set->id;
	load_rest(set, cur, cpu, set->nr_hw);
}

/* Is another set programmed, with the same events on the same counters? */
static __always_inline bool is_programmed(const struct pmc_evset *set, const struct pmc_cpu *cpu)
{
	const struct pmc_x86_pmu *pmu = pmc_x86_pmu_of(cpu->ct);
	const struct pmc_hw_event *ev = set->hw, *end = ev + set->nr_hw;

	for (; ev < end; ev++) {
		const struct perf_event *e = cpu->ev[ev->slot];

		if (!in_place(e) || e->hw.config != config_of(pmu, e, ev))
			return false;
	}
	return true;
}

void notrace pmc_x86_shared_load(const struct pmc_evset *set, u64 *cur,
				 struct pmc_cpu *cpu)
{
	unsigned long i = set->nr_hw;

	if (unlikely(cpu->programmed != set->id)) {
		if (!is_programmed(set, cpu)) {
			program_and_load(set, cur, cpu);
			return;
		}
		cpu->programmed = set->id;
	}
	while (i--) {
		const struct perf_event *e = cpu->ev[set->slot[i]];

		if (unlikely(!in_place(e))) {
			load_rest(set, cur, cpu, i + 1);
			return;
		}
		cur[i] -= value_of(e);
	}
}

void notrace pmc_x86_shared_unload(const struct pmc_evset *set, u64 *cur,
				   struct pmc_cpu *cpu)
{
	unsigned long i = set->nr_hw;

	while (i--) {
		const struct perf_event *e = cpu->ev[set->slot[i]];

		if (unlikely(!in_place(e))) {
			unload_rest(set, cur, cpu, i + 1);
			return;
		}
		cur[i] += value_of(e);
	}
}

/*
 * The kernel complains of an NMI for which perf finds nothing. When perf stops all counters it
 * waits for an NMI that is on its way. Return: the counters are to be started again.
 */
static bool wait_for_nmi(const struct pmc_cpu *cpu, struct perf_event *e)
{
	if (likely(pmc_x86_pmu_of(cpu->ct)->global_status) || in_nmi() ||
	    !pmc_x86_in_flight(e->hw.config, period_left(e)))
		return false;
	e->pmu->pmu_disable(e->pmu);
	return true;
}

/*
 * A short rest may have ended in set_period(), by the kernel's own instructions. The NMI found
 * no register then, and the counter raises no other until it has counted all that it can.
 */
static noinline void end_if_over(const struct pmc_cpu *cpu, struct perf_event *e,
				 const struct pmc_hw_event *ev)
{
	bool waited;
	s64 left;

	if (period_left(e) > 0)
		return;
	waited = wait_for_nmi(cpu, e);
	left = period_left(e);
	if (left <= 0) {
		this_cpu_or(pmc_cpus.deferred, BIT_ULL(ev->slot));
		change_period(e, ev->ebs, pmc_next_period(left, ev->ebs));
	}
	if (waited)
		e->pmu->pmu_enable(e->pmu);
}

void pmc_x86_shared_arm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
			s64 left)
{
	struct perf_event *e = cpu->ev[ev->slot];

	change_period(e, ev->ebs, left);
	if (unlikely(pmc_x86_in_flight(e->hw.config, left)) && !off_pmu(e))
		end_if_over(cpu, e, ev);
}

s64 pmc_x86_shared_disarm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
			  s64 left)
{
	struct perf_event *e = cpu->ev[ev->slot];
	bool waited;

	if (e->hw.sample_period == PMC_NEVER)
		return left;
	waited = wait_for_nmi(cpu, e);
	left = change_period(e, PMC_NEVER, PMC_NEVER);
	if (waited)
		e->pmu->pmu_enable(e->pmu);
	return left - pmc_kcounter_take_back(cpu, ev);
}

/* May user mode read the counter that perf has chosen, wherever the thread is by then? */
static bool user_reads(const struct pmc_x86_pmu *pmu, const struct perf_event *e)
{
	return pmu->rdpmc_bits & BIT_ULL(e->hw.idx) && !(e->hw.config & RDPMC_USER_DISABLE);
}

bool pmc_x86_shared_caliper(struct pmc_cpu *cpu, const struct pmc_evset *set,
			    struct pmc_caliper_page *page)
{
	const struct pmc_x86_pmu *pmu = pmc_x86_pmu_of(cpu->ct);
	unsigned int i, pos;
	u64 count;

	if (!pmc_x86_track_moves_here())
		return false;
	for (i = 0; i < set->nr_hw; i++) {
		struct perf_event *e = cpu->ev[set->slot[i]];

		pos = set->pos[i];
		do {
			count = local64_read(&e->count);
			if ((!in_place(e) && !still_counts(cpu->ct, e, &set->hw[i])) ||
			    !user_reads(pmu, e))
				return false;
			page->hw[pos] = pmc_x86_caliper_name(e->hw.event_base_rdpmc);
			page->start[pos] = local64_read(&e->hw.prev_count) & counter_mask;
			barrier();
		} while (count != local64_read(&e->count));
		page->total[pos] += count;
	}
	page->mask = counter_mask;
	return !cpu->lost;
}

/*
 * A process that may read one counter may read them all: ours start anew, except those
 * that are to interrupt. perf writes 0 to counters that it no longer uses.
 */
void pmc_x86_shared_clear_dirty(struct pmc_cpu *cpu)
{
	unsigned int slot, nr = pmc_x86_pmu_of(cpu->ct)->nr;

	for (slot = 0; slot < nr; slot++) {
		struct perf_event *e = READ_ONCE(cpu->ev[slot]);

		if (e && e->hw.sample_period == PMC_NEVER && !off_pmu(e))
			set_period(e, PMC_NEVER, PMC_NEVER);
	}
}

/**
 * pmc_x86_shared_init - when the backend is chosen
 *
 * Context: May sleep.
 */
void pmc_x86_shared_init(void)
{
	unsigned int i;

	counter_mask = U64_MAX;
	min_left = PMC_X86_LEAST_LEFT;
	max_left = S64_MAX;
	for (i = 0; i < pmc_nr_core_types; i++) {
		const struct pmc_x86_pmu *pmu = pmc_x86_pmu_of(&pmc_core_types[i]);

		counter_mask &= pmu->mask;
		min_left = max_t(s64, min_left, pmu->min_step);
		max_left = min_t(s64, max_left, pmu->max_step - 1);
	}
	pmc_x86_msr_trace_init();
	pmc_x86_hook_mappings();
}

/* Context: May sleep. No session is left. */
void pmc_x86_shared_exit(void)
{
	pmc_x86_unhook_mappings();
	pmc_x86_msr_trace_exit();
	pmc_x86_pmu_exit();
}
