// SPDX-License-Identifier: GPL-2.0
/*
 * Claiming counters beside perf, and having perf place them anew. perf chooses a counter by
 * the event that a kernel counter has when perf adds it. A slot counts other events later,
 * which may be for fewer counters.
 *
 * So perf is asked for the counter that the slot is named after, which can count all events
 * of the slot. Where another user has that one, perf chooses any that can count the slot's
 * event for the fewest counters (bound of struct pmc_core_type). Whenever a new event comes,
 * perf may move all, by what each kernel counter counts at the time: another event of the
 * slot may find itself on a counter that cannot count it. Then the slot is placed anew in the
 * same way, and so are those of the CPU's others that perf would place by another event.
 */
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <base/compat.h>
#include "base/err.h"
#include "base/percpu.h"
#include "base/pmu_callbacks.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/kcounter.h"
#include "pmu/x86/intel_extra.h"
#include "pmu/x86/x86_encode.h"
#include "pmu/x86/x86_pmu.h"
#include "pmu/x86/x86_regs.h"
#include "pmu/x86/x86_shared.h"
#include "pmu/x86/x86_shared_claim.h"

/*
 * An architectural event that every general counter can count, and no fixed counter (SDM
 * volume 3B, 20.2.1.2, "Branch Instructions Retired"). A general slot is claimed with this
 * event if perf could place the session's event on a fixed counter.
 */
#define ANY_GENERAL	0xc4

u64 pmc_x86_shared_counters(const struct pmc_core_type *ct, u64 config)
{
	const struct pmc_x86_layout *layout = &pmc_x86_pmu_of(ct)->layout;

	return pmc_x86_counters(layout, pmc_x86_kernel_config(layout, config));
}

static struct perf_event_attr attr_of(unsigned int cpu, u64 config, u64 extra)
{
	return (struct perf_event_attr){
		.type = per_cpu(pmc_cpus, cpu).ct->perf_type,
		.config = config & PMC_X86_EVENT_BITS & ~(PMC_X86_USR | PMC_X86_OS),
		.config1 = extra,
		.exclude_user = !(config & PMC_X86_USR),
		.exclude_kernel = !(config & PMC_X86_OS),
	};
}

static int own_idx(const struct pmc_core_type *ct, unsigned int slot)
{
	return pmc_x86_pmu_of(ct)->counter[slot].bit;
}

static int create(unsigned int cpu, const struct pmc_hw_event *ev, u64 config,
		  u64 extra, struct pmc_err *err)
{
	struct perf_event_attr attr = attr_of(cpu, config, extra);
	int idx = own_idx(per_cpu(pmc_cpus, cpu).ct, ev->slot);

	return pmc_kcounter_create(cpu, ev->slot, idx, &attr, err);
}

/* What perf is to choose a slot's counter by */
static u64 placing_config(const struct pmc_core_type *ct, const struct pmc_hw_event *ev)
{
	const struct pmc_x86_layout *layout = &pmc_x86_pmu_of(ct)->layout;
	u64 config = pmc_x86_kernel_config(layout, ev->config);

	/* A kernel counter on a fixed counter can't count another event. */
	if (!(ct->fixed & BIT_ULL(ev->slot)) && pmc_x86_perf_may_fix(layout, config))
		return ANY_GENERAL;
	/* By its own event perf knows which counters can count it. */
	return config;
}

/* Also an event whose second register, or its twin, has the wanted value. */
static int claim(unsigned int cpu, const struct pmc_hw_event *ev, struct pmc_err *err)
{
	const struct pmc_core_type *ct = per_cpu(pmc_cpus, cpu).ct;

	return create(cpu, ev, placing_config(ct, ev), ev->extra, err);
}

struct trial {
	u32 msr;
	u64 value;
	bool taken;
};

static void try_here(void *info)
{
	struct trial *t = info;
	u64 before, now;

	if (rdmsrq_safe(t->msr, &before) || wrmsrq_safe(t->msr, t->value))
		return;
	t->taken = !rdmsrq_safe(t->msr, &now) && now == t->value;
	pmc_x86_wrmsr(t->msr, before);
}

/*
 * perf writes values that it believes to be valid, and the kernel complains where they are
 * not. An emulated register may take any value and hold none. For the time of two
 * instructions an event of perf's with another value in the register counts something else.
 * A value that perf does not believe to be valid is not tried.
 */
static bool is_taken(unsigned int cpu, u32 msr, const struct pmc_hw_event *ev)
{
	struct perf_event_attr attr = attr_of(cpu, ev->config, ev->extra);
	struct trial t = { .msr = msr, .value = ev->extra };

	return !pmc_kcounter_try(cpu, &attr) &&
	       !smp_call_function_single(cpu, try_here, &t, 1) && t.taken;
}

