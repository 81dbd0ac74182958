/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of x86 processors driven by register. intel.c and amd.c describe
 * them, and they are driven as described: beside perf by x86_shared.c, or for ourselves
 * by x86_exclusive.c, x86_exclusive_claim.c and x86_nmi.c.
 */
#ifndef PMC_X86_H
#define PMC_X86_H

#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <base/compat.h>
#include "base/percpu.h"
#include "pmu/backend.h"
#include "uapi/pmctrack.h"
#include "pmu/x86/intel_extra.h"
#include "pmu/x86/x86_encode.h"

/* The bits of an event select register that are the event and its modes. */
#define PMC_X86_EVENT_BITS	(GENMASK_ULL(15, 0) | PMC_X86_USR | PMC_X86_OS | \
				 PMC_X86_QUALIFIERS | GENMASK_ULL(35, 32))

/* Slots of a core type: 32 general and 16 fixed counters are the most. */
#define PMC_X86_MAX_SLOTS	48

/**
 * struct pmc_x86_counter - registers of a counter
 * @msr: its value
 * @ctl: its event select register; 0: it is a fixed counter of Intel's
 * @rdpmc: what RDPMC calls it
 * @bit: its bit in the global registers
 */
struct pmc_x86_counter {
	u32 msr;
	u32 ctl;
	u32 rdpmc;
	u8 bit;
};

/**
 * struct pmc_x86_extra - a second register of events, on a core type
 * @value: what it holds
 * @users: events in event sets that want it to; under pmc_cpus_lock
 */
struct pmc_x86_extra {
	u64 value;
	unsigned int users;
};

/**
 * struct pmc_x86_pmu - the PMU of a core type
 * @layout: for encoding events
 * @nr: its slots: the highest that has a counter, and 1
 * @counter: their registers; one whose @msr is 0 is not there
 * @slot_of_bit: the slot of each bit of the global registers
 * @mask: bits that counters have
 * @min_step: events that a counter has to be set to be before its overflow, at least
 * @max_step: and at most
 * @global_ctrl: register that lets counters count by one bit each; 0: none
 * @global_status: register that reports overflows; 0: none
 * @global_reset: register that takes such a bit back
 * @overflow_bits: the bits of our counters there
 * @scan: there is no such register, or perf may take its bits back: overflows
 *	are found by the counters' values
 * @extra: second registers, by enum pmc_intel_extra
 */
struct pmc_x86_pmu {
	struct pmc_x86_layout layout;
	unsigned int nr;
	struct pmc_x86_counter counter[PMC_X86_MAX_SLOTS];
	u8 slot_of_bit[64];
	u64 mask;
	u64 min_step;
	u64 max_step;
	u32 global_ctrl;
	u32 global_status;
	u32 global_reset;
	u64 overflow_bits;
	bool scan;
	struct pmc_x86_extra extra[PMC_INTEL_NR_EXTRA];
};

/**
 * struct pmc_x86_bank - registers that the kernel hands out to one user
 * @counter: the first counter
 * @ctl: the first event select register
 * @step: from one to the next
 * @nr: how many of each
 */
struct pmc_x86_bank {
	u32 counter;
	u32 ctl;
	unsigned int step;
	unsigned int nr;
};

/**
 * struct pmc_x86_slot - a counter of a CPU, without the part that a switch reads
 * @config: what it counts, as encoded
 * @period: sampling period, 0: it is not to interrupt
 * @left: events that were left of the period at the CPU's @count
 */
struct pmc_x86_slot {
	u64 config;
	u64 period;
	s64 left;
};

/**
 * struct pmc_x86_cpu - the counters of a CPU
 * @pmu: their description
 * @mask: bits that they have
 * @used: slots that are claimed
 * @fixed_ctrl: the value of IA32_FIXED_CTR_CTRL
 * @had_global: the value of the global control register before the first claim
 * @heard: overflow bits that an NMI has found while a hook was at work
 * @strays: NMIs that may still come for overflows that were seen to already
 * @stray_until: pmc_cycles() until which they may
 * @count: of each slot, events since the claim, up to when the counter was @prev
 * @prev: what the counter showed then
 * @rdpmc: what RDPMC calls it
 * @slot: the rest of each
 *
 * At any moment @count + ((counter - @prev) & mask) is the number of events
 * since the claim. These are arrays, as an instruction finds an element of such
 * a size by its number.
 *
 * Changed on this CPU alone, with interrupts off: by the hooks, between
 * pmc_cpu_begin() and pmc_cpu_end(), or by the NMI outside of that.
 */
