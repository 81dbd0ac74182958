// SPDX-License-Identifier: GPL-2.0
/*
 * Counters through the kernel's counter API alone: works wherever perf
 * works, at perf's price. A slot counts one event from claim to release, as
 * the API has no call to change it that a context switch may make.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <base/compat.h>
#include "base/err.h"
#include "base/parse_evset.h"
#include "base/percpu.h"
#include "pmu/backend.h"
#include "pmu/backends.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/filters.h"
#include "pmu/kcounter.h"
#ifdef CONFIG_X86_64
#include "pmu/x86/x86_generic_events.h"
#include "pmu/x86/x86_rdpmc.h"
#elif defined(CONFIG_ARM64) || defined(CONFIG_ARM)
#include "pmu/arm/arm_generic_events.h"
#endif

/* Slots a core type offers; how many work at once is for perf to say. */
#define PERF_SLOTS	16

/*
 * The config of a slot: the raw event as perf has it in the low bits, filters
 * above.
 */
#define CONFIG_USER	BIT_ULL(62)
#define CONFIG_KERNEL	BIT_ULL(63)
#define CONFIG_RAW	GENMASK_ULL(35, 0)

/**
 * struct fixed_slots - slots that count one event each, from 0 on
 * @nr: how many
 * @names: what they count
 * @events: the same by number
 *
 * perf chooses the physical counter. These keep a program that asks for counters
 * by number working, whichever backend there is: the native ones number them so.
 */
struct fixed_slots {
	unsigned int nr;
	const char *names[3];
	struct {
		u16 code;
		u16 umask;
	} events[3];
};

#if defined(CONFIG_X86)
/* The last one is perf's own number of the third fixed counter's event. */
static const struct fixed_slots intel_slots = {
	.nr = 3,
	.names = { "instr", "cycles", "ref_cycles" },
	.events = { { 0xc0, 0x00 }, { 0x3c, 0x00 }, { 0x00, 0x03 } },
};
#elif defined(CONFIG_ARM64) || defined(CONFIG_ARM)
static const struct fixed_slots arm_slots = {
	.nr = 1,
	.names = { "cycles" },
	.events = { { 0x11 } },
};
#endif

static const struct fixed_slots *fixed_slots(void)
{
	static const struct fixed_slots none;

#if defined(CONFIG_X86)
	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL &&
	    boot_cpu_has(X86_FEATURE_ARCH_PERFMON))
		return &intel_slots;
#elif defined(CONFIG_ARM64) || defined(CONFIG_ARM)
	return &arm_slots;
#endif
	return &none;
}

static u64 value_of(struct perf_event *e)
{
	if (READ_ONCE(e->state) == PERF_EVENT_STATE_ACTIVE)
		e->pmu->read(e);
	else
		__this_cpu_write(pmc_cpus.lost, true);
	return local64_read(&e->count);
}

static void perf_load(const struct pmc_evset *set, u64 *cur,
		      struct pmc_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++)
		cur[i] -= value_of(cpu->ev[set->hw[i].slot]);
}

static void perf_unload(const struct pmc_evset *set, u64 *cur,
			struct pmc_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < set->nr_hw; i++)
		cur[i] += value_of(cpu->ev[set->hw[i].slot]);
}

/*
 * As perf does before it changes an event. Intel's fixed counters have one register. perf keeps
 * its next value, which an NMI in the middle of a change would write. In the NMI all counters are
 * stopped already. On Arm the interrupt is no NMI, and comes after the change.
 */
static bool stop_all(struct perf_event *e)
{
	if (!IS_ENABLED(CONFIG_X86) || in_nmi() ||
	    READ_ONCE(e->state) != PERF_EVENT_STATE_ACTIVE)
		return false;
	e->pmu->pmu_disable(e->pmu);
	return true;
}

static void start_all(struct perf_event *e, bool stopped)
{
	if (stopped)
		e->pmu->pmu_enable(e->pmu);
}

/*
 * As perf itself does to change the period of a running counter. One that it has off the
 * PMU begins with it when it is back.
 */
static void set_period(struct perf_event *e, u64 period, s64 left)
{
	e->hw.sample_period = period;
	e->hw.last_period = period;
	local64_set(&e->hw.period_left, left);
	if (READ_ONCE(e->state) == PERF_EVENT_STATE_ACTIVE)
		e->pmu->start(e, PERF_EF_RELOAD);
}

static void perf_arm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
		     s64 left)
{
	struct perf_event *e = cpu->ev[ev->slot];
	bool stopped = stop_all(e);

	if (READ_ONCE(e->state) == PERF_EVENT_STATE_ACTIVE)
		e->pmu->stop(e, PERF_EF_UPDATE);
	set_period(e, ev->ebs, left);
	start_all(e, stopped);
}

