/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_CTYPE_H
#define PMC_SHIM_CTYPE_H

#include <ctype.h>

/* The kernel's functions take any char, also negative ones. */
#undef isdigit
#define isdigit(c) ((isdigit)((unsigned char)(c)))
#undef isspace
#define isspace(c) ((isspace)((unsigned char)(c)))

#endif /* PMC_SHIM_CTYPE_H */
