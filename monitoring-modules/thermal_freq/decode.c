// SPDX-License-Identifier: GPL-2.0
/* Registers of frequency and temperature; see decode.h. */
#include <linux/math64.h>
#include "decode.h"

/**
 * frequency_khz - average frequency
 * @cycles: cycles of the core while it was not halted
 * @reference: cycles of the reference clock meanwhile, or its time; not 0
 * @reference_khz: the reference clock's frequency
 *
 * Context: Any.
 * Return: kHz, rounded to the nearest.
 */
u64 frequency_khz(u64 cycles, u64 reference, u64 reference_khz)
{
	/* Both by as much, until the product fits: 40 bits and 24. */
	while (cycles >> 40) {
		cycles >>= 1;
		reference >>= 1;
	}
	if (!reference)
		return 0;
	return div64_u64(cycles * reference_khz + reference / 2, reference);
}

/**
 * temperature_millidegrees - the temperature of a digital sensor of Intel's
 * @status: IA32_THERM_STATUS or IA32_PACKAGE_THERM_STATUS: bits 23:16 are degrees
 *	below the target, valid if bit 31 is set (SDM volume 3B, 15.8.2, 15.8.4).
 *	Older processors have 22:16 and 0 in the reserved bit 23
 * @target: MSR_TEMPERATURE_TARGET, bits 23:16: the target, degrees Celsius
 * @value: out: in thousandths of a degree
 *
 * Context: Any.
 * Return: is it valid?
 */
bool temperature_millidegrees(u64 status, u64 target, u64 *value)
{
	int degrees = (int)(target >> 16 & 0xff) - (int)(status >> 16 & 0xff);

	if (!(status >> 31 & 1) || degrees < 0)
		return false;
	*value = degrees * 1000;
	return true;
}

/**
 * throttle_bits - why a core or package is slowed down now
 * @status: as above: status bits; the package has no bits 12 and 14
 *
 * Context: Any.
 * Return: THROTTLED_*
 */
unsigned int throttle_bits(u64 status)
{
	return (status >> 0 & 1 ? THROTTLED_HOT : 0) |
	       (status >> 2 & 1 ? THROTTLED_PROCHOT : 0) |
	       (status >> 4 & 1 ? THROTTLED_CRITICAL : 0) |
	       (status >> 10 & 1 ? THROTTLED_POWER : 0) |
	       (status >> 12 & 1 ? THROTTLED_CURRENT : 0) |
	       (status >> 14 & 1 ? THROTTLED_OTHER : 0);
}