static s64 perf_disarm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
		       s64 left)
{
	struct perf_event *e = cpu->ev[ev->slot];
	bool stopped;

	if (e->hw.sample_period == PMC_NEVER)
		return left;
	stopped = stop_all(e);
	if (READ_ONCE(e->state) == PERF_EVENT_STATE_ACTIVE)
		e->pmu->stop(e, PERF_EF_UPDATE);
	left = local64_read(&e->hw.period_left);
	set_period(e, PMC_NEVER, PMC_NEVER);
	start_all(e, stopped);
	return left - pmc_kcounter_take_back(cpu, ev);
}

/*
 * Where the right to read counters is the process's, perf has given it to a process
 * that is about to run. Counters start anew, except those that are to interrupt.
 */
static void perf_clear_dirty(struct pmc_cpu *cpu)
{
	unsigned int slot;
	bool stopped;

	for (slot = 0; IS_ENABLED(CONFIG_X86) && slot < PERF_SLOTS; slot++) {
		struct perf_event *e = cpu->ev[slot];

		if (!e || READ_ONCE(e->state) != PERF_EVENT_STATE_ACTIVE ||
		    e->hw.sample_period != PMC_NEVER)
			continue;
		stopped = stop_all(e);
		e->pmu->stop(e, PERF_EF_UPDATE);
		set_period(e, PMC_NEVER, PMC_NEVER);
		start_all(e, stopped);
	}
}

static int perf_claim(unsigned int cpu, const struct pmc_hw_event *ev,
		      struct pmc_err *err)
{
	struct perf_event_attr attr = {
		.type = per_cpu(pmc_cpus, cpu).ct->perf_type,
		.config = ev->config & CONFIG_RAW,
		.exclude_user = !(ev->config & CONFIG_USER),
		.exclude_kernel = !(ev->config & CONFIG_KERNEL),
		.exclude_hv = !(ev->config & CONFIG_KERNEL),
	};

	return pmc_kcounter_create(cpu, ev->slot, -1, &attr, err);
}

/* perf ignores the bits above, and would count something else. */
static u64 max_code(void)
{
#if defined(CONFIG_X86)
	return boot_cpu_data.x86_vendor == X86_VENDOR_AMD ||
	       boot_cpu_data.x86_vendor == X86_VENDOR_HYGON ? 0xfff : 0xff;
#elif defined(CONFIG_ARM)
	return 0xff;
#else
	return 0xffff;
#endif
}

static int encode_raw(const struct pmc_evreq *req, u64 *raw,
		      struct pmc_err *err)
{
	if (req->code > max_code())
		return pmc_err(err, -EINVAL,
			       "event 0x%llx: event numbers end at 0x%llx here",
			       req->code, max_code());
	if (req->extra)
		return pmc_err(err, -EINVAL,
			       "event 0x%llx: extra is for the native backend of Intel's processors, not for backend=perf",
			       req->code);
#ifdef CONFIG_X86
	/* As the register has it: x86_encode.h. */
	if (req->umask > 0xff || req->cmask > 0xff)
		return pmc_err(err, -EINVAL,
			       "event 0x%llx, umask 0x%llx, cmask 0x%llx: the masks are 8 bits wide",
			       req->code, req->umask, req->cmask);
	*raw = (req->code & 0xff) | (req->code >> 8) << 32 | req->umask << 8 |
	       (u64)req->edge << 18 | (u64)req->any << 21 |
	       (u64)req->inv << 23 | req->cmask << 24;
#else
	if (req->umask || req->cmask || req->edge || req->any || req->inv)
		return pmc_err(err, -EINVAL,
			       "event 0x%llx: umask, cmask, edge, inv and any mean nothing here",
			       req->code);
	*raw = req->code;
#endif
	return 0;
}

/* The slot that is for this event alone, or -1. */
static int fixed_slot(const struct fixed_slots *fixed,
		      const struct pmc_evreq *req)
{
	unsigned int i;

	if (req->edge || req->inv || req->any || req->cmask)
		return -1;
	for (i = 0; i < fixed->nr; i++)
		if (req->code == fixed->events[i].code &&
		    req->umask == fixed->events[i].umask)
			return i;
	return -1;
}

/* pmcN with no event is a fixed slot's. */
static int pinned_event(const struct pmc_core_type *ct,
			const struct fixed_slots *fixed, struct pmc_evreq *req,
			struct pmc_err *err)
{
	if (req->slot >= ct->nr_hw)
		return pmc_err(err, -EINVAL,
			       "pmc%u: the counters are pmc0 to pmc%u",
			       req->slot, ct->nr_hw - 1);
	if (!req->has_code && req->slot >= fixed->nr)
		return pmc_err(err, -EINVAL,
			       "pmc%u needs an event code: write pmc%u=CODE",
			       req->slot, req->slot);
	if (!req->has_code) {
		req->code = fixed->events[req->slot].code;
		req->umask = fixed->events[req->slot].umask;
	}
	if (req->slot < fixed->nr && fixed_slot(fixed, req) != req->slot)
		return pmc_err(err, -EINVAL,
			       "pmc%u counts %s only, not event 0x%llx: use ev=0x%llx",
			       req->slot, fixed->names[req->slot], req->code,
			       req->code);
	return 0;
}

