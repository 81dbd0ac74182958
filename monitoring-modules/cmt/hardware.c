// SPDX-License-Identifier: GPL-2.0
/*
 * The registers of Intel's cache monitoring and allocation (SDM vol. 3B, "Intel
 * Resource Director Technology (Intel RDT) Monitoring Features" and "... Allocation
 * Features"), and of AMD's, which are the same (AMD64 Technology Platform Quality
 * of Service Extensions, 56375).
 */
#include <asm/cpufeature.h>
#include <linux/bits.h>
#include <linux/irqflags.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "hardware.h"
#include "mbm_extend.h"
#include "resctrl.h"

/* QM_EVTSEL and QM_CTR are a pair: one selects the value of the other. */
#define MSR_QM_EVTSEL	0xc8d
#define MSR_QM_CTR	0xc8e
#define MSR_L3_MASK	0xc90

/* AMD, of a cache: bit 0 switches on ABMC, which CPUID leaf 0x80000020 EBX has */
#define MSR_L3_EXT_CFG	0xc00003ff
#define LEAF_PQOS	0x80000020
#define PQOS_ABMC	BIT(5)

#define QM_CTR_ERROR	BIT_ULL(63)
#define QM_CTR_UNAVAIL	BIT_ULL(62)

/* Both in EDX: of leaf 0xf the resources monitored, of 0x10 EBX those allocated. */
#define RESOURCE_L3	BIT(1)

/* How often an NMI tries to get a shared pair: longer than a reading takes. */
#define NMI_TRIES	100

struct cmt_hardware cmt_hw;

/* For the pair that this CPU shares; NULL: it has its own, or does not read. */
static DEFINE_PER_CPU(raw_spinlock_t *, pair_lock);

/* Leaf 4, or AMD's like it: the L3 cache. Return: is there one? */
static bool l3_leaf(u32 *eax, u32 *ebx, u32 *ecx)
{
	u32 leaf = boot_cpu_data.x86_vendor == X86_VENDOR_INTEL ? 4 : 0x8000001d;
	u32 i, edx;

	for (i = 0; i < 8; i++) {
		cpuid_count(leaf, i, eax, ebx, ecx, &edx);
		if (!(*eax & 0x1f))
			return false;
		if ((*eax >> 5 & 7) == 3)
			return true;
	}
	return false;
}

static u64 l3_size(void)
{
	u32 eax, ebx, ecx;

	if (!l3_leaf(&eax, &ebx, &ecx))
		return 0;
	return (u64)((ebx >> 22) + 1) * ((ebx >> 12 & 0x3ff) + 1) *
	       ((ebx & 0xfff) + 1) * (ecx + 1);
}

/**
 * cmt_cache_id - which L3 cache this CPU has
 *
 * CPUs that share it have the same APIC ID, without the low bits whose number is
 * in CPUID.
 */
u32 cmt_cache_id(void)
{
	u32 eax, ebx, ecx, shared;

	if (!l3_leaf(&eax, &ebx, &ecx))
		return 0;
	shared = (eax >> 14 & 0xfff) + 1;
	ecx = cpuid_eax(0) >= 0xb ? cpuid_edx(0xb) : cpuid_ebx(1) >> 24;
	return ecx >> order_base_2(shared);
}

/**
 * cmt_traffic_assigned - does this CPU's cache count assigned traffic only?
 *
 * With AMD's ABMC (assignable bandwidth monitoring counters) there is traffic of only
 * those RMIDs that a counter was assigned to. From 6.18 on Linux switches it on at boot,
 * whether resctrl is mounted or not.
 */
bool cmt_traffic_assigned(void)
{
	u64 value;

	return boot_cpu_data.x86_vendor == X86_VENDOR_AMD &&
	       cpuid_eax(0x80000000) >= LEAF_PQOS &&
	       (cpuid_ebx(LEAF_PQOS) & PQOS_ABMC) &&
	       !rdmsrq_safe(MSR_L3_EXT_CFG, &value) && (value & 1);
}

static void find_errata(void)
{
	const struct cpuinfo_x86 *c = &boot_cpu_data;
	bool intel = c->x86_vendor == X86_VENDOR_INTEL && c->x86 == 6;

	cmt_hw.errata = cmt_errata_of(intel ? c->x86_model : 0, c->x86_stepping,
				      cmt_hw.nr_rmids);
	cmt_hw.pair_shared = c->x86_vendor == X86_VENDOR_AMD &&
			     cmt_pair_shared(c->x86, c->x86_model);
}

static void find_allocation(void)
{
	u32 eax, ebx, ecx, edx;

	cmt_hw.nr_classes = 0;
	if (cmt_hw.errata.allocation || cpuid_eax(0) < 0x10 || !(cpuid_ebx(7) & BIT(15)) ||
	    !(cpuid_ebx(0x10) & RESOURCE_L3))
		return;
	cpuid_count(0x10, 1, &eax, &ebx, &ecx, &edx);
	cmt_hw.nr_classes = (edx & 0xffff) + 1;
	cmt_hw.ways = (eax & 0x1f) + 1;
	cmt_hw.gaps = boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
		      (ecx & BIT(3));
}

