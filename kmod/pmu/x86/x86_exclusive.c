// SPDX-License-Identifier: GPL-2.0
/*
 * x86 counters at a switch, which are all ours while one of them is claimed
 * (x86_exclusive_claim.c). They run from claim to release: a thread's count is
 * the difference between two values, so that a switch writes no register
 * unless the event changes.
 *
 * Every counter is set to overflow, after half of its range at the latest: its
 * sum, which has 64 bits, is updated then.
 *
 * The PMU's interrupt is an NMI, which can't be masked. While a hook is at work its
 * handler changes no counter, and runs again when the hook is done.
 */
#include "base/percpu.h"
#include "pmu/event_set.h"
#include "pmu/x86/x86_encode.h"
#include "pmu/x86/x86_exclusive.h"
#include "pmu/x86/x86_late_nmi.h"
#include "pmu/x86/x86_pmu.h"
#include "pmu/x86/x86_regs.h"
#include "uapi/pmctrack.h"

/* IA32_FIXED_CTR_CTRL has four bits for each counter (SDM 3B, figure 20-2). */
#define FIXED_CTR_CTRL		0x38d
#define FIXED_OS		BIT_ULL(0)
#define FIXED_USR		BIT_ULL(1)
#define FIXED_ANY		BIT_ULL(2)
#define FIXED_PMI		BIT_ULL(3)
#define FIXED_BITS		4
/* Fixed counter 0's bit in the global registers. */
#define FIXED_BIT		32

DEFINE_PER_CPU(struct pmc_x86_cpu, pmc_x86_cpus);

static __always_inline u64 value_of(const struct pmc_x86_cpu *x,
				    unsigned int slot)
{
	u64 now = pmc_x86_rdpmc(x->rdpmc[slot]);
	u64 value = x->count[slot] + ((now - x->prev[slot]) & x->mask);

	/* To be added as it is, not part by part. */
	OPTIMIZER_HIDE_VAR(value);
	return value;
}

/**
 * pmc_x86_write_event - let a counter count something else
 * @x: this CPU
 * @slot: counter
 * @config: what, as encoded; 0: nothing
 *
 * Context: Interrupts off, in a hook.
 */
void pmc_x86_write_event(struct pmc_x86_cpu *x, unsigned int slot, u64 config)
{
	const struct pmc_x86_counter *counter = &x->pmu->counter[slot];
	unsigned int shift;
	u64 field = 0;

	x->slot[slot].config = config;
	if (counter->ctl) {
		if (config)
			config |= PMC_X86_ENABLE | PMC_X86_INT;
		pmc_x86_wrmsr(counter->ctl, config);
		return;
	}
	if (config)
		field = (config & PMC_X86_OS ? FIXED_OS : 0) |
			(config & PMC_X86_USR ? FIXED_USR : 0) |
			(config & PMC_X86_ANY ? FIXED_ANY : 0) | FIXED_PMI;
	shift = (counter->bit - FIXED_BIT) * FIXED_BITS;
	x->fixed_ctrl &= ~((BIT_ULL(FIXED_BITS) - 1) << shift);
	x->fixed_ctrl |= field << shift;
	pmc_x86_wrmsr(FIXED_CTR_CTRL, x->fixed_ctrl);
}

/**
 * pmc_x86_update - add a counter's events to its sum
 * @x: this CPU
 * @slot: counter
 *
 * Context: Interrupts off, in a hook, or NMI.
 */
void pmc_x86_update(struct pmc_x86_cpu *x, unsigned int slot)
{
	u64 now = pmc_x86_rdpmc(x->rdpmc[slot]);
	u64 events = (now - x->prev[slot]) & x->mask;

	x->count[slot] += events;
	x->slot[slot].left -= events;
	x->prev[slot] = now;
}

/* Until a counter's period is over, or part of it, if that is more than it can be set to. */
static u64 next_step(const struct pmc_x86_cpu *x, unsigned int slot)
{
	const struct pmc_x86_slot *c = &x->slot[slot];
	u64 step = x->pmu->max_step;

	/* @left keeps count. */
	if (c->period && c->left > 0)
		step = pmc_x86_limit_left(c->config, c->left, x->pmu->min_step, step);
	return step;
}

/**
 * pmc_x86_set_period - set a counter to overflow when its period is over
 * @x: this CPU
 * @slot: counter, just updated
 *
 * Context: Interrupts off, in a hook, or NMI.
 */
