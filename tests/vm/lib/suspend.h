/* SPDX-License-Identifier: GPL-2.0 */
/* Suspend the machine; an alarm of its clock resumes it. */
#ifndef VM_SUSPEND_H
#define VM_SUSPEND_H

#include <stdbool.h>
#include <time.h>

#define SECOND	1000000000LL

/* Can the machine be suspended to memory? If so, writing "mem" to /sys/power/state does it. */
bool can_suspend(void);
/* Set the alarm; the clock has whole seconds only, so it comes in one to two. */
void set_alarm(void);
/* Suspend the machine to memory until the alarm. */
void suspend(void);
/* ns of a clock */
long long now(clockid_t clock);
/* The time for which the machine was suspended since its start, ns */
long long time_asleep(void);

#endif
