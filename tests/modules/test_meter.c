// SPDX-License-Identifier: GPL-2.0
/*
 * A meter of energy, as a board may have one, that goes on while the machine
 * sleeps: /sys/module/test_meter/parameters/energy1 shows what a test wrote to it
 * and as many microjoules as 1 W are in the time that the machine has slept.
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
