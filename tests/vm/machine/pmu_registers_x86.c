// SPDX-License-Identifier: GPL-2.0
/*
 * A test of the emulated x86 PMUs' registers, by the manuals: the registers of each type
 * of core, the bits that they accept, the refusal (#GP) of all others, and the effect of
 * some bits.
 */
#include <cpuid.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"
#include "perf.h"

#define BIT(n)		(1ull << (n))
#define BITS(n)		(BIT(n) - 1)
#define ALL		(~0ull)
#define SIGN_EXTENDED	(ALL << 31)

/* Intel */
#define PMC0			0x0c1
#define PERFEVTSEL0		0x186
#define DEBUGCTL		0x1d9
#define FIXED_CTR0		0x309
#define PERF_METRICS		0x329
#define PERF_CAPABILITIES	0x345
#define FIXED_CTR_CTRL		0x38d
#define GLOBAL_STATUS		0x38e
#define GLOBAL_CTRL		0x38f
#define STATUS_RESET		0x390
#define STATUS_SET		0x391
#define GLOBAL_INUSE		0x392
#define A_PMC0			0x4c1

#define FULL_WIDTH_WRITE	BIT(13)
#define FREEZE_PERFMON_ON_PMI	BIT(12)
#define MAX_GENERAL		8
#define MAX_FIXED		4
#define ANY_THREAD		BIT(21)
#define USER			BIT(16)
#define ENABLE			BIT(22)
#define LOADS			0x81d0

/* AMD */
#define LEGACY_CTL0		0xc0010000
#define LEGACY_CTR0		0xc0010004
#define PERF_CTL0		0xc0010200
#define AMD_GLOBAL_STATUS	0xc0000300
#define AMD_GLOBAL_CTL		0xc0000301
#define AMD_STATUS_CLR		0xc0000302
#define AMD_STATUS_SET		0xc0000303
#define MPERF_READONLY		0xc00000e7
#define AMD_COUNTERS		6
#define AMD_WIDTH		48
#define AMD_FROZEN		(BIT(58) | BIT(59))

static void is_absent(int cpu, uint32_t msr)
{
	CHECK(!msr_is_there(cpu, msr), "CPU %d: MSR %x is there", cpu, msr);
	msr_refuses(cpu, msr, 0);
}

static void is_read_only(int cpu, uint32_t msr)
{
	CHECK(msr_is_there(cpu, msr), "CPU %d: MSR %x is not there", cpu, msr);
	msr_refuses(cpu, msr, 0);
	msr_refuses(cpu, msr, read_msr(cpu, msr) ^ 1);
}

/* A register that accepts some bits and refuses the others. */
static void takes(int cpu, uint32_t msr, uint64_t bits)
{
	uint64_t was = read_msr(cpu, msr);
	int i;

	for (i = 0; i < 64; i++) {
		if (!(bits & BIT(i))) {
			msr_refuses(cpu, msr, BIT(i));
			continue;
		}
		same(try_write_msr(cpu, msr, BIT(i)), 0, "CPU %d: bit %d of MSR %x", cpu, i, msr);
		same(read_msr(cpu, msr), BIT(i), "CPU %d: MSR %x", cpu, msr);
	}
	write_msr(cpu, msr, was);
}

/* A register that accepts all bits, and keeps some. */
static void keeps(int cpu, uint32_t msr, uint64_t bits)
{
	uint64_t was = read_msr(cpu, msr);

	write_msr(cpu, msr, ALL);
	same(read_msr(cpu, msr), bits, "CPU %d: MSR %x", cpu, msr);
	write_msr(cpu, msr, was);
}

/* ---- Intel ---- */

/* Fixed counters' bits: OS, USR and PMI, of four each; AnyThread is gone. */
static uint64_t fixed_bits(int fixed)
{
	uint64_t bits = 0;

	while (fixed--)
		bits = bits << 4 | 0xb;
	return bits;
}

static void intel_registers(int cpu, bool big)
{
	bool wide = read_msr(cpu, PERF_CAPABILITIES) & FULL_WIDTH_WRITE;
	int general = big ? 8 : 6, fixed = big ? 4 : 3, i;
	uint64_t counters = BITS(general) | BITS(fixed) << 32;

	for (i = 0; i < MAX_GENERAL; i++) {
		if (i >= general) {
			is_absent(cpu, PERFEVTSEL0 + i);
			is_absent(cpu, PMC0 + i);
			is_absent(cpu, A_PMC0 + i);
			continue;
		}
		takes(cpu, PERFEVTSEL0 + i, BITS(32) & ~ANY_THREAD);
		write_msr(cpu, PMC0 + i, 0x80000000);
		same(read_msr(cpu, PMC0 + i), SIGN_EXTENDED & BITS(48), "PMC%d, negative", i);
		write_msr(cpu, PMC0 + i, 0x7fffffff);
		same(read_msr(cpu, PMC0 + i), 0x7fffffff, "PMC%d", i);
		if (!wide) {
			is_absent(cpu, A_PMC0 + i);
			continue;
		}
		takes(cpu, A_PMC0 + i, BITS(48));
		write_msr(cpu, A_PMC0 + i, 0x123456789abc);
		same(read_msr(cpu, PMC0 + i), 0x123456789abc, "PMC%d by its other name", i);
	}
	for (i = 0; i < MAX_FIXED; i++)
		if (i < fixed)
			takes(cpu, FIXED_CTR0 + i, BITS(48));
		else
			is_absent(cpu, FIXED_CTR0 + i);
	takes(cpu, FIXED_CTR_CTRL, fixed_bits(fixed));
	/* Big cores also have the use of slots */
	takes(cpu, GLOBAL_CTRL, counters | (big ? BIT(48) : 0));
	/* LBR, BTF, TR, BTS, BTINT, BTS_OFF_*, FREEZE_LBRS, _PERFMON, _WHILE_SMM */
	takes(cpu, DEBUGCTL, 0x5fc3);
	is_read_only(cpu, GLOBAL_STATUS);
	is_read_only(cpu, GLOBAL_INUSE);
	is_read_only(cpu, PERF_CAPABILITIES);
	if (!big)
		is_absent(cpu, PERF_METRICS);
}