/* Return: the counter can be had, so that the second register is the reason. */
static bool has_counter(unsigned int cpu, const struct pmc_hw_event *ev)
{
	struct pmc_err unused = { };

	if (create(cpu, ev, ANY_GENERAL, 0, &unused))
		return false;
	pmc_kcounter_release(cpu, ev->slot);
	return true;
}

static int claim_with_extra(unsigned int cpu, const struct pmc_hw_event *ev,
			    struct pmc_err *err)
{
	const struct pmc_core_type *ct = per_cpu(pmc_cpus, cpu).ct;
	const struct pmc_x86_layout *layout = &pmc_x86_pmu_of(ct)->layout;
	const struct pmc_intel_extra_event *event =
		pmc_intel_extra_find(layout->extras, ev->config & 0xff,
				     ev->config >> 8 & 0xff);
	u32 msr = pmc_intel_extra_msr[event->reg];
	int ret = is_taken(cpu, msr, ev) ? claim(cpu, ev, err) : -EINVAL;

	if (!ret && !per_cpu(pmc_cpus, cpu).ev[ev->slot]->hw.extra_reg.reg) {
		pmc_kcounter_release(cpu, ev->slot);
		return pmc_err(err, -EINVAL,
			       "extra=0x%llx: this kernel does not know that the event of core type %u (%s) has register 0x%x: take a newer kernel, or exclusive=1",
			       ev->extra, ct->id, ct->name, msr);
	}
	if (ret == -EAGAIN && has_counter(cpu, ev))
		return pmc_err(err, -EBUSY,
			       "extra=0x%llx: register 0x%x of core type %u (%s) holds another value for another event, maybe perf's: count one after the other",
			       ev->extra, msr, ct->id, ct->name);
	if (ret == -EINVAL)
		return pmc_err(err, ret,
			       "extra=0x%llx: register 0x%x of core type %u (%s) does not take this value",
			       ev->extra, msr, ct->id, ct->name);
	return ret;
}

int pmc_x86_shared_claim(unsigned int cpu, const struct pmc_hw_event *ev,
			 struct pmc_err *err)
{
	per_cpu(pmc_x86_misplaced, cpu)[ev->slot] = 0;
	return ev->extra ? claim_with_extra(cpu, ev, err) : claim(cpu, ev, err);
}

/* perf's driver has reserved the register for the event when the slot was claimed. */
int pmc_x86_shared_claim_extra(const struct pmc_core_type *ct,
			       struct pmc_hw_event *ev, struct pmc_err *err)
{
	return 0;
}

void pmc_x86_shared_release_extra(const struct pmc_core_type *ct,
				  const struct pmc_hw_event *ev)
{
}

/**
 * struct placing - kernel counters that are placed anew
 * @cpu: where
 * @slots: their slots, one bit each
 * @more: an event that is to be counted, too; NULL: none
 * @config: of each slot, what perf chooses by
 * @was: what it counted before
 */
static struct placing {
	struct pmc_cpu *cpu;
	u64 slots;
	const struct pmc_hw_event *more;
	u64 config[PMC_X86_MAX_SLOTS];
	u64 was[PMC_X86_MAX_SLOTS];
} placing; /* Under pmc_cpus_lock. */

/* An event that no counter counts. The bits that are not the event's are perf's. */
static u64 silent(u64 was, u64 config)
{
	return (was & ~PMC_X86_EVENT_BITS) |
	       (config & PMC_X86_EVENT_BITS & ~(PMC_X86_USR | PMC_X86_OS));
}

static bool same_event(u64 a, u64 b)
{
	return !((a ^ b) & PMC_X86_EVENT_BITS & ~(PMC_X86_USR | PMC_X86_OS));
}

static u64 choose_by(const struct placing *p, unsigned int slot, u64 misplaced_event)
{
	const struct pmc_core_type *ct = p->cpu->ct;
	const struct pmc_hw_event *bound = &ct->bound[slot];
	u64 counters = pmc_x86_counters(&pmc_x86_pmu_of(ct)->layout, misplaced_event);

	if (p->more && p->more->slot == slot && !(p->more->counters & ~bound->counters))
		bound = p->more;
	/* Neither event has all counters of the other: the one that has missed events is next. */
	if (misplaced_event && bound->counters & ~counters)
		return misplaced_event;
	return placing_config(ct, bound);
}