struct pmc_x86_cpu {
	const struct pmc_x86_pmu *pmu;
	u64 mask;
	u64 used;
	u64 fixed_ctrl;
	u64 had_global;
	u64 heard;
	unsigned int strays;
	u64 stray_until;
	u64 count[PMC_X86_MAX_SLOTS];
	u64 prev[PMC_X86_MAX_SLOTS];
	u32 rdpmc[PMC_X86_MAX_SLOTS];
	struct pmc_x86_slot slot[PMC_X86_MAX_SLOTS];
};

DECLARE_PER_CPU(struct pmc_x86_cpu, pmc_x86_cpus);

/* The slot whose counter perf has chosen for a kernel counter. */
static inline unsigned int pmc_x86_slot_of(const struct pmc_x86_pmu *pmu,
					   const struct perf_event *e)
{
	return pmu->slot_of_bit[e->hw.idx];
}

/* Both halves fill their registers: nothing is left to extend. */
static __always_inline u64 pmc_x86_rdpmc(u32 index)
{
	u64 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (index));
	return low | high << 32;
}

/*
 * Without a status register an overflow is known by the counter's value alone. So many
 * events may pass, in kernel mode, from when a counter is read to when it is written: it
 * may overflow between the two, and its NMI find nothing.
 */
#define PMC_X86_IN_FLIGHT	256

static inline bool pmc_x86_in_flight(u64 config, s64 left)
{
	return left <= (config & PMC_X86_OS ? PMC_X86_IN_FLIGHT : 0);
}

/* Neither is traced: they are for NMIs and run-queue locks. */
static __always_inline u64 pmc_x86_rdmsr(u32 msr)
{
	return __rdmsr(msr);
}

static __always_inline void pmc_x86_wrmsr(u32 msr, u64 value)
{
	native_wrmsrq(msr, value);
}

/* 0x40 stands for bit 30 of RDPMC's operand: a fixed counter. */
static inline u8 pmc_x86_caliper_name(u32 rdpmc)
{
	return (rdpmc & 0x3f) | (rdpmc & BIT(30) ? 0x40 : 0);
}

/* x86_exclusive.c */
void pmc_x86_write_event(struct pmc_x86_cpu *x, unsigned int slot, u64 config);
void pmc_x86_update(struct pmc_x86_cpu *x, unsigned int slot);
void pmc_x86_set_period(struct pmc_x86_cpu *x, unsigned int slot);
void pmc_x86_set_period_running(struct pmc_x86_cpu *x, unsigned int slot);
pmc_backend_count_t pmc_x86_load, pmc_x86_unload;
void pmc_x86_arm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev, s64 left);
s64 pmc_x86_disarm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev, s64 left);
bool pmc_x86_caliper(struct pmc_cpu *cpu, const struct pmc_evset *set,
		     struct pmc_caliper_page *page);
void pmc_x86_clear_dirty(struct pmc_cpu *cpu);

/* x86_pmu.c */
void pmc_x86_describe(struct pmc_x86_pmu *pmus);
void pmc_x86_pmu_exit(void);
void pmc_x86_add_counter(struct pmc_x86_pmu *pmu, unsigned int slot, u32 msr,
			 u32 ctl, u32 rdpmc, unsigned int bit);
struct pmc_x86_pmu *pmc_x86_pmu_of(const struct pmc_core_type *ct);
int pmc_x86_encode_for(const struct pmc_core_type *ct,
		       const struct pmc_evreq *req,
		       const struct pmc_filters *filters,
		       u64 *config, u64 *slots, struct pmc_err *err);

/* x86_shared.c */
void pmc_x86_shared_init(void);
void pmc_x86_shared_exit(void);
pmc_backend_count_t pmc_x86_shared_load, pmc_x86_shared_unload;
void pmc_x86_shared_arm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
			s64 left);
s64 pmc_x86_shared_disarm(struct pmc_cpu *cpu, const struct pmc_hw_event *ev,
			  s64 left);
bool pmc_x86_shared_caliper(struct pmc_cpu *cpu, const struct pmc_evset *set,
			    struct pmc_caliper_page *page);
void pmc_x86_shared_clear_dirty(struct pmc_cpu *cpu);
void pmc_x86_shared_write(struct perf_event *e, u64 config);

/* x86_shared_claim.c */
u64 pmc_x86_shared_counters(const struct pmc_core_type *ct, u64 config);
int pmc_x86_shared_claim(unsigned int cpu, const struct pmc_hw_event *ev,
			 struct pmc_err *err);
int pmc_x86_shared_fit(unsigned int cpu, const struct pmc_hw_event *ev,
		       struct pmc_err *err);
int pmc_x86_shared_claim_extra(const struct pmc_core_type *ct,
			       struct pmc_hw_event *ev, struct pmc_err *err);
