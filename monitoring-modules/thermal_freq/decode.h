/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of registers of frequency and temperature. No register is touched here.
 */
#ifndef PMC_THERMAL_FREQ_DECODE_H
#define PMC_THERMAL_FREQ_DECODE_H

#include <linux/types.h>

/* thermal_freq's virtual counter "throttled"; of the package: 8 bits higher */
#define THROTTLED_HOT		0x01	/* too hot */
#define THROTTLED_PROCHOT	0x02	/* the board says so */
#define THROTTLED_CRITICAL	0x04	/* about to be switched off */
#define THROTTLED_POWER		0x08	/* by the power limit */
#define THROTTLED_CURRENT	0x10	/* by the current limit */
#define THROTTLED_OTHER		0x20	/* by another domain's limit */
#define THROTTLED_PKG_SHIFT	8

u64 frequency_khz(u64 cycles, u64 reference, u64 reference_khz);
bool temperature_millidegrees(u64 status, u64 target, u64 *value);
unsigned int throttle_bits(u64 status);

#endif /* PMC_THERMAL_FREQ_DECODE_H */
