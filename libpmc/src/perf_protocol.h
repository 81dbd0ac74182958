/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Commands of the session protocol, for sessions without the kernel module. */
#ifndef LIBPMC_PERF_PROTOCOL_H
#define LIBPMC_PERF_PROTOCOL_H

#include <stdint.h>

enum perf_verb {
	PERF_EVENTS,
	PERF_VIRTUAL,
	PERF_PERIOD,
	PERF_FILTER,
	PERF_FOLLOW,
	PERF_ENABLE,
	PERF_RING,
	PERF_NAMES,
	PERF_WAKEUP,
	PERF_ATTACH,
	PERF_ATTACH_THREAD,
	PERF_DETACH,
	PERF_DETACH_THREAD,
	PERF_SYSWIDE,
	PERF_SAMPLE,
	PERF_STOP,
	PERF_CLEAR,
};

/* Values of `follow` and `enable` */
enum { FOLLOW_NONE, FOLLOW_THREADS, FOLLOW_CHILDREN };
enum { ENABLE_NOW, ENABLE_EXEC };

/**
 * struct perf_command - a command
 * @verb: what to do
 * @arg: its argument, as text
 * @value: its argument as a number: a time in ns, a process, one of the values above,
 *	FILTER_USER and FILTER_KERNEL
 */
struct perf_command {
	enum perf_verb verb;
	char *arg;
	uint64_t value;
};

/* Parse a line, which is written to. Return: 0, or -1 with the error line set. */
int perf_command_parse(struct perf_command *command, char *line);

#endif
