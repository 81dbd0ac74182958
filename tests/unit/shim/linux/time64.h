/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_TIME64_H
#define PMC_SHIM_TIME64_H

#define MSEC_PER_SEC	1000L
#define USEC_PER_SEC	1000000L
#define NSEC_PER_SEC	1000000000L

#endif /* PMC_SHIM_TIME64_H */
