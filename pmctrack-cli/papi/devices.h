/* SPDX-License-Identifier: GPL-2.0 */
/* The CPU devices of PAPI: one for each core type, or one for all where the library has one. */
#ifndef PMCTRACK_PAPI_DEVICES_H
#define PMCTRACK_PAPI_DEVICES_H

#include <papi.h>

/**
 * struct device - a CPU device
 * @type: PAPI's handle of the type of devices
 * @id: its number in the type
 */
struct device {
	void *type;
	int id;
};

/* Find CPU device number @nr of the machine. Return: 1; 0: there are no more */
int devices_cpu(int nr, struct device *device);

/* Number of CPU devices; 0: the library has none */
int devices_nr_cpu(void);

/* An attribute of a device that is a number, or -1; or a text, or "" */
long long device_number(const struct device *device, PAPI_dev_attr_e attr);
const char *device_text(const struct device *device, PAPI_dev_attr_e attr);

#endif
