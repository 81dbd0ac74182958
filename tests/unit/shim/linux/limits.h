/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_LIMITS_H
#define PMC_SHIM_LIMITS_H

#include <limits.h>
#include_next <linux/limits.h>

#define U32_MAX ((u32)~0U)
#define S64_MAX ((s64)(~0ULL >> 1))
#define U64_MAX ((u64)~0ULL)

#endif /* PMC_SHIM_LIMITS_H */
