// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of Arm cores: /proc/cpuinfo has only their numbers. */
#include <stddef.h>

#include "cpuinfo.h"

struct part {
	int number;
	const char *name;
};

/* Cores of Arm itself, whose implementer is PAPI_VENDOR_ARM_ARM */
static const struct part parts[] = {
	{ 0xc05, "Cortex-A5" }, { 0xc07, "Cortex-A7" }, { 0xc08, "Cortex-A8" },
	{ 0xc09, "Cortex-A9" }, { 0xc0d, "Cortex-A12" }, { 0xc0e, "Cortex-A17" },
	{ 0xc0f, "Cortex-A15" }, { 0xd01, "Cortex-A32" }, { 0xd02, "Cortex-A34" },
	{ 0xd03, "Cortex-A53" }, { 0xd04, "Cortex-A35" }, { 0xd05, "Cortex-A55" },
	{ 0xd06, "Cortex-A65" }, { 0xd07, "Cortex-A57" }, { 0xd08, "Cortex-A72" },
	{ 0xd09, "Cortex-A73" }, { 0xd0a, "Cortex-A75" }, { 0xd0b, "Cortex-A76" },
	{ 0xd0c, "Neoverse-N1" }, { 0xd0d, "Cortex-A77" }, { 0xd0e, "Cortex-A76AE" },
	{ 0xd40, "Neoverse-V1" }, { 0xd41, "Cortex-A78" }, { 0xd42, "Cortex-A78AE" },
	{ 0xd43, "Cortex-A65AE" }, { 0xd44, "Cortex-X1" }, { 0xd46, "Cortex-A510" },
	{ 0xd47, "Cortex-A710" }, { 0xd48, "Cortex-X2" }, { 0xd49, "Neoverse-N2" },
	{ 0xd4a, "Neoverse-E1" }, { 0xd4b, "Cortex-A78C" }, { 0xd4c, "Cortex-X1C" },
	{ 0xd4d, "Cortex-A715" }, { 0xd4e, "Cortex-X3" }, { 0xd4f, "Neoverse-V2" },
	{ 0xd80, "Cortex-A520" }, { 0xd81, "Cortex-A720" }, { 0xd82, "Cortex-X4" },
	{ 0xd84, "Neoverse-V3" }, { 0xd85, "Cortex-X925" }, { 0xd87, "Cortex-A725" },
	{ 0xd8e, "Neoverse-N3" },
};

const char *arm_part_name(int implementer, int part)
{
	size_t i;

	if (implementer != PAPI_VENDOR_ARM_ARM)
		return NULL;
	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i].number == part)
			return parts[i].name;
	return NULL;
}
