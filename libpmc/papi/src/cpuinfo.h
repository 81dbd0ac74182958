/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A CPU's description of itself, from /proc/cpuinfo */
#ifndef PAPI_CPUINFO_H
#define PAPI_CPUINFO_H

#include "papi.h"

/**
 * struct cpuinfo - one CPU
 * @vendor: PAPI_VENDOR_...
 * @vendor_name: its name in PAPI: that of CPUID, ARM_ARM, ...
 * @model_name: what users call the CPU
 * @family: x86: of CPUID; Arm: version of the architecture
 * @model: x86: of CPUID; Arm: MIDR's part
 * @stepping: x86: of CPUID; Arm: MIDR's variant
 * @revision: Arm: MIDR's revision, else the stepping
 * @implementer: Arm: of MIDR, else 0
 * @mhz: 0 if not known
 * @hypervisor: x86: CPUID says that this is a virtual machine
 */
struct cpuinfo {
	int vendor;
	char vendor_name[PAPI_MAX_STR_LEN];
	char model_name[PAPI_MAX_STR_LEN];
	int family;
	int model;
	int stepping;
	int revision;
	int implementer;
	double mhz;
	int hypervisor;
};

/** cpuinfo_read - describe a CPU; members that are not known are 0 or "" */
void cpuinfo_read(struct cpuinfo *info, const char *root, int cpu);

/** arm_part_name - the name of an Arm core; NULL if it is not known */
const char *arm_part_name(int implementer, int part);

#endif /* PAPI_CPUINFO_H */
