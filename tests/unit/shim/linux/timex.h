/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_TIMEX_H
#define PMC_SHIM_TIMEX_H

#include <linux/types.h>

u64 get_cycles(void);

#endif /* PMC_SHIM_TIMEX_H */