void pmc_x86_set_period(struct pmc_x86_cpu *x, unsigned int slot)
{
	x->prev[slot] = -next_step(x, slot) & x->mask;
	pmc_x86_wrmsr(x->pmu->counter[slot].msr, x->prev[slot]);
}

/**
 * pmc_x86_set_period_running - the same, with the events since the update
 * @x: this CPU
 * @slot: counter, updated just before
 *
 * Context: Interrupts off, in a hook, or NMI.
 */
void pmc_x86_set_period_running(struct pmc_x86_cpu *x, unsigned int slot)
{
	u64 updated = x->prev[slot], step = next_step(x, slot), since;

	x->prev[slot] = -step & x->mask;
	since = (pmc_x86_rdpmc(x->rdpmc[slot]) - updated) & x->mask;
	/* It is not to be past its overflow, which would not be heard of. */
	pmc_x86_wrmsr(x->pmu->counter[slot].msr,
		      x->prev[slot] + min(since, step - 2));
}

static __always_inline void load(const struct pmc_x86_cpu *x,
				 const struct pmc_evset *set, u64 *cur)
{
	unsigned long i = set->nr_hw;

	while (i--)
		cur[i] -= value_of(x, set->slot[i]);
}

static noinline void program_and_load(const struct pmc_evset *set, u64 *cur,
				      struct pmc_cpu *cpu,
				      struct pmc_x86_cpu *x)
{
	const struct pmc_hw_event *ev = set->hw, *end = ev + set->nr_hw;

	for (; ev < end; ev++)
		if (x->slot[ev->slot].config != ev->config)
			pmc_x86_write_event(x, ev->slot, ev->config);
	cpu->programmed = set->id;
	load(x, set, cur);
}

void notrace pmc_x86_load(const struct pmc_evset *set, u64 *cur,
			  struct pmc_cpu *cpu)
{
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);

	if (unlikely(cpu->programmed != set->id))
		program_and_load(set, cur, cpu, x);
	else
		load(x, set, cur);
}

void notrace pmc_x86_unload(const struct pmc_evset *set, u64 *cur,
			    struct pmc_cpu *cpu)
{
	const struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	unsigned long i = set->nr_hw;

	while (i--)
		cur[i] += value_of(x, set->slot[i]);
}

void pmc_x86_arm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev, s64 left)
{
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	struct pmc_x86_slot *c = &x->slot[ev->slot];

	pmc_x86_update(x, ev->slot);
	c->period = ev->ebs;
	c->left = left;
	pmc_x86_set_period(x, ev->slot);
	cpu->armed |= BIT_ULL(ev->slot);
}

s64 pmc_x86_disarm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev, s64 left)
{
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	struct pmc_x86_slot *c = &x->slot[ev->slot];

	cpu->armed &= ~BIT_ULL(ev->slot);
	if (!c->period)
		return left;
	pmc_x86_update(x, ev->slot);
	left = c->left;
	c->period = 0;
	/* The period is over, or may be at any moment: its overflow must not be reported. */
	if (left <= 0 || (x->pmu->scan && pmc_x86_in_flight(c->config, left)))
		pmc_x86_forget_overflow(x, ev->slot);
	pmc_x86_set_period(x, ev->slot);
	return left;
}

bool pmc_x86_caliper(struct pmc_cpu *cpu, const struct pmc_evset *set,
		     struct pmc_caliper_page *page)
{
	const struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	unsigned int i, pos;

	page->mask = x->mask;
	for (i = 0; i < set->nr_hw; i++) {
		unsigned int slot = set->slot[i];

		if (!(x->pmu->rdpmc_bits & BIT_ULL(x->pmu->counter[slot].bit)))
			return false;
		pos = set->pos[i];
		page->hw[pos] = pmc_x86_caliper_name(x->rdpmc[slot]);
		page->start[pos] = x->prev[slot];
		page->total[pos] += x->count[slot];
	}
	return true;
}

/*
 * A process that may read one counter may read them all: those in use start
 * anew, except those that are to interrupt; the others are 0 (x86_exclusive_claim.c).
 */
void pmc_x86_clear_dirty(struct pmc_cpu *cpu)
{
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	u64 slots = x->used & ~cpu->armed;

	for (; slots; slots &= slots - 1) {
		unsigned int slot = __ffs64(slots);

		pmc_x86_update(x, slot);
		pmc_x86_set_period(x, slot);
	}
}
