// SPDX-License-Identifier: GPL-2.0
/*
 * Variables of the replacements for the kernel's headers, by which a test makes them fail.
 */
#include <limits.h>

#include <linux/uaccess.h>
#include <linux/vmalloc.h>

int shim_allocations_left = -1;
unsigned long shim_user_bytes_left = ULONG_MAX;
