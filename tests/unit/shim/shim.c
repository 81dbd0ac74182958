// SPDX-License-Identifier: GPL-2.0
/*
 * What the stand-ins for the kernel's headers need: the knobs by which a test
 * makes them fail.
 */
#include <limits.h>

#include <linux/uaccess.h>
#include <linux/vmalloc.h>

int shim_allocations_left = -1;
unsigned long shim_user_bytes_left = ULONG_MAX;