static u64 slots_for(const struct pmc_core_type *ct,
		     const struct fixed_slots *fixed,
		     const struct pmc_evreq *req)
{
	int own = fixed_slot(fixed, req);
	u64 slots;

	if (req->kind == PMC_EVREQ_PINNED)
		return BIT_ULL(req->slot);
	slots = GENMASK_ULL(ct->nr_hw - 1, fixed->nr);
	if (own >= 0)
		slots |= BIT_ULL(own);
	return slots;
}

static int perf_encode(const struct pmc_core_type *ct,
		       const struct pmc_evreq *wanted,
		       const struct pmc_filters *filters,
		       u64 *config, u64 *slots, struct pmc_err *err)
{
	const struct fixed_slots *fixed = fixed_slots();
	struct pmc_evreq own = *wanted, *req = &own;
	bool user, kernel;
	int ret;

	if (!ct->nr_hw)
		return pmc_err(err, -ENODEV,
			       "core type %u (%s) has no counters, software ones apart: use sw=NAME",
			       ct->id, ct->name);
	if (req->kind == PMC_EVREQ_PINNED) {
		ret = pinned_event(ct, fixed, req, err);
		if (ret)
			return ret;
	}
	pmc_evreq_modes(req, filters->user, filters->kernel, &user, &kernel);
	if (!user && !kernel)
		return pmc_err(err, -EINVAL,
			       "event 0x%llx: neither user nor kernel mode is left to count in",
			       req->code);
	ret = encode_raw(req, config, err);
	if (ret)
		return ret;
	*config |= (user ? CONFIG_USER : 0) | (kernel ? CONFIG_KERNEL : 0);
	*slots = slots_for(ct, fixed, req);
	return 0;
}

/* No counter is for this event alone: retired branches; writes to a register, of which none are. */
#ifdef CONFIG_X86
#define GENERAL_EVENT	0xc4
#else
#define GENERAL_EVENT	0x00
#endif

/* Counters that perf gives to such events, as nobody says how many there are */
static unsigned int count_general(const struct pmc_core_type *ct)
{
	struct perf_event_attr attr = {
		.type = ct->perf_type, .config = GENERAL_EVENT,
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	unsigned int cpu = cpumask_first(&ct->cpus), nr = 0, slot;
	struct pmc_err unused = { };

	while (nr < PERF_SLOTS && !pmc_kcounter_create(cpu, nr, -1, &attr, &unused))
		nr++;
	for (slot = 0; slot < nr; slot++)
		pmc_kcounter_release(cpu, slot);
	return nr;
}

static int perf_probe(void)
{
	unsigned int i;

	for (i = 0; i < pmc_nr_core_types; i++) {
		struct pmc_core_type *ct = &pmc_core_types[i];

		if (!strcmp(ct->pmu, "none"))
			continue;
		ct->nr_hw = PERF_SLOTS;
		ct->fixed = BIT_ULL(fixed_slots()->nr) - 1;
		ct->fixed_names = fixed_slots()->names;
		ct->interrupts = ct->no_interrupt ? 0 : GENMASK_ULL(PERF_SLOTS - 1, 0);
		ct->nr_general = count_general(ct);
	}
#ifdef CONFIG_X86_64
	pmc_x86_hook_mappings();
#endif
	return 0;
}

MODULE_INFO(backend, "perf");

const struct pmu_backend pmc_backend_perf = {
	.name = "perf",
	.modes = CONFIG_USER | CONFIG_KERNEL,
	.bound = true,
	.probe = perf_probe,
	.encode = perf_encode,
	.claim = perf_claim,
	.release = pmc_kcounter_release,
	.reacquire = pmc_kcounters_reacquire,
	.load = perf_load,
	.unload = perf_unload,
	.arm = perf_arm,
	.disarm = perf_disarm,
	.clear_dirty = perf_clear_dirty,
#ifdef CONFIG_X86
	.suspend = pmc_kcounters_suspend,
	.resume = pmc_kcounters_resume,
#endif
#ifdef CONFIG_X86_64
	.generic = pmc_x86_generic,
	.exit = pmc_x86_unhook_mappings,
#elif defined(CONFIG_ARM64) || defined(CONFIG_ARM)
	.generic = pmc_arm_generic,
#endif
};
