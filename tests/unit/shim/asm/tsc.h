/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PMC_SHIM_TSC_H
#define PMC_SHIM_TSC_H

extern unsigned int tsc_khz;

#endif /* PMC_SHIM_TSC_H */
