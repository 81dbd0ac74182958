/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_STRING_H
#define PMC_SHIM_STRING_H

#include <string.h>

static inline size_t str_has_prefix(const char *str, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(str, prefix, len) ? 0 : len;
}

#endif /* PMC_SHIM_STRING_H */
