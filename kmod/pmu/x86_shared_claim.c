// SPDX-License-Identifier: GPL-2.0
/*
 * Claiming counters beside perf, and having perf place them anew. perf chooses a counter by
 * the event that a kernel counter has when perf adds it. A slot counts other events later,
 * which may be for fewer counters.
 */
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include "../core/thread.h"
#include "kcounter.h"
#include "x86.h"

/*
 * An architectural event that every general counter can count, and no fixed counter (SDM
 * volume 3B, 20.2.1.2, "Branch Instructions Retired"). A general slot is claimed with this
 * event if perf could place the session's event on a fixed counter.
 */
#define ANY_GENERAL	0xc4

/*
 * By slot of a CPU: the event that cannot be counted on the counter that perf chose, or 0 if
 * the slot has the counter that it needs.
 */
static DEFINE_PER_CPU(u64 [PMC_X86_MAX_SLOTS], misplaced);

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

static int create(unsigned int cpu, const struct pmc_hw_event *ev, u64 config,
		  u64 extra, struct pmc_err *err)
{
	struct perf_event_attr attr = attr_of(cpu, config, extra);

	return pmc_kcounter_create(cpu, ev->slot, &attr, err);
}

/* Also an event whose second register, or its twin, has the wanted value. */
static int claim(unsigned int cpu, const struct pmc_hw_event *ev, struct pmc_err *err)
{
	const struct pmc_core_type *ct = per_cpu(pmc_cpus, cpu).ct;
	const struct pmc_x86_layout *layout = &pmc_x86_pmu_of(ct)->layout;
	u64 config = pmc_x86_kernel_config(layout, ev->config);

	/* A kernel counter on a fixed counter can't count another event. */
	if (!(ct->fixed & BIT_ULL(ev->slot)) &&
	    pmc_x86_counters(layout, config) & ct->fixed)
		return create(cpu, ev, ANY_GENERAL, 0, err);
	/* By its own event perf knows which counters can count it. */
	return create(cpu, ev, config, ev->extra, err);
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
	per_cpu(misplaced, cpu)[ev->slot] = 0;
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
 * pmc_x86_misplaced - a slot can't count an event where perf has put it
 * @slot: slot of this CPU
 * @config: the event, as hw.config is to be
 *
 * Context: Any, interrupts off. pmc_x86_shared_reacquire() is called before long.
 */
void pmc_x86_misplaced(unsigned int slot, u64 config)
{
	this_cpu_write(misplaced[slot], config);
}

/**
 * struct placing - a kernel counter that is placed anew
 * @e: the counter
 * @slot: its slot
 * @config: what perf chooses by
 * @was: what it counted before
 */
struct placing {
	struct perf_event *e;
	unsigned int slot;
	u64 config;
	u64 was;
};

static void exchange_here(void *info)
{
	struct placing *p = info;

	p->was = p->e->hw.config;
	p->e->hw.config = p->config;
}

/* perf adds it: with an event that others suit, too, where there is no room for this one. */
static void enable_for(struct placing *p, u64 config)
{
	p->config = config;
	if (!smp_call_function_single(p->e->cpu, exchange_here, p, 1))
		perf_event_enable(p->e);
}

/* A thread that is loaded has missed events. It is to count on, if nothing else has come. */
static void go_on_here(void *info)
{
	const struct placing *p = info;
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	if (!((p->e->hw.config ^ p->config) & PMC_X86_EVENT_BITS))
		pmc_x86_shared_write(p->e, p->was);
	cpu->programmed = 0;
	pmc_note_missed(cpu, p->slot);
}

static bool same_event(u64 a, u64 b)
{
	return !((a ^ b) & PMC_X86_EVENT_BITS & ~(PMC_X86_USR | PMC_X86_OS));
}

static void place_again(struct perf_event *e, unsigned int slot, u64 config)
{
	struct placing p = { .e = e, .slot = slot };
	u64 silent = config & ~(PMC_X86_USR | PMC_X86_OS), was;

	perf_event_disable(e);
	enable_for(&p, silent);
	was = same_event(p.was, config) ? config : p.was;
	if (READ_ONCE(e->state) == PERF_EVENT_STATE_ERROR)
		enable_for(&p, (silent & ~PMC_X86_EVENT_BITS) | ANY_GENERAL);
	p.was = was;
	smp_call_function_single(e->cpu, go_on_here, &p, 1);
}

/**
 * pmc_x86_shared_reacquire - have counters again that perf has taken or moved away
 * @cpu: a CPU that is online
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 * Return: whether perf has taken none.
 */
bool pmc_x86_shared_reacquire(struct pmc_cpu *cpu)
{
	unsigned int slot;

	for (slot = 0; slot < PMC_X86_MAX_SLOTS; slot++) {
		struct perf_event *e = cpu->ev[slot];
		u64 config = e ? xchg(&per_cpu(misplaced, e->cpu)[slot], 0) : 0;

		if (config && READ_ONCE(e->state) == PERF_EVENT_STATE_ACTIVE)
			place_again(e, slot, config);
	}
	return pmc_kcounters_reacquire(cpu);
}
