/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Attributes of CPUs, for tests: PAPI_get_dev_attr() on a machine that may be made up */
#ifndef PAPI_DEVICES_H
#define PAPI_DEVICES_H

#include "hardware.h"

/** device_attr - see PAPI_get_dev_attr(). Return: an error code */
int device_attr(const struct hardware *hw, int id, PAPI_dev_attr_e attr, void *value);

/** device_type_attr - see PAPI_get_dev_type_attr() */
int device_type_attr(const struct hardware *hw, PAPI_dev_type_attr_e attr, void *value);

#endif /* PAPI_DEVICES_H */
