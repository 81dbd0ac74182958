/* SPDX-License-Identifier: GPL-2.0 */
/* The machine's sleep, from which an alarm of its clock wakes it. */
#ifndef VM_SUSPEND_H
#define VM_SUSPEND_H

#include <stdbool.h>
#include <time.h>

#define SECOND	1000000000LL

/* Can it be suspended to memory? If so, "mem" into /sys/power/state does it. */
bool can_suspend(void);
/* Have it woken; its clock knows whole seconds only, so in one to two. */
void set_alarm(void);
/* Suspends it to memory until then. */
void suspend(void);
/* ns of a clock */
long long now(clockid_t clock);
/* How long it was suspended since it started, ns */
long long time_asleep(void);

#endif
