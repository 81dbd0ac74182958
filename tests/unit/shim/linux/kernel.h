/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_KERNEL_H
#define PMC_SHIM_KERNEL_H

#include <stdarg.h>
#include <stdio.h>

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/types.h>

#define BUILD_BUG_ON(cond) _Static_assert(!(cond), #cond)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define ALIGN(x, a) (((x) + (a) - 1) & ~((u64)(a) - 1))

#define min(a, b) ({ \
	__typeof__(a) _a = (a); \
	__typeof__(b) _b = (b); \
	_a < _b ? _a : _b; \
})
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max(a, b) ({ \
	__typeof__(a) _a = (a); \
	__typeof__(b) _b = (b); \
	_a > _b ? _a : _b; \
})
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp(val, lo, hi) min(max(val, lo), hi)

/* Like snprintf(), but the result is the number of characters written. */
static inline int vscnprintf(char *buf, size_t size, const char *fmt,
			     va_list args)
{
	int len = vsnprintf(buf, size, fmt, args);

	return len < (int)size ? len : (int)size - 1;
}

__printf(3, 4) static inline int scnprintf(char *buf, size_t size,
					   const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vscnprintf(buf, size, fmt, args);
	va_end(args);

	return len;
}

static inline int hex_to_bin(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif /* PMC_SHIM_KERNEL_H */
