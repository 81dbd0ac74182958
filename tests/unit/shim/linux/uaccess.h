/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_UACCESS_H
#define PMC_SHIM_UACCESS_H

#include <string.h>

#include <linux/compiler.h>

/* Bytes that can be copied before a fault in the user's memory. */
extern unsigned long shim_user_bytes_left;

static inline unsigned long copy_to_user(void __user *to, const void *from,
					 unsigned long n)
{
	if (n > shim_user_bytes_left)
		return n;
	shim_user_bytes_left -= n;
	memcpy(to, from, n);

	return 0;
}

#endif /* PMC_SHIM_UACCESS_H */