/* One register sets bits of the status, another one clears them. */
static void intel_status(int cpu, bool big)
{
	uint64_t bits = (big ? BITS(8) | BITS(4) << 32 | BIT(48) : BITS(6) | BITS(3) << 32) |
			BIT(58) | BIT(59) | BIT(61) | BIT(62) | BIT(63);
	int i;

	for (i = 0; i < 64; i++) {
		if (!(bits & BIT(i))) {
			msr_refuses(cpu, STATUS_SET, BIT(i));
			msr_refuses(cpu, STATUS_RESET, BIT(i));
			continue;
		}
		write_msr(cpu, STATUS_SET, BIT(i));
		same(read_msr(cpu, GLOBAL_STATUS), BIT(i), "CPU %d: status, set", cpu);
		write_msr(cpu, STATUS_RESET, bits & ~BIT(i));
		same(read_msr(cpu, GLOBAL_STATUS), BIT(i), "CPU %d: others reset", cpu);
		write_msr(cpu, STATUS_RESET, BIT(i));
		same(read_msr(cpu, GLOBAL_STATUS), 0, "CPU %d: status, reset", cpu);
	}
}

static void intel_in_use(int cpu)
{
	int i;

	/* perf leaves the registers unchanged, except for the enable bit. */
	for (i = 0; i < MAX_GENERAL && msr_is_there(cpu, PERFEVTSEL0 + i); i++)
		write_msr(cpu, PERFEVTSEL0 + i, 0);
	write_msr(cpu, FIXED_CTR_CTRL, 0);
	same(read_msr(cpu, GLOBAL_INUSE), 0, "CPU %d: counters in use", cpu);
	write_msr(cpu, PERFEVTSEL0 + 2, 0xc0);
	same(read_msr(cpu, GLOBAL_INUSE), BIT(2), "CPU %d: one in use", cpu);
	write_msr(cpu, FIXED_CTR_CTRL, 0xa << 4);
	same(read_msr(cpu, GLOBAL_INUSE), BIT(2) | BIT(33) | BIT(63),
	     "CPU %d: two in use, and the interrupt", cpu);
	write_msr(cpu, FIXED_CTR_CTRL, 0);
	write_msr(cpu, PERFEVTSEL0 + 2, 0);
}

/*
 * Make the fixed counter of instructions overflow and interrupt. The kernel has an event on
 * another counter, and so a handler, which stops all counters for a while. Return: the
 * counter's value at the end.
 */
static uint64_t overflow(int cpu, uint64_t debugctl)
{
	const int loops = 20000;
	uint64_t was = read_msr(cpu, DEBUGCTL), shown;

	write_msr(cpu, DEBUGCTL, debugctl);
	write_msr(cpu, FIXED_CTR0, BIT(48) - loops);
	write_msr(cpu, FIXED_CTR_CTRL, 0xb);
	write_msr(cpu, GLOBAL_CTRL, BIT(32));
	spin(loops);
	shown = read_msr(cpu, FIXED_CTR0);
	write_msr(cpu, FIXED_CTR_CTRL, 0);
	write_msr(cpu, DEBUGCTL, was);
	CHECK(shown < BIT(47), "CPU %d: no overflow", cpu);
	return shown;
}

/* Between the overflow and the kernel's stop, a counter counts or is frozen. */
static void intel_freeze(int cpu, int other)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .disabled = 1 };
	int fd = perf_open(&attr, -1, other, -1), i;
	uint64_t counts = BIT(48), stands = BIT(48), shown;

	pin(0, cpu);
	/* Other effects only increase the value. */
	for (i = 0; i < 10; i++) {
		shown = overflow(cpu, 0);
		counts = shown < counts ? shown : counts;
		shown = overflow(cpu, FREEZE_PERFMON_ON_PMI);
		stands = shown < stands ? shown : stands;
	}
	unpin(0);
	within(counts - stands, 50, 5000, "CPU %d: instructions until the kernel stops it", cpu);
	close(fd);
}

