// SPDX-License-Identifier: GPL-2.0
/*
 * Having an x86 PMU to oneself. The kernel's reservation of its registers is
 * for the whole machine: perf takes them with its first hardware event (the
 * NMI watchdog's is one), and we with the first counter that a session uses.
 * Whoever is second is refused, and nobody's counts are ever wrong.
 *
 * One exception, of Linux before 6.2: there perf stops all counters for the
 * time it takes to switch events of software, so some of the instructions
 * that perf itself executes in kernel mode then are not counted.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <asm/nmi.h>
#include "../core/thread.h"
#include "x86.h"

DEFINE_PER_CPU(struct pmc_x86_cpu, pmc_x86_cpus);

/* One for each core type. */
static struct pmc_x86_pmu *pmus;
static const struct pmc_x86_bank *bank;

/* Slots claimed, on all CPUs; under pmc_cpus_lock. */
static unsigned int nr_claims;

#define FIXED_CTR_CTRL		0x38d

static void unreserve(unsigned int nr)
{
	while (nr--) {
		release_perfctr_nmi(bank->counter + nr * bank->step);
		release_evntsel_nmi(bank->ctl + nr * bank->step);
	}
}

static int reserve(void)
{
	unsigned int i;

	for (i = 0; i < bank->nr; i++) {
		if (!reserve_perfctr_nmi(bank->counter + i * bank->step))
			goto taken;
		if (!reserve_evntsel_nmi(bank->ctl + i * bank->step)) {
			release_perfctr_nmi(bank->counter + i * bank->step);
			goto taken;
		}
	}
	return 0;
taken:
	unreserve(i);
	return -EBUSY;
}

/* Nothing that was there before is left for anybody to read. */
static void clear_counters(struct pmc_x86_cpu *x)
{
	const struct pmc_x86_pmu *pmu = x->pmu;
	unsigned int i;

	for (i = 0; i < pmu->nr; i++) {
		if (!pmu->counter[i].msr)
			continue;
		if (pmu->counter[i].ctl)
			pmc_x86_wrmsr(pmu->counter[i].ctl, 0);
		pmc_x86_wrmsr(pmu->counter[i].msr, 0);
	}
	x->fixed_ctrl = 0;
	if (pmu->layout.nr_fixed)
		pmc_x86_wrmsr(FIXED_CTR_CTRL, 0);
	if (pmu->global_reset)
		pmc_x86_wrmsr(pmu->global_reset, pmu->overflow_bits);
}

/*
 * All counters are let count by the global register, for good, and each is
 * started and stopped by its own: to stop them all, so that those of one
 * thread start together, would make others' miss events.
 */
static bool set_up(struct pmc_x86_cpu *x)
{
	const struct pmc_x86_pmu *pmu = x->pmu;
	bool whole;

	if (pmu->global_ctrl)
		pmc_x86_wrmsr(pmu->global_ctrl, 0);
	clear_counters(x);
	whole = pmc_intel_write_extras(pmu);
	pmc_x86_unmask();
	if (pmu->global_ctrl)
		pmc_x86_wrmsr(pmu->global_ctrl, pmu->overflow_bits);
	return whole;
}

static void take_down(struct pmc_x86_cpu *x)
{
	const struct pmc_x86_pmu *pmu = x->pmu;

	if (pmu->global_ctrl)
		pmc_x86_wrmsr(pmu->global_ctrl, 0);
	clear_counters(x);
	if (pmu->global_ctrl)
		pmc_x86_wrmsr(pmu->global_ctrl, x->had_global);
}

static void start_counter(struct pmc_x86_cpu *x, unsigned int slot, u64 config)
{
	pmc_x86_restart(x, slot);
	pmc_x86_write_event(x, slot, config);
}

struct request {
	unsigned int slot;
	u64 config;
	int ret;
};

static void claim_here(void *info)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	struct request *req = info;

	pmc_cpu_begin(cpu);
	if (!x->used) {
		x->pmu = &pmus[cpu->ct_id];
		x->mask = x->pmu->mask;
		if (x->pmu->global_ctrl)
			x->had_global = pmc_x86_rdmsr(x->pmu->global_ctrl);
		if (!set_up(x)) {
			take_down(x);
			req->ret = -EIO;
			goto out;
		}
	}
	x->used |= BIT_ULL(req->slot);
	x->slot[req->slot] = (struct pmc_x86_slot){ };
	x->count[req->slot] = 0;
	x->rdpmc[req->slot] = x->pmu->counter[req->slot].rdpmc;
	start_counter(x, req->slot, req->config);
	/* It counts this, not what a set programmed last. */
	cpu->programmed = 0;
out:
	pmc_cpu_end(cpu);
}

static void release_here(void *info)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	const struct request *req = info;

	pmc_cpu_begin(cpu);
	pmc_x86_write_event(x, req->slot, 0);
	pmc_x86_wrmsr(x->pmu->counter[req->slot].msr, 0);
	pmc_x86_forget_overflow(x, req->slot);
	x->used &= ~BIT_ULL(req->slot);
	if (!x->used)
		take_down(x);
	pmc_cpu_end(cpu);
}

/**
 * pmc_x86_sleep - take off what the counters of this CPU show
 * @cpu: this CPU
 *
 * Context: Interrupts off, in a hook.
 */
void pmc_x86_sleep(struct pmc_cpu *cpu)
{
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	u64 slots;

	for (slots = x->used; slots; slots &= slots - 1)
		pmc_x86_fold(x, __ffs64(slots));
}

/**
 * pmc_x86_wake - program them again
 * @cpu: this CPU
 *
 * Context: Interrupts off, in a hook.
 */