void pmc_x86_shared_release_extra(const struct pmc_core_type *ct,
				  const struct pmc_hw_event *ev);
void pmc_x86_misplaced(unsigned int slot, u64 config);
bool pmc_x86_shared_reacquire(struct pmc_cpu *cpu);

/* x86_msr_trace.c */
void pmc_x86_msr_trace_init(void);
void pmc_x86_msr_trace_exit(void);
bool pmc_x86_track_moves_here(void);
int pmc_x86_track_moves(void);
void pmc_x86_untrack_moves(void);

/* x86_exclusive_claim.c */
int pmc_x86_have(const struct pmc_x86_bank *bank);
void pmc_x86_exit(void);
int pmc_x86_claim(unsigned int cpu, const struct pmc_hw_event *ev,
		  struct pmc_err *err);
void pmc_x86_release(unsigned int cpu, unsigned int slot);
void pmc_x86_suspend(struct pmc_cpu *cpu);
void pmc_x86_resume(struct pmc_cpu *cpu);

/* intel_extra_claim.c */
int pmc_intel_claim_extra(const struct pmc_core_type *ct,
			  struct pmc_hw_event *ev, struct pmc_err *err);
void pmc_intel_release_extra(const struct pmc_core_type *ct,
			     const struct pmc_hw_event *ev);
bool pmc_intel_write_extras(const struct pmc_x86_pmu *pmu);

/* x86_dirty.c */
int pmc_x86_clean(unsigned int cpu);

/* x86_vpmu.c */
int pmc_x86_vpmu_init(void);
void pmc_x86_vpmu_exit(void);
int pmc_x86_vpmu_refuse(unsigned int cpu);
void pmc_x86_vpmu_allow(void);

/* x86_nmi.c */
int pmc_x86_nmi_start(void);
void pmc_x86_nmi_stop(void);
void pmc_x86_unmask(void);
u64 pmc_x86_pmi(struct pmc_cpu *cpu);
void pmc_x86_forget_overflow(struct pmc_x86_cpu *x, unsigned int slot);

/* x86_rdpmc.c */
void pmc_x86_user_init(void);
void pmc_x86_hook_mappings(void);
void pmc_x86_unhook_mappings(void);
bool pmc_x86_has_driver(void);
int pmc_x86_user_policy(void);
void pmc_x86_user_map(struct mm_struct *mm);
void pmc_x86_user_unmap(struct mm_struct *mm);
void pmc_x86_user_fork(struct mm_struct *mm);

/* Operations that all backends have in common. */
#define PMC_X86_OPERATIONS						\
	.modes = PMC_X86_USR | PMC_X86_OS,				\
	.direct = true,							\
	.user_policy = pmc_x86_user_policy,				\
	.user_map = pmc_x86_user_map,					\
	.user_unmap = pmc_x86_user_unmap,				\
	.user_fork = pmc_x86_user_fork

/* And those that share their counters with perf. */
#define PMC_X86_SHARED							\
	PMC_X86_OPERATIONS,						\
	.bound_extra = true,						\
	.counters = pmc_x86_shared_counters,				\
	.claim = pmc_x86_shared_claim,					\
	.fit = pmc_x86_shared_fit,					\
	.release = pmc_kcounter_release,				\
	.reacquire = pmc_x86_shared_reacquire,				\
	.load = pmc_x86_shared_load,					\
	.unload = pmc_x86_shared_unload,				\
	.arm = pmc_x86_shared_arm,					\
	.disarm = pmc_x86_shared_disarm,				\
	.caliper = pmc_x86_shared_caliper,				\
	.clear_dirty = pmc_x86_shared_clear_dirty,			\
	.suspend = pmc_kcounters_suspend,				\
	.resume = pmc_kcounters_resume,				\
	.track_moves = pmc_x86_track_moves,				\
	.untrack_moves = pmc_x86_untrack_moves,				\
	.exit = pmc_x86_shared_exit

/* And those that have them for themselves. */
#define PMC_X86_EXCLUSIVE						\
	PMC_X86_OPERATIONS,						\
	.claim = pmc_x86_claim,						\
	.release = pmc_x86_release,					\
	.load = pmc_x86_load,						\
	.unload = pmc_x86_unload,					\
	.arm = pmc_x86_arm,						\
	.disarm = pmc_x86_disarm,					\
	.pmi = pmc_x86_pmi,						\
	.caliper = pmc_x86_caliper,					\
	.clear_dirty = pmc_x86_clear_dirty,				\
	.suspend = pmc_x86_suspend,					\
	.resume = pmc_x86_resume,					\
	.exit = pmc_x86_exit

#endif /* PMC_X86_H */
