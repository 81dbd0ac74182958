/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Marks of declarations: PMC_API, a function that the library exports, and PMC_PRINTF. */
#ifndef LIBPMCTRACK_API_H
#define LIBPMCTRACK_API_H

#if defined(__GNUC__) && !defined(PMC_API)
#define PMC_API __attribute__((visibility("default")))
#define PMC_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define PMC_API
#define PMC_PRINTF(f, a)
#endif

#endif
