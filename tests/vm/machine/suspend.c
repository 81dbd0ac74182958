// SPDX-License-Identifier: GPL-2.0
/*
 * When it is suspended, the emulated machine loses the same state as a real one: the
 * contents of its cache and of its CPUs' registers. All counters start again.
 */
#include <string.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"
#include "worker.h"
#include "suspend.h"

#ifndef __x86_64__

int main(void)
{
	die("only x86 has these registers");
}

#else

#include <cpuid.h>

#define MPERF		0xe7
#define APERF		0xe8
#define THERM_INTERRUPT	0x19b

#define CPUS		4
#define RMID		5
#define CLASS		1

/*
 * The greatest energy of a ns, in nJ: that of the platform with all CPUs on big cores. CPUs
 * are emulated alternately, so one instruction of 4 nJ is executed in a ns.
 */
#define MOST		((2 + 4) + (1 + 2) / 4. + 3)

static const uint32_t intel_energy[] = { 0x611, 0x619, 0x639, 0x64d };
static const uint32_t amd_energy[] = { 0xc001029a, 0xc001029b };

static bool amd;
static double unit;	/* nJ */
/* CLOCK_MONOTONIC before the last suspend; the clock does not include suspended time */
static long long slept_at;

static uint64_t counter(int rmid, int event)
{
	write_msr(0, QM_EVTSEL, (uint64_t)rmid << 32 | event);
	return read_msr(0, QM_CTR);
}

static void associate(int rmid, int class)
{
	write_msr(0, PQR_ASSOC, (uint64_t)class << 32 | rmid);
}

/*
 * Check lines, in bytes: other work on the CPU may add some. After a resume that is much.
 */
static void bytes(uint64_t lines, long expected, const char *what)
{
	within(lines * LINE, expected, expected + CACHE / 4, "%s", what);
}

static void sleeps(void)
{
	slept_at = now(CLOCK_MONOTONIC);
	suspend();
}

/* Upper limit of the ns since the resume. */
static long long awake(void)
{
	return now(CLOCK_MONOTONIC) - slept_at;
}

static void cache(void)
{
	uint64_t total;

	write_msr(0, L3_MASK + CLASS, 0xf);
	/* Evict the lines of earlier tests. */
	load_memory(CACHE, 4 * CACHE);
	associate(RMID, 0);
	total = counter(RMID, QM_TOTAL);
	load_memory(0, CACHE / 2);
	bytes(counter(RMID, QM_OCCUPANCY), CACHE / 2, "occupancy before it sleeps");
	bytes(counter(RMID, QM_TOTAL) - total, CACHE / 2, "traffic before it sleeps");
	sleeps();
	same(read_msr(0, PQR_ASSOC), 0, "PQR_ASSOC when it is awake");
	same(read_msr(0, L3_MASK + CLASS), 0xffff, "the class's mask when it is awake");
	same(counter(RMID, QM_OCCUPANCY), 0, "occupancy when it is awake");
	same(counter(RMID, QM_TOTAL), QM_UNAVAILABLE, "traffic when it is awake");
	associate(RMID, 0);
	total = counter(RMID, QM_TOTAL);
	bytes(total, 0, "traffic when it has the RMID again");
	/* The cache is empty. */
	load_memory(0, CACHE / 2);
	bytes(counter(RMID, QM_TOTAL) - total, CACHE / 2, "fetched again");
	bytes(counter(RMID, QM_OCCUPANCY), CACHE / 2, "occupancy after that");
	associate(0, 0);
}

static void energy(void)
{
	const uint32_t *msr = amd ? amd_energy : intel_energy;
	int nr = amd ? 2 : 4, i;
	/* See scripts/vm. */
	uint32_t start = amd ? 0xff800000 : 0xffe00000, before[4];
	long long most;

	spin(500000000);
	for (i = 0; i < nr; i++)
		before[i] = read_msr(0, msr[i]) - start;
	sleeps();
	for (i = 0; i < nr; i++) {
		uint32_t value = read_msr(0, msr[i]) - start;

		most = awake() * MOST / unit;
		within(value, 1, most, "MSR %x when it is awake", msr[i]);
		CHECK(before[i] > value, "MSR %x had spent %u, and has %u when it is awake",
		      msr[i], before[i], value);
	}
}

static void clocks(void)
{
	uint64_t before[CPUS][2];
	int cpu, i;

	for (cpu = 0; cpu < CPUS; cpu++) {
		pin(0, cpu);
		spin(200000000);
		for (i = 0; i < 2; i++)
			before[cpu][i] = read_msr(cpu, MPERF + i);
	}
	pin(0, 0);
	sleeps();
	for (cpu = 0; cpu < CPUS; cpu++)
		for (i = 0; i < 2; i++) {
			/* A small core takes two cycles for an instruction of a ns. */
			uint64_t value = read_msr(cpu, MPERF + i);

			within(value, 1, 2 * awake(), "MSR %x of CPU %d when it is awake",
			       MPERF + i, cpu);
			CHECK(before[cpu][i] > value, "MSR %x of CPU %d was %llu and is %llu",
			      MPERF + i, cpu, (long long)before[cpu][i], (long long)value);
		}
}

/* After the resume the kernel enables its interrupts again, and does not set thresholds. */
static void thresholds(void)
{
	uint64_t bits = 1 << 15 | 20 << 8;
	int cpu;

	if (amd)
		return;
	for (cpu = 0; cpu < CPUS; cpu++)
		write_msr(cpu, THERM_INTERRUPT, read_msr(cpu, THERM_INTERRUPT) | bits);
	sleeps();
	for (cpu = 0; cpu < CPUS; cpu++)
		same(read_msr(cpu, THERM_INTERRUPT) & bits, 0, "CPU %d's threshold", cpu);
}

int main(void)
{
	unsigned int a, b, c, d;

	__cpuid(0, a, b, c, d);
	amd = b == signature_AMD_ebx;
	unit = 1e9 / (1 << (amd ? 16 : 14));
	if (!can_suspend())
		die("this machine can't be suspended to memory");
	/* Wait for the kernel's work after its boot. */
	sleep(5);
	pin(0, 0);
	worker_memory(5 * CACHE);
	cache();
	energy();
	clocks();
	thresholds();
	return result();
}

#endif