/**
 * cmt_find_hardware - ask CPUID for it
 *
 * Return: can the processors monitor their L3 caches?
 */
bool cmt_find_hardware(void)
{
	u32 eax, ebx, ecx, edx, more;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL &&
	    boot_cpu_data.x86_vendor != X86_VENDOR_AMD)
		return false;
	if (cpuid_eax(0) < 0xf || !(cpuid_ebx(7) & BIT(12)) ||
	    !(cpuid_edx(0xf) & RESOURCE_L3))
		return false;
	cpuid_count(0xf, 1, &eax, &ebx, &ecx, &edx);
	cmt_hw.nr_rmids = min(ecx, cpuid_ebx(0xf)) + 1;
	cmt_hw.events = (edx & 7) << CMT_OCCUPANCY;
	cmt_hw.assigned = false;
	cmt_hw.scale = ebx;
	/* 24 bits and as many more; where AMD does not say so, 44. */
	more = eax & 0xff;
	if (!more && boot_cpu_data.x86_vendor == X86_VENDOR_AMD)
		more = 20;
	cmt_hw.mask = GENMASK_ULL(min(24 + more, 62U) - 1, 0);
	cmt_hw.cache = l3_size();
	find_errata();
	find_allocation();
	return cmt_hw.nr_rmids > 1 && cmt_hw.scale &&
	       (cmt_hw.events & BIT(CMT_OCCUPANCY));
}

/**
 * cmt_set_pair_lock - by which this CPU's readings are kept apart from others'
 * @lock: lock of its cache, before the CPU's first reading; NULL: after its last one
 *
 * Context: Process, on this CPU only.
 */
void cmt_set_pair_lock(raw_spinlock_t *lock)
{
	if (!cmt_hw.pair_shared)
		lock = NULL;
	this_cpu_write(pair_lock, lock);
}

static u64 select_and_read(u32 rmid, enum cmt_event event)
{
	u64 selected, value;

	rdmsrq(MSR_QM_EVTSEL, selected);
	wrmsr(MSR_QM_EVTSEL, event, rmid);
	rdmsrq(MSR_QM_CTR, value);
	wrmsrq(MSR_QM_EVTSEL, selected);
	return value & (QM_CTR_ERROR | QM_CTR_UNAVAIL) ? CMT_UNAVAILABLE : value;
}

static u64 read_locked(raw_spinlock_t *lock, u32 rmid, enum cmt_event event)
{
	u64 value;

	raw_spin_lock(lock);
	value = select_and_read(rmid, event);
	raw_spin_unlock(lock);
	return value;
}

/* An NMI must not wait: it may have interrupted the owner of the lock. */
static u64 read_locked_in_nmi(raw_spinlock_t *lock, u32 rmid, enum cmt_event event)
{
	u64 value;
	int i;

	for (i = 0; i < NMI_TRIES; i++) {
		if (raw_spin_trylock(lock)) {
			value = select_and_read(rmid, event);
			raw_spin_unlock(lock);
			return value;
		}
		cpu_relax();
	}
	return CMT_BUSY;
}

/**
 * cmt_read_raw - read a counter of this CPU's cache
 * @rmid: the RMID
 * @event: the event
 *
 * The interrupted code (ours, or the kernel's resctrl) may be using the pair of
 * registers, so the selection is put back. On this CPU only an NMI, which does the
 * same, comes between.
 *
 * Each logical processor has a pair of its own: on Intel's (SDM vol. 4, Xeon E5 v3
 * and others: QM_EVTSEL has scope "Thread"), and on AMD's from Zen 4 on. On AMD's
 * before that, see cmt_pair_shared(), another CPU that reads at the same time would
 * get the number of this one's RMID. Only there, readings of a cache are kept apart
 * by a lock, although that is taken at context switches: it is held for four accesses
 * to registers, and nothing else is taken under it.
 *
 * Once the registers are lost, their new user's selection is not touched.
 *
 * Context: Any, NMI included.
 * Return: its value in units, or CMT_UNAVAILABLE; in an NMI also CMT_BUSY.
 */
u64 cmt_read_raw(u32 rmid, enum cmt_event event)
{
	raw_spinlock_t *lock;
	unsigned long flags;
	u64 value;

	if (!(cmt_hw.events & BIT(event)) || READ_ONCE(cmt_lost))
		return CMT_UNAVAILABLE;
	local_irq_save(flags);
	lock = this_cpu_read(pair_lock);
	if (!lock)
		value = select_and_read(rmid, event);
	else if (in_nmi())
		value = read_locked_in_nmi(lock, rmid, event);
	else
		value = read_locked(lock, rmid, event);
	local_irq_restore(flags);
	return value;
}

u64 cmt_read_mask(u32 class)
{
	u64 mask;

	rdmsrq(MSR_L3_MASK + class, mask);
	return mask;
}

void cmt_write_mask(u32 class, u64 mask)
{
	wrmsrq(MSR_L3_MASK + class, mask);
}
