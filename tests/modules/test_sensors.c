// SPDX-License-Identifier: GPL-2.0
/*
 * Sensors of a board whose values a test sets: hwmon's energy1_input, energy2_input,
 * power1_input and temp1_input. Each is set by a module parameter: energy1, energy2, ...
 */
#include <linux/err.h>
#include <linux/hwmon.h>
#include <linux/module.h>
#include <linux/platform_device.h>

static long energy1, energy2, power1, temp1;

module_param(energy1, long, 0644);
module_param(energy2, long, 0644);
module_param(power1, long, 0644);
module_param(temp1, long, 0644);

static struct platform_device *device;
static struct device *sensors;

static umode_t is_visible(const void *data, enum hwmon_sensor_types type,
			  u32 attr, int channel)
{
	return 0444;
}

static int read(struct device *dev, enum hwmon_sensor_types type, u32 attr,
		int channel, long *value)
{
	switch (type) {
	case hwmon_energy:
		*value = channel ? energy2 : energy1;
		return 0;
	case hwmon_power:
		*value = power1;
		return 0;
	default:
		*value = temp1;
		return 0;
	}
}

static const struct hwmon_ops ops = {
	.is_visible = is_visible,
	.read = read,
};

static const struct hwmon_channel_info *info[] = {
	HWMON_CHANNEL_INFO(energy, HWMON_E_INPUT, HWMON_E_INPUT),
	HWMON_CHANNEL_INFO(power, HWMON_P_INPUT),
	HWMON_CHANNEL_INFO(temp, HWMON_T_INPUT),
	NULL
};

static const struct hwmon_chip_info chip = {
	.ops = &ops,
	.info = info,
};

static int __init test_sensors_init(void)
{
	device = platform_device_register_simple("test_sensors", -1, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	sensors = hwmon_device_register_with_info(&device->dev, "test_sensors",
						  NULL, &chip, NULL);
	if (!IS_ERR(sensors))
		return 0;
	platform_device_unregister(device);
	return PTR_ERR(sensors);
}

static void __exit test_sensors_exit(void)
{
	hwmon_device_unregister(sensors);
	platform_device_unregister(device);
}

module_init(test_sensors_init);
module_exit(test_sensors_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Sensors that show what a test wants");
