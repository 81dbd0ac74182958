/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's names of integer types, where there is no kernel. */
#ifndef EPAPI_LINUX_TYPES_H
#define EPAPI_LINUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;

#endif