void pmc_x86_wake(struct pmc_cpu *cpu)
{
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	u64 slots;

	if (!x->used)
		return;
	set_up(x);
	for (slots = x->used; slots; slots &= slots - 1)
		start_counter(x, __ffs64(slots), x->slot[__ffs64(slots)].config);
}

static void give_back(void)
{
	unreserve(bank->nr);
	pmc_x86_guest_allow();
}

static int take(unsigned int cpu, struct pmc_err *err)
{
	int ret = pmc_x86_guest_refuse(cpu);

	if (ret == -EOPNOTSUPP)
		return pmc_err(err, -EBUSY,
			       "a virtual machine of KVM's has the PMU (mediated vPMU): end it, load kvm_intel or kvm_amd with enable_mediated_pmu=0, or load pmctrack with backend=perf");
	if (ret)
		return ret;
	ret = reserve();
	if (ret) {
		pmc_x86_guest_allow();
		return pmc_err(err, ret,
			       "perf or the NMI watchdog has the PMU: end perf, 'sysctl kernel.nmi_watchdog=0', or load pmctrack with backend=perf");
	}
	ret = pmc_x86_nmi_start();
	if (ret)
		give_back();
	return ret;
}

int pmc_x86_claim(unsigned int cpu, unsigned int slot, u64 config,
		  struct pmc_err *err)
{
	struct request req = { .slot = slot, .config = config };
	int ret;

	if (!nr_claims) {
		ret = take(cpu, err);
		if (ret)
			return ret;
	}
	ret = 0;
	if (!READ_ONCE(per_cpu(pmc_x86_cpus, cpu).used))
		ret = pmc_x86_clean(cpu);
	if (ret == -ETIMEDOUT)
		ret = pmc_err(err, -EBUSY,
			      "CPU %u: a real-time thread leaves no time to what makes the counters ours: stop it for a moment, or load pmctrack with backend=perf",
			      cpu);
	if (!ret)
		ret = smp_call_function_single(cpu, claim_here, &req, 1) ?:
		      req.ret;
	if (!ret)
		nr_claims++;
	else if (!nr_claims)
		give_back();
	return ret;
}

void pmc_x86_release(unsigned int cpu, unsigned int slot)
{
	struct request req = { .slot = slot };

	if (!(READ_ONCE(per_cpu(pmc_x86_cpus, cpu).used) & BIT_ULL(slot)))
		return;
	smp_call_function_single(cpu, release_here, &req, 1);
	if (!--nr_claims)
		give_back();
}

int pmc_x86_encode_for(const struct pmc_core_type *ct,
		       const struct pmc_evreq *req,
		       const struct pmc_filters *filters,
		       u64 *config, u64 *slots, struct pmc_err *err)
{
	return pmc_x86_encode(&pmus[ct->id].layout, req, filters->user,
			      filters->kernel, config, slots, err);
}

/**
 * pmc_x86_add_counter - describe the counter of a slot
 * @pmu: of a core type
 * @slot: slot
 * @msr: its value
 * @ctl: its event select register, 0 for a fixed counter
 * @rdpmc: what RDPMC calls it
 * @bit: its bit in the global registers
 */
void pmc_x86_add_counter(struct pmc_x86_pmu *pmu, unsigned int slot, u32 msr,
			 u32 ctl, u32 rdpmc, unsigned int bit)
{
	pmu->nr = max(pmu->nr, slot + 1);
	pmu->slot_of_bit[bit] = slot;
	pmu->overflow_bits |= BIT_ULL(bit);
	pmu->counter[slot] = (struct pmc_x86_counter){
		.msr = msr, .ctl = ctl, .rdpmc = rdpmc, .bit = bit,
	};
}

static void describe(struct pmc_core_type *ct, const struct pmc_x86_pmu *pmu)
{
	unsigned int i;

	ct->nr_hw = pmu->nr;
	ct->fixed = 0;
	for (i = 0; i < pmu->layout.nr_fixed; i++)
		ct->fixed |= BIT_ULL(pmc_x86_fixed_slot(&pmu->layout, i));
	ct->fixed_names = pmc_x86_fixed_names;
	ct->absent = 0;
	for (i = 0; i < pmu->nr; i++)
		if (!pmu->counter[i].msr)
			ct->absent |= BIT_ULL(i);
	ct->interrupts = GENMASK_ULL(pmu->nr - 1, 0) & ~ct->absent;
}

/**
 * pmc_x86_describe - say what there is, when the backend is chosen
 * @of_types: the PMU of each core type, from kvcalloc(): ours now
 * @of_machine: the registers to reserve; kept
 *
 * Context: May sleep.
 * Return: 0, -EBUSY when somebody else has the PMU now, or another error.
 */
int pmc_x86_describe(struct pmc_x86_pmu *of_types,
		     const struct pmc_x86_bank *of_machine)
{
	unsigned int i;
	int ret;

	pmus = of_types;
	bank = of_machine;
	for (i = 0; i < pmc_nr_core_types; i++)
		describe(&pmc_core_types[i], &pmus[i]);
	pmc_x86_user_init();
	ret = pmc_x86_guest_init();
	if (ret) {
		pmc_x86_exit();
		return ret;
	}
	if (pmc_x86_guest_refuse(raw_smp_processor_id()))
		return -EBUSY;
	ret = reserve();
	if (!ret)
		unreserve(bank->nr);
	pmc_x86_guest_allow();
	return ret;
}

/* Return: the PMU of a core type, as described. */
struct pmc_x86_pmu *pmc_x86_pmu_of(const struct pmc_core_type *ct)
{
	return &pmus[ct->id];
}

/* Context: May sleep. No session is left. */
void pmc_x86_exit(void)
{
	pmc_x86_nmi_stop();
	pmc_x86_guest_exit();
	kvfree(pmus);
	pmus = NULL;
}
