// SPDX-License-Identifier: GPL-2.0
/*
 * x86 processors' registers of frequency (SDM volume 3B, 15.2; AMD has the
 * same) and, Intel's only, of temperature (15.8).
 */
#include <linux/percpu.h>
#include <asm/cpufeature.h>
#include <asm/tsc.h>
#include <base/compat.h>
#include "decode.h"
#include "registers.h"

#define MPERF			0xe7
#define APERF			0xe8
#define THERM_STATUS		0x19c
#define TEMPERATURE_TARGET	0x1a2
#define PACKAGE_THERM_STATUS	0x1b1

/* An average over fewer reference cycles is mostly that of the reading itself. */
#define FEW_CYCLES		10000

/**
 * struct registers - the values of a CPU's registers
 * @aperf: its cycles when its frequency was found last
 * @mperf: and cycles of the reference clock; both stand still while it is halted
 * @khz: the frequency; 0: not yet
 * @target: MSR_TEMPERATURE_TARGET; 0: not read yet
 */
struct registers {
	u64 aperf;
	u64 mperf;
	u64 khz;
	u64 target;
};

static DEFINE_PER_CPU(struct registers, cpus);

static bool is_intel(void)
{
	return boot_cpu_data.x86_vendor == X86_VENDOR_INTEL;
}

static bool readable(u32 msr)
{
	u64 value;

	return !rdmsrq_safe(msr, &value) && value;
}

bool has_register(enum what what)
{
	switch (what) {
	case FREQ:
		return boot_cpu_has(X86_FEATURE_APERFMPERF) && tsc_khz;
	case TEMP_CORE:
	case THROTTLED:
		return is_intel() && boot_cpu_has(X86_FEATURE_DTHERM) &&
		       readable(TEMPERATURE_TARGET);
	case TEMP_PKG:
		return is_intel() && boot_cpu_has(X86_FEATURE_PTS) &&
		       readable(TEMPERATURE_TARGET);
	default:
		return false;
	}
}

void forget_registers(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		memset(&per_cpu(cpus, cpu), 0, sizeof(struct registers));
}

/*
 * Since the query before on this CPU. The reference clock is the time stamp
 * counter's: SDM 18.17.2 of volume 3B, PPR 55898, MSR0000_00E7.
 */
static u64 frequency(struct registers *c)
{
	u64 aperf = __rdmsr(APERF), mperf = __rdmsr(MPERF);

	/* It is the first query; or the CPU was off, and they began at 0 again. */
	if (!c->mperf || mperf < c->mperf) {
		c->khz = 0;
	} else {
		if (mperf - c->mperf < FEW_CYCLES)
			return c->khz ?: PMC_NO_VALUE;
		c->khz = frequency_khz(aperf - c->aperf, mperf - c->mperf,
				       tsc_khz);
	}
	c->aperf = aperf;
	c->mperf = mperf;
	return c->khz ?: PMC_NO_VALUE;
}

static u64 temperature(struct registers *c, u32 msr)
{
	u64 value;

	if (!c->target)
		c->target = __rdmsr(TEMPERATURE_TARGET);
	return temperature_millidegrees(__rdmsr(msr), c->target, &value) ?
	       value : PMC_NO_VALUE;
}

static u64 throttled(void)
{
	u64 bits = throttle_bits(__rdmsr(THERM_STATUS));

	if (boot_cpu_has(X86_FEATURE_PTS))
		bits |= throttle_bits(__rdmsr(PACKAGE_THERM_STATUS)) <<
			THROTTLED_PKG_SHIFT;
	return bits;
}

u64 read_register(enum what what)
{
	struct registers *c = this_cpu_ptr(&cpus);

	switch (what) {
	case FREQ:
		return frequency(c);
	case TEMP_CORE:
		return temperature(c, THERM_STATUS);
	case TEMP_PKG:
		return temperature(c, PACKAGE_THERM_STATUS);
	case THROTTLED:
		return throttled();
	default:
		return PMC_NO_VALUE;
	}
}
