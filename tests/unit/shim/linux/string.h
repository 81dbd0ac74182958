/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_STRING_H
#define PMC_SHIM_STRING_H

#include <string.h>

#endif /* PMC_SHIM_STRING_H */
