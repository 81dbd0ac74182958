// SPDX-License-Identifier: GPL-2.0
/* Suspend the machine; an alarm of its clock resumes it. */
#include <string.h>

#include "vm.h"
#include "suspend.h"

#define ALARM	"/sys/class/rtc/rtc0/wakealarm"

bool can_suspend(void)
{
	return !write_file(ALARM, "0") && !write_file("/sys/power/mem_sleep", "deep");
}

void set_alarm(void)
{
	int ret = write_file(ALARM, "0") ?: write_file(ALARM, "+2");

	same(ret, 0, ALARM " (%s)", strerror(-ret));
}

void suspend(void)
{
	long long asleep = time_asleep();
	int ret;

	set_alarm();
	ret = write_file("/sys/power/state", "mem");
	same(ret, 0, "mem (%s)", strerror(-ret));
	within(time_asleep() - asleep, SECOND / 2, 3 * SECOND, "how long it slept");
}

long long now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

long long time_asleep(void)
{
	return now(CLOCK_BOOTTIME) - now(CLOCK_MONOTONIC);
}
