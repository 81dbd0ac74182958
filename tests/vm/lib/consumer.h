/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queries of a scheduler in the kernel, by the module test_consumer, which has to be loaded.
 */
#ifndef VM_CONSUMER_H
#define VM_CONSUMER_H

#define CONSUMER	"/proc/pmc_consumer"

/* As kmod/include/pmctrack/scheduler.h has them, and their units */
enum {
	METRIC_SPEEDUP = 0,
	METRIC_IPC = 1,
	METRIC_APP_SPEEDUP = 5,
	METRIC_APP_THREADS = 6,
	METRIC_OCCUPANCY = 7,
	METRIC_ENERGY = 8,
};

/* Send a command to the module, see there. Return: 0 or -errno. */
int consumer(const char *verb, int pid, int n);
/* Query a metric; *@age is its age in ns. Return: 0 or the error. */
int metric(int pid, int nr, unsigned long long *value, unsigned long long *age);
/* The same, but wait up to a second for a value. */
int wait_for_metric(int pid, int nr, unsigned long long *value);

#endif