/* On the CPU, where the counters are off. */
static void prepare_here(void *info)
{
	struct placing *p = info;
	const struct pmc_core_type *ct = p->cpu->ct;
	u64 left;

	/*
	 * Threads that are loaded miss events. Those that are loaded from here on find the
	 * counter off. A sample that is due may program it: so before anything else.
	 */
	for (left = p->slots; left; left &= left - 1)
		pmc_upcalls->missed(p->cpu, __ffs64(left));
	for (left = p->slots; left; left &= left - 1) {
		unsigned int slot = __ffs64(left);
		struct perf_event *e = p->cpu->ev[slot];
		u64 missed = this_cpu_xchg(pmc_x86_misplaced[slot], 0);

		p->was[slot] = e->hw.config;
		/* Where it needs a second register, perf may have given it that one's event. */
		if (!ct->bound[slot].extra)
			e->hw.config = silent(e->hw.config, choose_by(p, slot, missed));
		p->config[slot] = e->hw.config;
		/* What did not suit was counted in no mode. */
		if (missed && same_event(p->was[slot], missed))
			p->was[slot] = missed;
		e->hw.idx = own_idx(ct, slot);
		/* The registers that go with hw.idx are those of the counter before. */
		e->hw.last_cpu = -1;
	}
}

/* Any counter, rather than none: others have all that suit. */
static void prepare_any_here(void *info)
{
	struct placing *p = info;
	unsigned int slot = __ffs64(p->slots);
	struct perf_event *e = p->cpu->ev[slot];

	e->hw.config = silent(e->hw.config, ANY_GENERAL);
	p->config[slot] = e->hw.config;
}

/* A thread that has been loaded all the while is to count on, if nothing else has come. */
static void go_on_here(void *info)
{
	const struct placing *p = info;
	u64 left;

	for (left = p->slots; left; left &= left - 1) {
		unsigned int slot = __ffs64(left);
		struct perf_event *e = p->cpu->ev[slot];

		if (!((e->hw.config ^ p->config[slot]) & PMC_X86_EVENT_BITS))
			pmc_x86_shared_write(e, p->was[slot]);
	}
	p->cpu->programmed = 0;
}

static void place(struct placing *p, unsigned int cpu, smp_call_func_t prepare)
{
	u64 left;

	if (smp_call_function_single(cpu, prepare, p, 1))
		return;
	for (left = p->slots; left; left &= left - 1)
		perf_event_enable(p->cpu->ev[__ffs64(left)]);
}

/* Slots that have no counter now, and may have that of any event. */
static u64 without_place(const struct pmc_cpu *cpu, u64 slots)
{
	u64 left, found = 0;

	for (left = slots; left; left &= left - 1) {
		unsigned int slot = __ffs64(left);

		if (READ_ONCE(cpu->ev[slot]->state) == PERF_EVENT_STATE_ERROR &&
		    !cpu->ct->bound[slot].extra)
			found |= left & -left;
	}
	return found;
}

/*
 * Slots that perf would place by another event than the strictest: by a looser one on a wrong
 * counter, and by a stricter one, which has been counted before, in the way of others.
 */
static u64 placed_otherwise(const struct pmc_cpu *cpu)
{
	const struct pmc_x86_layout *layout = &pmc_x86_pmu_of(cpu->ct)->layout;
	u64 left, found = 0;

	for (left = pmc_general_slots(cpu->ct); left; left &= left - 1) {
		unsigned int slot = __ffs64(left);
		const struct perf_event *e = cpu->ev[slot];

		if (e && pmc_x86_counters(layout, READ_ONCE(e->hw.config)) !=
			 cpu->ct->bound[slot].counters)
			found |= left & -left;
	}
	return found;
}

/*
 * Some slots of a CPU, and those that perf would place otherwise. Slots miss events while they
 * are placed anew: the others go on. See @more of struct placing.
 */
static void place_anew(unsigned int cpu, u64 wanted, const struct pmc_hw_event *more)
{
	struct pmc_cpu *pc = per_cpu_ptr(&pmc_cpus, cpu);
	u64 left, slots = 0;

	for (left = wanted | placed_otherwise(pc); left; left &= left - 1) {
		struct perf_event *e = pc->ev[__ffs64(left)];

		if (!e || READ_ONCE(e->state) != PERF_EVENT_STATE_ACTIVE)
			continue;
		perf_event_disable(e);
		slots |= left & -left;
	}
	placing.cpu = pc;
	placing.slots = slots;
	placing.more = more;
	place(&placing, cpu, prepare_here);
	for (left = without_place(pc, slots); left; left &= left - 1) {
		placing.slots = left & -left;
		place(&placing, cpu, prepare_any_here);
	}
	placing.slots = slots;
	smp_call_function_single(cpu, go_on_here, &placing, 1);
}

static bool suits(const struct pmc_cpu *cpu, const struct pmc_hw_event *ev)
{
	const struct perf_event *e = cpu->ev[ev->slot];

	return READ_ONCE(e->state) == PERF_EVENT_STATE_ACTIVE &&
	       BIT_ULL(pmc_x86_slot_of(pmc_x86_pmu_of(cpu->ct), e)) & ev->counters;
}

