// SPDX-License-Identifier: GPL-2.0
/*
 * An energy meter of a board that keeps counting while the machine is suspended.
 * /sys/module/test_meter/parameters/energy1 shows the value that a test wrote to it, plus
 * the energy of 1 W during the suspended time, in microjoules.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/timekeeping.h>

static long energy1;

static int show(char *text, const struct kernel_param *param)
{
	s64 asleep = ktime_to_us(ktime_mono_to_any(0, TK_OFFS_BOOT));

	return sysfs_emit(text, "%lld\n", energy1 + asleep);
}

static const struct kernel_param_ops ops = {
	.set = param_set_long,
	.get = show,
};

module_param_cb(energy1, &ops, &energy1, 0644);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A meter of energy that goes on while the machine sleeps");
