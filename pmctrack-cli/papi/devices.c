// SPDX-License-Identifier: GPL-2.0
/* The CPU devices of PAPI: one for each core type, or one for all where the library has one. */
#include "devices.h"

static int nr_devices(void *type)
{
	int id, nr;

	if (PAPI_get_dev_type_attr(type, PAPI_DEV_TYPE_ATTR__INT_PAPI_ID, &id) != PAPI_OK ||
	    id != PAPI_DEV_TYPE_ID__CPU ||
	    PAPI_get_dev_type_attr(type, PAPI_DEV_TYPE_ATTR__INT_COUNT, &nr) != PAPI_OK)
		return 0;
	return nr;
}

/* The types are enumerated to their end: the library keeps where it was between calls. */
int devices_cpu(int nr, struct device *device)
{
	void *type = NULL;
	int found = 0, n;

	while (PAPI_enum_dev_type(PAPI_DEV_TYPE_ENUM__CPU, &type) == PAPI_OK) {
		n = nr_devices(type);
		if (!found && nr < n) {
			*device = (struct device){ .type = type, .id = nr };
			found = 1;
		}
		nr -= n;
	}
	return found;
}

int devices_nr_cpu(void)
{
	struct device device;
	int nr = 0;

	while (devices_cpu(nr, &device))
		nr++;
	return nr;
}

long long device_number(const struct device *device, PAPI_dev_attr_e attr)
{
	/* Some attributes are signed, with -1 for unknown. */
	int value = -1;

	if (PAPI_get_dev_attr(device->type, device->id, attr, &value) != PAPI_OK)
		return -1;
	return value;
}

const char *device_text(const struct device *device, PAPI_dev_attr_e attr)
{
	const char *text = NULL;

	if (PAPI_get_dev_attr(device->type, device->id, attr, &text) != PAPI_OK || !text)
		return "";
	return text;
}