/* Slots whose counters can't count all of their events */
static u64 unsuited(const struct pmc_cpu *cpu)
{
	u64 left, found = 0;

	for (left = pmc_general_slots(cpu->ct); left; left &= left - 1) {
		unsigned int slot = __ffs64(left);

		if (cpu->ev[slot] && !suits(cpu, &cpu->ct->bound[slot]))
			found |= left & -left;
	}
	return found;
}

/* See fit of struct pmu_backend. */
int pmc_x86_shared_fit(unsigned int cpu, const struct pmc_hw_event *ev,
		       struct pmc_err *err)
{
	const struct pmc_cpu *pc = per_cpu_ptr(&pmc_cpus, cpu);
	const struct perf_event *e = pc->ev[ev->slot];
	u64 bit = BIT_ULL(ev->slot), before;

	/* One that perf has taken away is another matter. */
	if (!e || READ_ONCE(e->state) != PERF_EVENT_STATE_ACTIVE || suits(pc, ev))
		return 0;
	before = unsuited(pc);
	place_anew(cpu, bit, ev);
	if (suits(pc, ev) && !(unsuited(pc) & ~before))
		return 1;
	place_anew(cpu, bit | unsuited(pc), NULL);
	return pmc_err(err, -EAGAIN,
		       "pmc%u of CPU %u: perf or another session has the counters that can count event 0x%llx, umask 0x%llx: stop that one, or ask for fewer such events",
		       ev->number, cpu, ev->config & 0xff, ev->config >> 8 & 0xff);
}

/* Where no counter suits, each try has others miss events for nothing. */
#define TRY_AGAIN	HZ
#define TRY_AT_LEAST	(60 * HZ)

/**
 * struct tries - the tries to have the slots of a CPU placed anew; under pmc_cpus_lock
 * @next: when the next one is due, in jiffies
 * @failed: how many before that have not helped, or as many as matter
 * @counters: those that could count the event of the last one
 */
struct tries {
	unsigned long next;
	unsigned int failed;
	u64 counters;
};

static DEFINE_PER_CPU(struct tries, tries);

/* Counters that can count the event that a slot can't, or 0 */
static u64 misplaced_counters(const struct pmc_cpu *cpu, unsigned int slot)
{
	u64 config = READ_ONCE(per_cpu(pmc_x86_misplaced, cpu->ev[slot]->cpu)[slot]);

	return config ? pmc_x86_counters(&pmc_x86_pmu_of(cpu->ct)->layout, config) : 0;
}

static u64 misplaced_slots(const struct pmc_cpu *cpu)
{
	u64 left, found = 0;

	for (left = pmc_general_slots(cpu->ct); left; left &= left - 1) {
		unsigned int slot = __ffs64(left);
		const struct perf_event *e = cpu->ev[slot];

		if (e && READ_ONCE(e->state) == PERF_EVENT_STATE_ACTIVE &&
		    misplaced_counters(cpu, slot))
			found |= left & -left;
	}
	return found;
}

/*
 * Events of a slot that have no counter in common are misplaced by turns: a try for another
 * event than the one before has not helped.
 */
static void try_in_time(unsigned int cpu, u64 slots)
{
	const struct pmc_cpu *pc = per_cpu_ptr(&pmc_cpus, cpu);
	u64 counters = misplaced_counters(pc, __ffs64(slots)), before = unsuited(pc);
	struct tries *t = per_cpu_ptr(&tries, cpu);

	/* It was long ago. */
	if (time_after(jiffies, t->next + TRY_AT_LEAST))
		*t = (struct tries){ };
	t->next = jiffies + min(TRY_AGAIN << t->failed, TRY_AT_LEAST);
	place_anew(cpu, slots, NULL);
	if (!(unsuited(pc) & (slots | ~before)) &&
	    (!t->counters || t->counters == counters))
		t->failed = 0;
	else if (TRY_AGAIN << t->failed < TRY_AT_LEAST)
		t->failed++;
	t->counters = counters;
}

/**
 * pmc_x86_shared_reacquire - have counters again that perf has taken or moved away
 * @cpu: a CPU that is online
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 * Return: whether perf has taken none, and none is left to be placed anew.
 */
bool pmc_x86_shared_reacquire(struct pmc_cpu *cpu)
{
	u64 slots = misplaced_slots(cpu);
	unsigned int nr = slots ? cpu->ev[__ffs64(slots)]->cpu : 0;
	bool due = slots && time_after_eq(jiffies, per_cpu(tries, nr).next);

	if (due)
		try_in_time(nr, slots);
	return pmc_kcounters_reacquire(cpu) && (!slots || due);
}
