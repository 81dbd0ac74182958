/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_KTIME_H
#define PMC_SHIM_KTIME_H

#include <linux/types.h>

u64 ktime_get_mono_fast_ns(void);

#endif /* PMC_SHIM_KTIME_H */