/* Loads in user mode that a general counter counts. */
static uint64_t loads_counted(int counter, int cpu)
{
	volatile long word = 0;
	int rounds = 1000;

	write_msr(cpu, GLOBAL_CTRL, BIT(counter));
	write_msr(cpu, PMC0 + counter, 0);
	write_msr(cpu, PERFEVTSEL0 + counter, ENABLE | USER | LOADS);
	while (rounds--)
		(void)word;
	write_msr(cpu, PERFEVTSEL0 + counter, 0);
	return read_msr(cpu, PMC0 + counter);
}

/* On big cores some events are for the first four counters. */
static void intel_constraints(int cpu, bool big)
{
	int counter;

	pin(0, cpu);
	for (counter = 3; counter <= 5; counter++) {
		uint64_t loads = loads_counted(counter, cpu);

		if (big && counter >= 4)
			same(loads, 0, "CPU %d: loads on counter %d", cpu, counter);
		else
			within(loads, 1000, 100000, "CPU %d: loads on counter %d", cpu, counter);
	}
	unpin(0);
}

static void intel(int cpu, int other)
{
	uint64_t was = read_msr(cpu, GLOBAL_CTRL);
	unsigned int eax = 0, ebx, ecx, edx;
	bool big;

	pin(0, cpu);
	__cpuid_count(0x1a, 0, eax, ebx, ecx, edx);
	unpin(0);
	big = eax >> 24 == 0x40;
	CHECK(big || eax >> 24 == 0x20, "CPU %d is of kind %x", cpu, eax >> 24);
	/*
	 * perf leaves counters unchanged. A counter that keeps counting while bits of its
	 * control register are tested may overflow, and nothing would handle that.
	 */
	write_msr(cpu, GLOBAL_CTRL, 0);
	intel_registers(cpu, big);
	intel_status(cpu, big);
	intel_constraints(cpu, big);
	write_msr(cpu, GLOBAL_CTRL, was);
	intel_in_use(cpu);
	intel_freeze(cpu, other);
}

/* ---- AMD ---- */

/* The first four counters have two sets of addresses, all six have one. */
static void amd_counters(int cpu)
{
	int i;

	for (i = 0; i < AMD_COUNTERS; i++) {
		uint32_t ctl = PERF_CTL0 + 2 * i, ctr = ctl + 1;

		/* Bits 19 and 21, and those above the event's number, are reserved. */
		keeps(cpu, ctl, BITS(36) & ~(BIT(19) | BIT(21)));
		keeps(cpu, ctr, BITS(AMD_WIDTH));
		if (i >= 4)
			continue;
		write_msr(cpu, LEGACY_CTL0 + i, 0x100c0 + i);
		same(read_msr(cpu, ctl), 0x100c0 + i, "counter %d: control", i);
		write_msr(cpu, ctl, 0);
		same(read_msr(cpu, LEGACY_CTL0 + i), 0, "counter %d: control, the old way", i);
		write_msr(cpu, LEGACY_CTR0 + i, 1234 + i);
		same(read_msr(cpu, ctr), 1234 + i, "counter %d", i);
		write_msr(cpu, ctr, 0);
		same(read_msr(cpu, LEGACY_CTR0 + i), 0, "counter %d, the old way", i);
	}
	is_read_only(cpu, MPERF_READONLY);
}

static void amd_global(int cpu)
{
	int i;

	takes(cpu, AMD_GLOBAL_CTL, BITS(AMD_COUNTERS));
	is_read_only(cpu, AMD_GLOBAL_STATUS);
	write_msr(cpu, AMD_STATUS_SET, ALL);
	same(read_msr(cpu, AMD_GLOBAL_STATUS), BITS(AMD_COUNTERS) | AMD_FROZEN, "status, set");
	for (i = 0; i < AMD_COUNTERS; i++)
		write_msr(cpu, AMD_STATUS_CLR, BIT(i));
	same(read_msr(cpu, AMD_GLOBAL_STATUS), AMD_FROZEN, "status, counters cleared");
	write_msr(cpu, AMD_STATUS_CLR, ALL);
	same(read_msr(cpu, AMD_GLOBAL_STATUS), 0, "status, cleared");
}

static void amd(int cpu)
{
	unsigned int eax = 0, ebx, ecx, edx;
	uint32_t msr;

	amd_counters(cpu);
	__get_cpuid(0x80000022, &eax, &ebx, &ecx, &edx);
	if (eax & 1)
		amd_global(cpu);
	else
		for (msr = AMD_GLOBAL_STATUS; msr <= AMD_STATUS_SET; msr++)
			is_absent(cpu, msr);
}

int main(void)
{
	int last = sysconf(_SC_NPROCESSORS_ONLN) - 1;
	unsigned int max, ebx = 0, ecx, edx;

	__get_cpuid(0, &max, &ebx, &ecx, &edx);
	if (ebx == signature_INTEL_ebx) {
		intel(0, last);
		intel(last, 0);
	} else {
		amd(0);
		amd(last);
	}
	return result();
}
