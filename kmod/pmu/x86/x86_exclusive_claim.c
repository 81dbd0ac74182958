// SPDX-License-Identifier: GPL-2.0
/*
 * Claiming an x86 PMU without perf. The kernel reserves the PMU's registers for the
 * whole machine: perf takes them with its first hardware event (the NMI watchdog's
 * is one), and this backend with the first counter that a session uses. The second
 * one is refused, so that counts are never wrong.
 *
 * There is one exception, in Linux before 6.2: perf stops all counters for the
 * time it takes to switch software events, so some of the instructions that perf
 * itself executes in kernel mode then are not counted.
 */
#include <linux/err.h>
#include <linux/smp.h>
#include <asm/nmi.h>
#include "base/err.h"
#include "base/percpu.h"
#include "pmu/event_set.h"
#include "pmu/x86/intel_extra_claim.h"
#include "pmu/x86/x86_clear_dirty.h"
#include "pmu/x86/x86_exclusive.h"
#include "pmu/x86/x86_exclusive_claim.h"
#include "pmu/x86/x86_late_nmi.h"
#include "pmu/x86/x86_mediated_vpmu.h"
#include "pmu/x86/x86_nmi.h"
#include "pmu/x86/x86_pmu.h"
#include "pmu/x86/x86_regs.h"

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

/* No earlier count is left for others to read. */
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
	pmc_x86_set_period(x, slot);
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
		x->pmu = pmc_x86_pmu_of(cpu->ct);
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
 * pmc_x86_suspend - update the sums of this CPU's counters
 * @cpu: this CPU
 *
 * Context: Interrupts off, in a hook.
 */
void pmc_x86_suspend(struct pmc_cpu *cpu)
{
	struct pmc_x86_cpu *x = this_cpu_ptr(&pmc_x86_cpus);
	u64 slots;

	for (slots = x->used; slots; slots &= slots - 1)
		pmc_x86_update(x, __ffs64(slots));
}

/**
 * pmc_x86_resume - program this CPU's counters again
 * @cpu: this CPU
 *
 * Context: Interrupts off, in a hook.
 */
void pmc_x86_resume(struct pmc_cpu *cpu)
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
	pmc_x86_vpmu_allow();
}

static int take(unsigned int cpu, struct pmc_err *err)
{
	int ret = pmc_x86_vpmu_refuse(cpu);

	if (ret == -EOPNOTSUPP)
		return pmc_err(err, -EBUSY,
			       "a virtual machine of KVM's has the PMU (mediated vPMU): end it, load kvm_intel or kvm_amd with enable_mediated_pmu=0, or load pmctrack with backend=perf");
	if (ret)
		return ret;
	ret = reserve();
	if (ret) {
		pmc_x86_vpmu_allow();
		return pmc_err(err, ret,
			       "perf or the NMI watchdog has the PMU: end perf, 'sysctl kernel.nmi_watchdog=0', or load pmctrack with backend=perf");
	}
	ret = pmc_x86_nmi_start();
	if (ret)
		give_back();
	return ret;
}

int pmc_x86_claim(unsigned int cpu, const struct pmc_hw_event *ev,
		  struct pmc_err *err)
{
	struct request req = { .slot = ev->slot, .config = ev->config };
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
			      "CPU %u: a real-time thread keeps pmctrack from taking the counters: stop it for a moment, or load pmctrack with backend=perf",
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

/**
 * pmc_x86_have - is the PMU free, when the backend is chosen
 * @of_machine: the registers to reserve; kept
 *
 * Context: May sleep.
 * Return: 0, -EBUSY when perf or KVM has the PMU now, or another error.
 */
int pmc_x86_have(const struct pmc_x86_bank *of_machine)
{
	int ret = pmc_x86_vpmu_init();

	bank = of_machine;
	if (ret)
		return ret;
	if (pmc_x86_vpmu_refuse(raw_smp_processor_id()))
		return -EBUSY;
	ret = reserve();
	if (!ret)
		unreserve(bank->nr);
	pmc_x86_vpmu_allow();
	return ret;
}

/* Context: May sleep. No session is left. */
void pmc_x86_exit(void)
{
	pmc_x86_nmi_stop();
	pmc_x86_vpmu_exit();
	pmc_x86_pmu_exit();
}
