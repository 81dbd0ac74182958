/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_TYPES_H
#define PMC_SHIM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include_next <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

typedef struct {
	s64 counter;
} atomic64_t;

#endif /* PMC_SHIM_TYPES_H */
