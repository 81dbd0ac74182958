// SPDX-License-Identifier: GPL-2.0
/*
 * The emulated machine's energy counters are as documented, to the unit, and the kernel's
 * own driver reads the same: energy as a function of work and core type, counters that wrap.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"
#include "perf.h"

#ifndef __x86_64__

int main(void)
{
	die("only x86 has these registers");
}

#else

#include <cpuid.h>
#include <x86intrin.h>

#define INTEL_UNITS	0x606
#define INTEL_PACKAGE	0x611
#define INTEL_DRAM	0x619
#define INTEL_CORES	0x639
#define INTEL_GRAPHICS	0x641
#define INTEL_PLATFORM	0x64d
#define AMD_UNITS	0xc0010299
#define AMD_CORE	0xc001029a
#define AMD_PACKAGE	0xc001029b

/* Initial value of the machine's counters, 128 J before they wrap; see scripts/vm. */
#define START		(amd ? 0xff800000 : 0xffe00000)

/* Energy of an instruction, and of a ns of an idle machine, nJ */
#define P_CORE		4
#define E_CORE		1
#define WAITING		2

#define LOOPS		50000000l

static bool amd;
static double unit;	/* nJ */

static uint32_t energy(int cpu, uint32_t msr)
{
	uint64_t value = read_msr(cpu, msr);

	same(value >> 32, 0, "upper half of MSR %x", msr);
	return value;
}

static long long to_units(double nanojoule)
{
	return nanojoule / unit;
}

/* Energy of all cores; on AMD, of one core. */
static uint32_t cores(int cpu)
{
	return energy(cpu, amd ? AMD_CORE : INTEL_CORES);
}

/* The counters are read with few instructions in between, so that they cover the same time. */
static void static_parts(void)
{
	long long ns, package, core = 0, dram, platform;
	int cpu;

	pin(0, 0);
	package = energy(0, amd ? AMD_PACKAGE : INTEL_PACKAGE);
	ns = __rdtsc();
	if (amd) {
		for (cpu = 0; cpu < 4; cpu++)
			core += (uint32_t)(cores(cpu) - START);
		/* Reading the counters of other CPUs takes longer. */
		within((uint32_t)(package - START) - core, to_units(WAITING * ns) - 500,
		       to_units(WAITING * ns) + 20, "AMD: package less cores");
		return;
	}
	dram = energy(0, INTEL_DRAM);
	platform = energy(0, INTEL_PLATFORM);
	core = cores(0);
	within((uint32_t)(package - core), to_units(WAITING * ns) - 15,
	       to_units(WAITING * ns) + 15, "package less cores");
	within((uint32_t)(platform - package - dram + START), to_units(3. * ns) - 15,
	       to_units(3. * ns) + 15, "platform less package less DRAM");
}

static void work_on(int cpu, int per_instruction)
{
	uint32_t before, used;
	long long work = to_units(2. * LOOPS * per_instruction);

	pin(0, cpu);
	before = cores(cpu);
	spin(LOOPS);
	used = cores(cpu) - before;
	/* The kernel's own work while the loop runs is below 3 %, on every core. */
	within(used, work, work + to_units(2. * LOOPS * P_CORE) * 3 / 100, "energy of the cores, working on CPU %d", cpu);
}

/* perf's PMU for energy counts in 2^-32 J. */
static void perf_agrees(void)
{
	struct perf_event_attr attr = { .config = 2 };
	uint64_t before, after;
	uint32_t hw;
	int fd;

	load_driver("rapl");
	attr.type = file_number("/sys/bus/event_source/devices/power/type");
	fd = perf_open(&attr, -1, 0, -1);
	pin(0, 0);
	hw = energy(0, amd ? AMD_PACKAGE : INTEL_PACKAGE);
	if (hw < START)
		die("the counter has wrapped before: this test is to be among the first");
	if (read(fd, &before, sizeof(before)) != sizeof(before))
		die("energy-pkg cannot be read: %s", strerror(errno));
	/* Until the 32 bits have wrapped; a minute at most */
	do {
		sleep(5);
	} while (energy(0, amd ? AMD_PACKAGE : INTEL_PACKAGE) >= hw);
	hw = energy(0, amd ? AMD_PACKAGE : INTEL_PACKAGE) - hw;
	if (read(fd, &after, sizeof(after)) != sizeof(after))
		die("energy-pkg cannot be read: %s", strerror(errno));
	within((after - before) >> (amd ? 16 : 18), hw - 20, hw + 20,
	       "perf's energy-pkg over a wrap, in the counter's units");
	close(fd);
}

int main(void)
{
	unsigned int a, b, c, d, bits;
	long long t;

	__cpuid(0, a, b, c, d);
	amd = b == signature_AMD_ebx;
	bits = amd ? 16 : 14;
	unit = 1e9 / (1 << bits);
	same(read_msr(0, amd ? AMD_UNITS : INTEL_UNITS), 0xa0003 | bits << 8, "the units");
	if (amd) {
		__cpuid(0x80000007, a, b, c, d);
		same(d >> 14 & 1, 1, "CPUID 80000007h EDX[14]");
	} else {
		same(read_msr(0, INTEL_GRAPHICS), 0, "energy of graphics");
	}
	msr_refuses(0, amd ? AMD_PACKAGE : INTEL_PACKAGE, 0);

	/* Wait for the kernel's work after its boot. */
	sleep(5);
	static_parts();
	work_on(0, P_CORE);
	work_on(1, P_CORE);
	work_on(2, E_CORE);
	work_on(3, E_CORE);

	/* While waiting, only the static part is used. */
	t = __rdtsc();
	a = cores(3);
	b = energy(3, amd ? AMD_PACKAGE : INTEL_PACKAGE);
	sleep(2);
	t = __rdtsc() - t;
	a = cores(3) - a;
	b = energy(3, amd ? AMD_PACKAGE : INTEL_PACKAGE) - b;
	within(b, to_units(WAITING * t), to_units(WAITING * t * 1.03), "package, waiting for 2 s");
	within(a, 0, to_units(WAITING * t * .03), "cores, waiting for 2 s");

	perf_agrees();
	static_parts();
	return result();
}

#endif
